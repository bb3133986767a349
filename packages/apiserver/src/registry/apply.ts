import { isSameJson } from '@slipway/kube/json'
import { isRecord, type ManagedFieldsEntry } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { badRequest, StatusError } from '../errors'
import { difference, pathsOf, type FieldSet } from '../managed-fields/field-set'
import { fieldsOf } from '../managed-fields/fields-of'
import { entriesOf, isReset, ownersIn, readOwners, type Owner } from '../managed-fields/owners'
import { afterApply, afterUpdate, withoutOwners, type Conflict, type Writing } from '../managed-fields/ownership'
import type { JsonSchema } from '../apiextensions/json-schema'
import { listErrors } from '../managed-fields/list-errors'
import { readMetadata } from './metadata'
import type { AnyObject, ResourceInfo } from '../resource'
import type { WriteSubresource } from './merge-update'
import { fullSchemaOf } from './full-schema'

export interface FieldWriter {
  /** The field manager, as the client names itself. */
  manager: string
  subresource?: WriteSubresource
  /** RFC 3339 with whole seconds. */
  now: string
}

/** `metadata.managedFields` after a write other than an apply. */
export function managedFieldsOf(
  resource: ResourceInfo,
  old: AnyObject | undefined,
  object: AnyObject,
  writer: FieldWriter,
): ManagedFieldsEntry[] | undefined {
  const given = writer.subresource ? undefined : object.metadata.managedFields
  const owners = isReset(given) ? [] : ownersBefore(given, old?.metadata.managedFields)
  // Once all ownership has been given up, it is not tracked again until the first apply.
  if (old && owners.length === 0) return undefined
  const before = old ? withoutOwners(old) : blankOf(resource, object)
  return entriesOf(afterUpdate(before, withoutOwners(object), owners, writingOf(resource, writer)))
}

/** Owners that a client sends take precedence unless empty or invalid; usually it sends those that it read. */
function ownersBefore(given: ManagedFieldsEntry[] | undefined, stored: ManagedFieldsEntry[] | undefined): Owner[] {
  const sent = given && !isSameJson(given, stored) ? readOwners(given) : undefined
  return sent?.length ? sent : ownersIn(stored)
}

/** A new object before any write: no manager owns the members that every object of a built-in kind has. */
function blankOf(resource: ResourceInfo, object: object): object {
  const unownedMembers = resource.isCustom ? ['metadata'] : ['metadata', 'spec', 'status']
  return Object.fromEntries(unownedMembers.filter((member) => member in object).map((member) => [member, {}]))
}

function writingOf(resource: ResourceInfo, { manager, subresource, now }: FieldWriter): Writing {
  return {
    manager,
    now,
    apiVersion: apiVersionOf(resource.type),
    schema: fullSchemaOf(resource),
    ignoresStatus: resource.hasStatus && subresource === undefined,
    ...(subresource && { subresource }),
  }
}

/** Owns the fields that were written before ownership was tracked. Source: managedfields/internal/skipnonapplied.go. */
const beforeFirstApply = 'before-first-apply'
/** kubectl may take over fields that it applied client-side. */
const kubectl = 'kubectl'
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Applies a configuration to the stored object. The result has updated managedFields.
 * @param live `undefined` if the object does not exist yet
 * @throws StatusError 400 for an invalid configuration, 409 if it changes fields of other managers
 */
export function applyConfiguration(
  resource: ResourceInfo,
  live: AnyObject | undefined,
  given: unknown,
  writer: FieldWriter & { isForced: boolean },
): AnyObject {
  const config = configurationOf(resource, given, writer)
  const writing = writingOf(resource, writer)
  const stored = live ? withoutOwners(live) : blankOf(resource, config)
  let owners = ownersIn(live?.metadata.managedFields)
  if (live && owners.length === 0) {
    const everything = { ...writingOf(resource, { manager: beforeFirstApply, now: writer.now }), ignoresStatus: false }
    owners = afterUpdate(blankOf(resource, stored), stored, [], everything)
  }
  let result = afterApply(stored, config, owners, { ...writing, isForced: writer.isForced })
  if ('conflicts' in result) {
    const conflicts = withoutKubectlConflicts(result.conflicts, live, writing)
    if (conflicts.length > 0) throw applyConflict(conflicts)
    result = afterApply(stored, config, owners, { ...writing, isForced: true })
    if ('conflicts' in result) throw applyConflict(result.conflicts)
  }
  // Merged from two objects of the kind; decoding it later reveals errors.
  const object = result.object as AnyObject
  const managedFields = entriesOf(result.owners)
  const annotations = { ...object.metadata.annotations }
  if (writer.manager === kubectl && live?.metadata.annotations?.[lastAppliedAnnotation]) {
    annotations[lastAppliedAnnotation] = `${JSON.stringify(given)}\n`
  }
  const hasAnnotations = Object.keys(annotations).length > 0
  return { ...object, metadata: { ...object.metadata, ...(hasAnnotations && { annotations }), managedFields } }
}

/** The part of a configuration that this write concerns. @throws StatusError 400 */
function configurationOf(
  resource: ResourceInfo,
  given: unknown,
  { subresource }: Pick<FieldWriter, 'subresource'>,
): AnyObject {
  if (!isRecord(given)) throw badRequest('error decoding YAML: the configuration must be an object')
  const { group, version, kind } = resource.type
  if (given['apiVersion'] !== apiVersionOf(resource.type) || given['kind'] !== kind) {
    throw badRequest(`invalid object type: ${kindText(given['apiVersion'], given['kind'])}`)
  }
  const sent = isRecord(given['metadata']) ? given['metadata'] : {}
  if (sent['managedFields'] != null) throw badRequest('metadata.managedFields must be nil')
  const metadata = readMetadata(given['metadata'])
  const invalidConfiguration = (text: string) => {
    const [namespace, name] = [sent['namespace'], sent['name']].map((value) => (typeof value === 'string' ? value : ''))
    const requestInfo = `${namespace}/${name}; ${group}/${version}, Kind=${kind}`
    return badRequest(`failed to create typed patch object (${requestInfo}): ${text}`)
  }
  if ('error' in metadata) throw invalidConfiguration(`.metadata: ${metadata.error}`)
  const config: AnyObject = { ...given, metadata: metadata.metadata }
  const unknown = [...new Set([...metadata.unknown, ...resource.compiled().unknownFields(given)])].sort()
  const errors = [
    ...unknown.map((path) => `.${path}: field not declared in schema`),
    ...listErrors(config, fullSchemaOf(resource)),
  ]
  if (errors.length > 0) {
    throw invalidConfiguration(errors.length > 1 ? `errors:\n  ${errors.join('\n  ')}` : errors.join(''))
  }
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
  if (resource.hasStatus) delete config['status']
  return config
}

function kindText(apiVersion: unknown, kind: unknown): string {
  const [version = '', group = ''] = String(apiVersion ?? '')
    .split('/')
    .reverse()
  return `${group}/${version}, Kind=${String(kind ?? '')}`
}

/** Drops conflicts of kubectl over fields that it applied before, according to its annotation. */
function withoutKubectlConflicts(conflicts: Conflict[], live: AnyObject | undefined, writing: Writing): Conflict[] {
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
    return {} // With an invalid annotation, the conflicts stand.
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

/** The first paths, far more than a person reads. */
const firstPaths = (fields: FieldSet): string[] => pathsOf(fields).slice(0, 100)

function ownerText({ manager, operation, apiVersion, subresource }: Owner): string {
  const text = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '')
  return operation === 'Update' ? `${text} using ${apiVersion}` : text
}
