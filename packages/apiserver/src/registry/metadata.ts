import type { ObjectMeta } from '@slipway/kube/object'
import { isLabelKey, isLabelValue } from '@slipway/kube/selector'
import type { StatusCause } from '@slipway/kube/status'
import { isRecord } from '../http/body'
import { forbidden, invalid, required, tooLong } from '../schema/field-error'
import type { AnyObject, ResourceInfo } from './resource'

/** Rules of the metadata of every kind. Source: k8s.io/apimachinery, api/validation/objectmeta.go. */

const labelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const maxAnnotationsBytes = 256 * 1024

const words = {
  label:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  subdomain:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  labelKey:
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  labelValue:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
}

/**
 * Metadata as the API has it, from whatever a client sent: members of another type than they must be are an error
 * text, unknown members are named apart.
 */
export function readMetadata(value: unknown): { metadata: ObjectMeta; unknown: string[] } | { error: string } {
  if (value === undefined || value === null) return { metadata: {}, unknown: [] }
  if (!isRecord(value)) return { error: `cannot unmarshal ${goType(value)} into ObjectMeta` }
  const metadata: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [member, given] of Object.entries(value)) {
    if (given === null || given === undefined) continue
    const check = members[member]
    if (!check) unknown.push(`metadata.${member}`)
    else if (!check(given)) return { error: `json: cannot unmarshal ${goType(given)} into field metadata.${member}` }
    else metadata[member] = given
  }
  return { metadata, unknown }
}

const goType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isTextMap = (value: unknown) => isRecord(value) && Object.values(value).every(isText)
const isRecords = (value: unknown) => Array.isArray(value) && value.every(isRecord)

const members: Record<string, (value: unknown) => boolean> = {
  name: isText,
  generateName: isText,
  namespace: isText,
  selfLink: isText,
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

export function metadataCauses(info: ResourceInfo, { metadata }: AnyObject, old?: AnyObject): StatusCause[] {
  const causes = old ? [] : nameCauses(info, metadata)
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (!isLabelKey(key)) causes.push(invalid('metadata.labels', key, words.labelKey))
    else if (value.length > 63) causes.push(invalid('metadata.labels', value, 'must be no more than 63 characters'))
    else if (!isLabelValue(value)) causes.push(invalid('metadata.labels', value, words.labelValue))
  }
  let annotationBytes = 0
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    annotationBytes += key.length + value.length
    if (!isLabelKey(key.toLowerCase())) causes.push(invalid('metadata.annotations', key, words.labelKey))
  }
  if (annotationBytes > maxAnnotationsBytes) causes.push(tooLong('metadata.annotations', maxAnnotationsBytes))
  causes.push(...ownerCauses(metadata), ...finalizerCauses(metadata, old))
  return causes
}

function nameCauses({ nameFormat }: ResourceInfo, { name, generateName }: ObjectMeta): StatusCause[] {
  if (!name) return [required('metadata.name', generateName ? '' : 'name or generateName is required')]
  if (nameFormat === 'path') {
    if (name === '.' || name === '..') return [invalid('metadata.name', name, `may not be '${name}'`)]
    const bad = ['/', '%'].filter((character) => name.includes(character))
    return bad.map((character) => invalid('metadata.name', name, `may not contain '${character}'`))
  }
  const causes: StatusCause[] = []
  const limit = nameFormat === 'label' ? 63 : 253
  const pattern = nameFormat === 'label' ? labelPattern : subdomainPattern
  if (name.length > limit) causes.push(invalid('metadata.name', name, `must be no more than ${limit} characters`))
  if (!pattern.test(name)) causes.push(invalid('metadata.name', name, words[nameFormat]))
  return causes
}

function ownerCauses({ ownerReferences = [] }: ObjectMeta): StatusCause[] {
  const causes: StatusCause[] = []
  ownerReferences.forEach((owner, index) => {
    for (const member of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (!owner[member]) {
        causes.push(invalid(`metadata.ownerReferences[${index}].${member}`, '', `${member} must not be empty`))
      }
    }
  })
  if (ownerReferences.filter((owner) => owner.controller).length > 1) {
    const detail = 'Only one reference can have Controller set to true.'
    causes.push(invalid('metadata.ownerReferences', ownerReferences, detail))
  }
  return causes
}

function finalizerCauses({ finalizers = [], deletionTimestamp }: ObjectMeta, old: AnyObject | undefined) {
  const causes = finalizers
    .filter((finalizer) => !isLabelKey(finalizer))
    .map((finalizer) => invalid('metadata.finalizers', finalizer, words.labelKey))
  if (!old || !deletionTimestamp) return causes
  const added = finalizers.filter((finalizer) => !old.metadata.finalizers?.includes(finalizer))
  if (added.length > 0) {
    const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ')
    const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
    causes.push(forbidden('metadata.finalizers', detail))
  }
  return causes
}
