import { isRecord } from '@slipway/kube/object'
import type { Verb } from '@slipway/kube/api-request'
import { asCrd, customResourceDefinitions } from '../builtin/customresourcedefinitions'
import type { CustomResourceDefinition, CrdVersion } from '../apiextensions/crd'
import { ownValue } from '../apiextensions/json'
import { compileSchema, type CompiledSchema } from '../apiextensions/structural-schema'
import type { Storage } from '../storage/storage'
import { builtins } from './builtins'
import { collectionOf, type AnyObject, type ResourceInfo } from '../resource'

/** The resources that are currently served. */
export interface Catalog {
  /** A new array whenever a definition is written. */
  resources(): readonly ResourceInfo[]
  find(group: string, version: string, plural: string): ResourceInfo | undefined
  /** The version that the server itself should use for the objects of a collection. */
  ofCollection(collection: string): ResourceInfo | undefined
  /** True if the definition is being deleted: no more objects may be created. */
  isTerminating(resource: ResourceInfo): boolean
}

interface Served {
  resources: readonly ResourceInfo[]
  byPath: Map<string, ResourceInfo>
  byCollection: Map<string, ResourceInfo>
  terminating: Set<string>
}

/** A definition takes effect as soon as it is stored. */
export function createCatalog(storage: Storage): Catalog {
  const definitions = collectionOf(customResourceDefinitions.type)
  // An unchanged definition keeps its compiled schemas.
  const known = new Map<string, { revision: number; resources: ResourceInfo[]; isTerminating: boolean }>()
  let served: Served | undefined
  storage.subscribe((change) => {
    if (change.collection === definitions) served = undefined
  })

  function read(): Served {
    const resources = [...builtins]
    const terminating = new Set<string>()
    const stored = storage.list(definitions)
    for (const { key, revision, value } of stored) {
      let entry = known.get(key)
      if (entry?.revision !== revision) {
        const crd = asCrd(JSON.parse(value) as AnyObject) // Only validated definitions are stored.
        entry = { revision, resources: toResources(crd), isTerminating: crd.metadata.deletionTimestamp !== undefined }
        known.set(key, entry)
      }
      resources.push(...entry.resources)
      if (entry.isTerminating) for (const resource of entry.resources) terminating.add(collectionOf(resource.type))
    }
    const keys = new Set(stored.map(({ key }) => key))
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
    const byPath = new Map<string, ResourceInfo>()
    const byCollection = new Map<string, ResourceInfo>()
    for (const resource of resources) {
      const { group, version, plural } = resource.type
      byPath.set(`${group}/${version}/${plural}`, resource)
      const collection = collectionOf(resource.type)
      if (!byCollection.has(collection)) byCollection.set(collection, resource)
    }
    return { resources, byPath, byCollection, terminating }
  }
  const now = (): Served => (served ??= read())

  return {
    resources: () => now().resources,
    find: (group, version, plural) => now().byPath.get(`${group}/${version}/${plural}`),
    ofCollection: (collection) => now().byCollection.get(collection),
    isTerminating: (resource) => now().terminating.has(collectionOf(resource.type)),
  }
}

/** Selectable fields, named by their paths without the leading dot. An absent field reads as an empty string. */
function selectableFieldsOf({ selectableFields = [] }: CrdVersion): ResourceInfo['fieldsOf'] {
  const fields = selectableFields.map(({ jsonPath }) => ({
    name: jsonPath.slice(1),
    path: jsonPath.slice(1).split('.'),
  }))
  const valueAt = (object: AnyObject, path: string[]) =>
    path.reduce<unknown>((at, member) => (isRecord(at) ? ownValue(at, member) : undefined), object)
  return (object) => Object.fromEntries(fields.map(({ name, path }) => [name, String(valueAt(object, path) ?? '')]))
}

/** In the order of the real server. */
const customVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** One for each served version, the stored version first. */
function toResources(crd: CustomResourceDefinition): ResourceInfo[] {
  const versions = crd.spec.versions.filter((version) => version.served)
  return versions.sort((a, b) => Number(b.storage) - Number(a.storage)).map((version) => toResource(crd, version))
}

function toResource({ spec }: CustomResourceDefinition, version: CrdVersion): ResourceInfo {
  const { kind, plural, singular = kind.toLowerCase(), listKind = `${kind}List`, shortNames, categories } = spec.names
  const schema = version.schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  let compiled: CompiledSchema | undefined
  const warning = `${spec.group}/${version.name} ${kind} is deprecated`
  return {
    type: { group: spec.group, version: version.name, kind, plural, namespaced: spec.scope === 'Namespaced' },
    singular,
    listKind,
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    verbs: customVerbs,
    storageVersion: spec.versions.find(({ storage }) => storage)?.name,
    hasStatus: version.subresources?.status !== undefined,
    hasGeneration: true,
    isCustom: true,
    nameFormat: 'subdomain',
    schema,
    compiled: () => (compiled ??= compileSchema(schema)),
    columns: version.additionalPrinterColumns ?? [],
    fieldsOf: selectableFieldsOf(version),
    warnings: version.deprecated ? [version.deprecationWarning ?? warning] : undefined,
  }
}
