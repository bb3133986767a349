import { asCrd, customResourceDefinitions } from '../builtin/customresourcedefinitions'
import type { CustomResourceDefinition, CrdVersion } from '../schema/crd'
import { isObject, ownValue } from '../schema/json'
import { compileSchema, type CompiledSchema } from '../schema/structural-schema'
import type { Storage } from '../storage/storage'
import { builtins } from './builtins'
import { collectionOf, type AnyObject, type ResourceInfo, type Verb } from './resource'

/** What is served at this moment. */
export interface Catalog {
  /** Changes its identity whenever a definition is written. */
  resources(): readonly ResourceInfo[]
  find(group: string, version: string, plural: string): ResourceInfo | undefined
  /** The version in which objects of a collection are best looked at by the server itself. */
  ofCollection(collection: string): ResourceInfo | undefined
  /** Of a definition that is being deleted: nothing more may be created. */
  isTerminating(info: ResourceInfo): boolean
}

interface Served {
  resources: readonly ResourceInfo[]
  byPlace: Map<string, ResourceInfo>
  byCollection: Map<string, ResourceInfo>
  ending: Set<string>
}

/** Definitions count from the moment they are stored. */
export function createCatalog(storage: Storage): Catalog {
  const definitions = collectionOf(customResourceDefinitions.type)
  // A definition that did not change keeps its compiled schemas.
  const known = new Map<string, { revision: number; infos: ResourceInfo[]; isEnding: boolean }>()
  let served: Served | undefined
  storage.subscribe((change) => {
    if (change.collection === definitions) served = undefined
  })

  function read(): Served {
    const resources = [...builtins]
    const ending = new Set<string>()
    const stored = storage.list(definitions)
    for (const { key, revision, value } of stored) {
      let entry = known.get(key)
      if (entry?.revision !== revision) {
        const crd = asCrd(JSON.parse(value) as AnyObject) // Only validated definitions are stored.
        entry = { revision, infos: infosOf(crd), isEnding: crd.metadata.deletionTimestamp !== undefined }
        known.set(key, entry)
      }
      resources.push(...entry.infos)
      if (entry.isEnding) for (const info of entry.infos) ending.add(collectionOf(info.type))
    }
    const keys = new Set(stored.map(({ key }) => key))
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
    const byPlace = new Map<string, ResourceInfo>()
    const byCollection = new Map<string, ResourceInfo>()
    for (const info of resources) {
      const { group, version, plural } = info.type
      byPlace.set(`${group}/${version}/${plural}`, info)
      const collection = collectionOf(info.type)
      if (!byCollection.has(collection)) byCollection.set(collection, info)
    }
    return { resources, byPlace, byCollection, ending }
  }
  const now = (): Served => (served ??= read())

  return {
    resources: () => now().resources,
    find: (group, version, plural) => now().byPlace.get(`${group}/${version}/${plural}`),
    ofCollection: (collection) => now().byCollection.get(collection),
    isTerminating: (info) => now().ending.has(collectionOf(info.type)),
  }
}

/** Fields by their paths without the leading dot; one that is absent is as an empty text. */
function selectableFieldsOf({ selectableFields = [] }: CrdVersion): ResourceInfo['fieldsOf'] {
  const fields = selectableFields.map(({ jsonPath }) => ({
    name: jsonPath.slice(1),
    path: jsonPath.slice(1).split('.'),
  }))
  const valueAt = (object: AnyObject, path: string[]) =>
    path.reduce<unknown>((at, member) => (isObject(at) ? ownValue(at, member) : undefined), object)
  return (object) => Object.fromEntries(fields.map(({ name, path }) => [name, String(valueAt(object, path) ?? '')]))
}

/** As the real server lists them. */
const customVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** One for each served version, the stored version first. */
function infosOf(crd: CustomResourceDefinition): ResourceInfo[] {
  const versions = crd.spec.versions.filter((version) => version.served)
  return versions.sort((a, b) => Number(b.storage) - Number(a.storage)).map((version) => infoOf(crd, version))
}

function infoOf({ spec }: CustomResourceDefinition, version: CrdVersion): ResourceInfo {
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
