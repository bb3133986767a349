import { isRecord, type ManagedFieldsEntry } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { badRequest, StatusError } from '../errors'
import { difference, pathsOf, type FieldSet } from '../managed-fields/field-set'
import { fieldsOf } from '../managed-fields/fields-of'
import { entriesOf, isReset, ownersIn, readOwners, type Owner } from '../managed-fields/owners'
import { afterApply, afterUpdate, withoutOwners, type Conflict, type Writing } from '../managed-fields/ownership'
import type { JsonSchema } from '../schema/json-schema'
import { listErrors } from '../managed-fields/list-errors'
import { isSameJson } from './equality'
import { readMetadata } from './metadata'
import type { AnyObject, ResourceInfo } from './resource'
import { wholeSchemaOf } from './whole-schema'

export interface FieldWriter {
  /** The field manager: who writes, by its own account. */
  manager: string
  subresource?: 'status'
  /** RFC 3339, whole seconds. */
  now: string
}

/** The owners of fields after a write that is no apply, for `metadata.managedFields`. */
export function managedFieldsOf(
  info: ResourceInfo,
  old: AnyObject | undefined,
  object: AnyObject,
  writer: FieldWriter,
): ManagedFieldsEntry[] | undefined {
  const given = writer.subresource ? undefined : object.metadata.managedFields
  const owners = isReset(given) ? [] : ownersBefore(given, old?.metadata.managedFields)
  // Whoever let go of all ownership is not tracked again before the first apply.
  if (old && owners.length === 0) return undefined
  const before = old ? withoutOwners(old) : blankOf(info, object)
  return entriesOf(afterUpdate(before, withoutOwners(object), owners, writingOf(info, writer)))
}

/** Those that a client sends count, unless they are none or nonsense; mostly it sends what it has read. */
function ownersBefore(given: ManagedFieldsEntry[] | undefined, stored: ManagedFieldsEntry[] | undefined): Owner[] {
  const sent = given && !isSameJson(given, stored) ? readOwners(given) : undefined
  return sent?.length ? sent : ownersIn(stored)
}

/** What a new object is before anybody writes: the members that built-in kinds always have are nobody's. */
function blankOf(info: ResourceInfo, object: object): object {
  const always = info.isCustom ? ['metadata'] : ['metadata', 'spec', 'status']
  return Object.fromEntries(always.filter((member) => member in object).map((member) => [member, {}]))
}

function writingOf(info: ResourceInfo, { manager, subresource, now }: FieldWriter): Writing {
  return {
    manager,
    now,
    apiVersion: apiVersionOf(info.type),
    schema: wholeSchemaOf(info),
    ignoresStatus: info.hasStatus && subresource === undefined,
    ...(subresource && { subresource }),
  }
}

/** Who first owns what was written while nobody kept track. Source: managedfields/internal/skipnonapplied.go. */
const beforeFirstApply = 'before-first-apply'
/** kubectl may take over what it applied itself, on the client's side. */
const kubectl = 'kubectl'
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The object that an applied configuration makes out of the stored one, with the owners of its fields.
 * @param live `undefined` when there is none yet
 * @throws StatusError 400 for a configuration that cannot be applied, 409 when others own what it changes
 */
export function applyConfiguration(
  info: ResourceInfo,
  live: AnyObject | undefined,
  given: unknown,
  writer: FieldWriter & { isForced: boolean },
): AnyObject {
  const config = configurationOf(info, given, writer)
  const writing = writingOf(info, writer)
  const stored = live ? withoutOwners(live) : blankOf(info, config)
  let owners = ownersIn(live?.metadata.managedFields)
  if (live && owners.length === 0) {
    const everything = { ...writingOf(info, { manager: beforeFirstApply, now: writer.now }), ignoresStatus: false }
    owners = afterUpdate(blankOf(info, stored), stored, [], everything)
  }
  let result = afterApply(stored, config, owners, { ...writing, isForced: writer.isForced })
  if ('conflicts' in result) {
    const conflicts = withoutOwn(result.conflicts, live, writing)
    if (conflicts.length > 0) throw applyConflict(conflicts)
    result = afterApply(stored, config, owners, { ...writing, isForced: true })
    if ('conflicts' in result) throw applyConflict(result.conflicts)
  }
  // Made of two objects of the kind; what is wrong with it is found when it is decoded.
  const object = result.object as AnyObject
  const managedFields = entriesOf(result.owners)
  const annotations = { ...object.metadata.annotations }
  if (writer.manager === kubectl && live?.metadata.annotations?.[lastAppliedAnnotation]) {
    annotations[lastAppliedAnnotation] = `${JSON.stringify(given)}\n`
  }
  const hasAnnotations = Object.keys(annotations).length > 0
  return { ...object, metadata: { ...object.metadata, ...(hasAnnotations && { annotations }), managedFields } }
}

/** The part of a configuration that this write is about. @throws StatusError 400 */
function configurationOf(info: ResourceInfo, given: unknown, { subresource }: { subresource?: 'status' }): AnyObject {
  if (!isRecord(given)) throw badRequest('error decoding YAML: the configuration must be an object')
  const { group, version, kind } = info.type
  if (given['apiVersion'] !== apiVersionOf(info.type) || given['kind'] !== kind) {
    throw badRequest(`invalid object type: ${kindText(given['apiVersion'], given['kind'])}`)
  }
  const sent = isRecord(given['metadata']) ? given['metadata'] : {}
  if (sent['managedFields'] != null) throw badRequest('metadata.managedFields must be nil')
  const metadata = readMetadata(given['metadata'])
  const refusal = (text: string) => {
    const [namespace, name] = [sent['namespace'], sent['name']].map((value) => (typeof value === 'string' ? value : ''))
    const requestInfo = `${namespace}/${name}; ${group}/${version}, Kind=${kind}`
    return badRequest(`failed to create typed patch object (${requestInfo}): ${text}`)
  }
  if ('error' in metadata) throw refusal(`.metadata: ${metadata.error}`)
  const config: AnyObject = { ...given, metadata: metadata.metadata }
  const unknown = [...new Set([...metadata.unknown, ...info.compiled().unknownFields(given)])].sort()
  const faults = [
    ...unknown.map((path) => `.${path}: field not declared in schema`),
    ...listErrors(config, wholeSchemaOf(info)),
  ]
  if (faults.length > 0) throw refusal(faults.length > 1 ? `errors:\n  ${faults.join('\n  ')}` : faults.join(''))
  if (subresource === 'status') {
    const { uid, resourceVersion } = metadata.metadata
    const { apiVersion, kind, status } = given
    return {
      apiVersion: String(apiVersion),
      kind: String(kind),
      metadata: { name: config.metadata.name, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
      ...(status !== undefined && { status }),
    }
  }
  if (info.hasStatus) delete config['status']
  return config
}

function kindText(apiVersion: unknown, kind: unknown): string {
  const [version = '', group = ''] = String(apiVersion ?? '')
    .split('/')
    .reverse()
  return `${group}/${version}, Kind=${String(kind ?? '')}`
}

/** kubectl's conflicts with what the annotation says it applied before are none. */
function withoutOwn(conflicts: Conflict[], live: AnyObject | undefined, writing: Writing): Conflict[] {
  const annotation = live?.metadata.annotations?.[lastAppliedAnnotation]
  if (writing.manager !== kubectl || !annotation) return conflicts
  const own = lastApplied(annotation, writing.schema)
  return conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, own) }))
    .filter(({ fields }) => pathsOf(fields).length > 0)
}

function lastApplied(annotation: string, schema: JsonSchema): FieldSet {
  try {
    return fieldsOf(JSON.parse(annotation), schema)
  } catch {
    return {} // Whoever spoiled it gets the conflicts.
  }
}

/** Source: k8s.io/apimachinery, managedfields/internal/conflict.go. */
function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const named = conflicts.map(({ owner, fields }) => ({ owner: ownerText(owner), paths: firstPaths(fields) }))
  const causes = named.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  )
  const [only] = causes
  const list =
    causes.length === 1 && only
      ? `1 conflict: ${only.message}: ${only.field}`
      : `${causes.length} conflicts: ${named
          .sort((a, b) => (a.owner < b.owner ? -1 : 1))
          .map(({ owner, paths }) => [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n'))
          .join('\n')}`
  return new StatusError(409, 'Conflict', `Apply failed with ${list}`, { causes })
}

/** Far more than a person reads; the order is that of all of them. */
const firstPaths = (fields: FieldSet): string[] => pathsOf(fields).slice(0, 100)

function ownerText({ manager, operation, apiVersion, subresource }: Owner): string {
  const text = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '')
  return operation === 'Update' ? `${text} using ${apiVersion}` : text
}
