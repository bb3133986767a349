import { isSameJson } from '@slipway/kube/json'
import { nameOf, type Condition, type KubeObject } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { duplicate, invalid, notSupported, required, tooMany } from '../field-error'
import { addAll, ownValue } from './json'
import type { JsonSchema } from './json-schema'
import { schemaCauses } from './structure'

export interface PrinterColumn {
  name: string
  type: string
  jsonPath: string
  format?: string
  description?: string
  priority?: number
}

export interface CrdNames {
  plural: string
  singular?: string
  kind: string
  listKind?: string
  shortNames?: string[]
  categories?: string[]
}

export interface CrdVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: JsonSchema }
  subresources?: { status?: object; scale?: object }
  additionalPrinterColumns?: PrinterColumn[]
  selectableFields?: { jsonPath: string }[]
}

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string
    names: CrdNames
    scope: 'Namespaced' | 'Cluster'
    versions: CrdVersion[]
    preserveUnknownFields?: boolean
    conversion?: { strategy?: string; webhook?: unknown }
  }
  status?: { conditions?: Condition[] | null; acceptedNames?: CrdNames; storedVersions?: string[] }
}

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelRule =
  'a DNS-1035 label must consist of lower case alphanumeric characters or ' +
  "'-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', " +
  "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
  "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/**
 * Validates a definition, including its schemas, which it compiles. Field types are not checked: the schema of
 * CustomResourceDefinition has already been applied.
 */
export function validateCrd(crd: CustomResourceDefinition, old?: CustomResourceDefinition): StatusCause[] {
  // That schema has already reported missing fields.
  if (!crd.spec?.names?.plural || !crd.spec.names.kind || !crd.spec.versions) return []
  const { group, names, scope, versions } = crd.spec
  const causes = [...groupCauses(crd), ...nameCauses(names), ...versionCauses(versions)]
  if (scope !== undefined && scope !== 'Cluster' && scope !== 'Namespaced') {
    causes.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']))
  }
  if (crd.spec.preserveUnknownFields) {
    causes.push(invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'))
  }
  if (old) addAll(causes, changeCauses(crd, old))
  addAll(causes, forEachVersion(versions, 'schema', 'validation', schemaOfVersionCauses))
  if (isCommon(versions, 'selectableFields') && !isCommon(versions, 'schema')) {
    causes.push(invalid('spec.selectableFields', '', 'may only be set when validations.schema is included'))
  } else addAll(causes, forEachVersion(versions, 'selectableFields', 'selectableFields', selectableFieldCauses))
  addAll(causes, forEachVersion(versions, 'additionalPrinterColumns', 'additionalPrinterColumns', columnCauses))
  const expected = `${names.plural}.${group}`
  if (group && nameOf(crd) !== expected) {
    causes.unshift(invalid('metadata.name', nameOf(crd), 'must be spec.names.plural+"."+spec.group'))
  }
  return causes
}

/**
 * Validates a member once if it is the same in all versions, and reports it at its path from before CRDs had versions.
 * Source: apiextensions-apiserver, pkg/apis/apiextensions/v1/conversion.go.
 */
function forEachVersion(
  versions: readonly CrdVersion[],
  member: VersionMember,
  commonMember: string,
  causesOf: (version: CrdVersion, path: string) => StatusCause[],
): StatusCause[] {
  const [first] = versions
  if (first && isCommon(versions, member)) return causesOf(first, `spec.${commonMember}`)
  return versions.flatMap((version, i) => causesOf(version, `spec.versions[${i}].${member}`))
}

type VersionMember = 'schema' | 'selectableFields' | 'additionalPrinterColumns'

const isCommon = ([first, ...others]: readonly CrdVersion[], member: VersionMember): boolean =>
  !!first?.[member] && others.every((version) => isSameJson(version[member], first[member]))

function groupCauses({ spec: { group } }: CustomResourceDefinition): StatusCause[] {
  if (!group) return group === '' ? [required('spec.group')] : []
  if (!subdomain.test(group)) return [invalid('spec.group', group, subdomainRule)]
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')]
}

function nameCauses(names: CrdNames): StatusCause[] {
  const causes: StatusCause[] = []
  const path = 'spec.names'
  if (!label.test(names.plural)) causes.push(invalid(`${path}.plural`, names.plural, labelRule))
  if (!label.test(names.kind.toLowerCase())) {
    causes.push(invalid(`${path}.kind`, names.kind, `may have mixed case, but should otherwise match: ${labelRule}`))
  }
  if (names.singular && !label.test(names.singular)) {
    causes.push(invalid(`${path}.singular`, names.singular, labelRule))
  }
  names.shortNames?.forEach((name, i) => {
    if (!label.test(name)) causes.push(invalid(`${path}.shortNames[${i}]`, name, labelRule))
  })
  if (names.kind && names.listKind === names.kind) {
    causes.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'))
  }
  return causes
}

function versionCauses(versions: readonly CrdVersion[]): StatusCause[] {
  if (!versions.length) return [required('spec.versions')]
  const causes: StatusCause[] = []
  const storage = versions.filter((version) => version.storage)
  if (storage.length !== 1) {
    const names = storage.map((version) => version.name)
    causes.push(invalid('spec.versions', names, 'must have exactly one version marked as storage version'))
  }
  versions.forEach(({ name }, i) => {
    if (name !== undefined && !label.test(name)) causes.push(invalid(`spec.versions[${i}].name`, name, labelRule))
    if (versions.findIndex((version) => version.name === name) < i) {
      causes.push(duplicate(`spec.versions[${i}].name`, name))
    }
  })
  return causes
}

function schemaOfVersionCauses({ schema }: CrdVersion, path: string): StatusCause[] {
  const at = `${path}.openAPIV3Schema`
  return schema?.openAPIV3Schema ? schemaCauses(schema.openAPIV3Schema, at) : [required(at, 'schemas are required')]
}

const maxSelectableFields = 8
const simplePath = /^(\.[A-Za-z_][-A-Za-z0-9_]*)+$/

/** Source: apiextensions-apiserver, pkg/apis/apiextensions/validation, ValidateCustomResourceSelectableFields. */
function selectableFieldCauses({ selectableFields = [], schema }: CrdVersion, path: string): StatusCause[] {
  const causes: StatusCause[] = []
  const paths = new Set<string>()
  selectableFields.forEach(({ jsonPath }, i) => {
    const at = `${path}[${i}].jsonPath`
    if (!jsonPath) return void causes.push(required(at))
    if (!simplePath.test(jsonPath)) {
      causes.push(invalid(at, jsonPath, 'is an invalid path: only a chain of field names can be selected'))
      return
    }
    const members = jsonPath.slice(1).split('.')
    const found = members.reduce<JsonSchema | undefined>(
      (parent, member) => ownValue(parent?.properties, member),
      schema?.openAPIV3Schema,
    )
    if (!found) {
      causes.push(invalid(at, jsonPath, 'is an invalid path: does not refer to a valid field'))
      return
    }
    if (members[0] === 'metadata') causes.push(invalid(at, jsonPath, 'must not point to fields in metadata'))
    if (!['string', 'boolean', 'integer'].includes(String(found.type))) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      causes.push(invalid(at, jsonPath, detail))
    }
    if (paths.has(jsonPath)) causes.push(duplicate(at, jsonPath))
    paths.add(jsonPath)
  })
  if (paths.size > maxSelectableFields) causes.push(tooMany(path, paths.size, maxSelectableFields))
  return causes
}

const columnTypes = ['integer', 'number', 'string', 'boolean', 'date']

const columnCauses = ({ additionalPrinterColumns = [] }: CrdVersion, path: string): StatusCause[] =>
  additionalPrinterColumns.flatMap(({ name, type, jsonPath }, i) => [
    ...(name ? [] : [required(`${path}[${i}].name`)]),
    ...(columnTypes.includes(type)
      ? []
      : [invalid(`${path}[${i}].type`, type, `must be one of ${columnTypes.join(',')}`)]),
    ...(jsonPath ? [] : [required(`${path}[${i}].jsonPath`)]),
  ])

const missingVersion = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage ` +
  `migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`

function changeCauses(crd: CustomResourceDefinition, old: CustomResourceDefinition): StatusCause[] {
  const causes: StatusCause[] = []
  if (crd.spec.scope !== old.spec.scope) causes.push(invalid('spec.scope', crd.spec.scope, 'field is immutable'))
  if (crd.spec.names.kind !== old.spec.names.kind) {
    causes.push(invalid('spec.names.kind', crd.spec.names.kind, 'field is immutable'))
  }
  old.status?.storedVersions?.forEach((stored, i) => {
    if (!crd.spec.versions.some(({ name }) => name === stored)) {
      causes.push(invalid(`status.storedVersions[${i}]`, stored, missingVersion(stored)))
    }
  })
  return causes
}
