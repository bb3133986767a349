import { labelErrors, labelValueErrors, qualifiedNameErrors, subdomainErrors } from '@slipway/kube/label-syntax'
import { isRecord, type ObjectMeta } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { badRequest } from '../errors'
import { TextCollector } from '../body-limits.js'
import { forbidden, invalid, required, tooLong } from '../field-error'
import type { AnyObject, ResourceInfo } from '../resource'
import { addAll } from '../apiextensions/json'
import { utf8Length } from '../utf8-length'

/** Validation of the metadata of every kind. Source: k8s.io/apimachinery, api/validation/objectmeta.go. */

const maxAnnotationsBytes = 256 * 1024

/**
 * Reads the metadata that a client sent. A member of the wrong type is an error; unknown members (the first of very
 * many) are returned separately.
 */
export function readMetadata(value: unknown): { metadata: ObjectMeta; unknown: string[] } | { error: string } {
  if (value === undefined || value === null) return { metadata: {}, unknown: [] }
  if (!isRecord(value)) return { error: `cannot unmarshal ${goType(value)} into ObjectMeta` }
  const metadata: Record<string, unknown> = {}
  const unknown = new TextCollector()
  for (const [member, given] of Object.entries(value)) {
    // `selfLink` is known but no longer served.
    if (given === null || given === undefined || member === 'selfLink') continue
    const check = Object.hasOwn(members, member) ? members[member] : undefined
    if (!check) unknown.add(() => `metadata.${member}`)
    else if (!check(given)) return { error: `json: cannot unmarshal ${goType(given)} into field metadata.${member}` }
    else if (!isEmpty(given) || member === 'managedFields') metadata[member] = given
  }
  return { metadata, unknown: unknown.texts }
}

/** @throws StatusError 400 unless the name of the object is the one in the URL */
export function checkName({ name }: ObjectMeta, nameInUrl: string): void {
  if (name === nameInUrl) return
  throw badRequest(
    name === undefined
      ? `the name of the object (${nameInUrl} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${name}) does not match the name on the URL (${nameInUrl})`,
  )
}

/** @throws StatusError 400 if the object names another namespace */
export function setNamespace(namespace: string | undefined, { metadata }: AnyObject) {
  if (metadata.namespace && metadata.namespace !== namespace) {
    if (namespace !== undefined) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
    }
    throw badRequest('namespace is not allowed on this type')
  }
  if (namespace === undefined) delete metadata.namespace
  else metadata.namespace = namespace
}

const goType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

/** Empty lists and maps are omitted, as in the real server, except managedFields, where an empty list resets them. */
const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isTextMap = (value: unknown) => isRecord(value) && Object.values(value).every(isText)
const isRecords = (value: unknown) => Array.isArray(value) && value.every(isRecord)

const members: Record<string, (value: unknown) => boolean> = {
  name: isText,
  generateName: isText,
  namespace: isText,
  uid: isText,
  resourceVersion: isText,
  generation: isNumber,
  creationTimestamp: isText,
  deletionTimestamp: isText,
  deletionGracePeriodSeconds: isNumber,
  labels: isTextMap,
  annotations: isTextMap,
  ownerReferences: isRecords,
  finalizers: isTexts,
  managedFields: isRecords,
}

export function metadataCauses(resource: ResourceInfo, { metadata }: AnyObject, old?: AnyObject): StatusCause[] {
  const causes = old ? [] : nameCauses(resource, metadata)
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    addAll(causes, keyCauses('metadata.labels', key))
    addAll(
      causes,
      labelValueErrors(value).map((detail) => invalid('metadata.labels', value, detail)),
    )
  }
  let annotationBytes = 0
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    annotationBytes += utf8Length(key) + utf8Length(value)
    addAll(causes, keyCauses('metadata.annotations', key, key.toLowerCase()))
  }
  if (annotationBytes > maxAnnotationsBytes) causes.push(tooLong('metadata.annotations', maxAnnotationsBytes))
  return [...causes, ...ownerCauses(metadata), ...finalizerCauses(resource, metadata, old)]
}

function nameCauses({ nameFormat }: ResourceInfo, { name, generateName }: ObjectMeta): StatusCause[] {
  // The character after a final dash of the prefix is not known yet.
  const prefix = generateName?.replace(/.-$/, 'a')
  const prefixErrors = prefix ? nameErrors(nameFormat, prefix) : []
  const causes = prefixErrors.map((detail) => invalid('metadata.generateName', generateName, detail))
  if (!name) return [...causes, required('metadata.name', 'name or generateName is required')]
  return [...causes, ...nameErrors(nameFormat, name).map((detail) => invalid('metadata.name', name, detail))]
}

function nameErrors(nameFormat: ResourceInfo['nameFormat'], name: string): string[] {
  if (nameFormat === 'path') {
    if (name === '.' || name === '..') return [`may not be '${name}'`]
    return ['/', '%']
      .filter((character) => name.includes(character))
      .map((character) => `may not contain '${character}'`)
  }
  return nameFormat === 'label' ? labelErrors(name) : subdomainErrors(name)
}

/** @param checked the key to validate, if the rules are laxer than those of a label */
const keyCauses = (field: string, key: string, checked = key): StatusCause[] =>
  qualifiedNameErrors(checked).map((detail) => invalid(field, key, detail))

/** Checks fields that an update must not change. Fields that it omits keep their values. */
export function immutableFieldCauses(given: ObjectMeta, old: ObjectMeta): StatusCause[] {
  const causes: StatusCause[] = []
  const check = (member: 'deletionTimestamp' | 'deletionGracePeriodSeconds') => {
    if (given[member] === undefined || isSameMoment(given[member], old[member])) return
    causes.push(invalid(`metadata.${member}`, given[member], 'field is immutable'))
  }
  // Once set, the value in an update is ignored.
  if (!old.deletionTimestamp) check('deletionTimestamp')
  check('deletionGracePeriodSeconds')
  return causes
}

/** The same time can have several spellings. */
const isSameMoment = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' && Date.parse(a) === Date.parse(b))

const versionOf = (apiVersion: string | undefined) => apiVersion?.split('/').at(-1)

function ownerCauses({ ownerReferences = [] }: ObjectMeta): StatusCause[] {
  const causes: StatusCause[] = []
  const field = 'metadata.ownerReferences'
  for (const { apiVersion, kind, name, uid } of ownerReferences) {
    if (!versionOf(apiVersion)) {
      causes.push(invalid(`${field}.apiVersion`, apiVersion ?? '', 'version must not be empty'))
    }
    for (const [member, value] of Object.entries({ kind, name, uid })) {
      if (!value) causes.push(invalid(`${field}.${member}`, '', 'must not be empty'))
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      causes.push(invalid(field, { apiVersion, kind, name, uid }, '/v1, Kind=Event is disallowed from being an owner'))
    }
  }
  const [first, other] = ownerReferences.filter((owner) => owner.controller)
  // Reported once: each cause would name all references.
  if (first && other) {
    const names = `${first.kind}/${first.name} and ${other.kind}/${other.name}`
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${names}`
    causes.push(invalid(field, ownerReferences, detail))
  }
  return causes
}

/** Warns of names that other writers may also use. Source: apiextensions-apiserver, customresource/strategy.go. */
export function finalizerWarnings({ isCustom }: ResourceInfo, { metadata }: AnyObject, old?: AnyObject): string[] {
  if (!isCustom || !metadata.finalizers) return []
  const known = new Set(old?.metadata.finalizers)
  return [...new Set(metadata.finalizers.filter((name) => !name.includes('/') && !known.has(name)))]
    .sort()
    .filter((name) => !standardFinalizers.includes(name))
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name ` +
        `${name.includes('.') ? 'including a path (/) ' : ''}to avoid accidental conflicts with other finalizer writers`,
    )
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

function finalizerCauses(
  { type }: ResourceInfo,
  { finalizers = [], deletionTimestamp }: ObjectMeta,
  old: AnyObject | undefined,
): StatusCause[] {
  const causes = finalizers.flatMap((finalizer) => keyCauses('metadata.finalizers', finalizer))
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set'
    causes.push(invalid('metadata.finalizers', finalizers, detail))
  }
  finalizers.forEach((finalizer, index) => {
    // Only the core group requires this.
    if (type.group !== '' || finalizer.includes('/') || standardFinalizers.includes(finalizer)) return
    const detail = 'name is neither a standard finalizer name nor is it fully qualified'
    causes.push(invalid(`metadata.finalizers[${index}]`, finalizer, detail))
  })
  if (!old || !deletionTimestamp) return causes
  const known = new Set(old.metadata.finalizers)
  const added = finalizers.filter((finalizer) => !known.has(finalizer)).sort()
  if (added.length > 0) {
    const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ')
    const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
    causes.push(forbidden('metadata.finalizers', detail))
  }
  return causes
}
