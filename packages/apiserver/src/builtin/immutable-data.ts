import { isSameJson } from '@slipway/kube/json'
import type { StatusCause } from '@slipway/kube/status'
import { utf8Length } from '../utf8-length'
import type { AnyObject } from '../resource'
import { forbidden, invalid, tooLong, wholeObject } from '../field-error'

/** Number of bytes encoded in a base64 text. */
const decodedLength = (text: string): number => Math.floor((text.replace(/[=\s]/g, '').length * 3) / 4)

const keyPattern = /^[-._a-zA-Z0-9]+$/
const maxKeyLength = 253
const maxDataBytes = 1024 * 1024

/** Source: IsConfigMapKey in k8s.io/apimachinery, util/validation. */
function keyError(key: string): string | undefined {
  if (key.length > maxKeyLength) return `must be no more than ${maxKeyLength} characters`
  if (!keyPattern.test(key)) {
    return "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
  }
  if (key === '.' || key === '..') return `must not be '${key}'`
  return key.startsWith('..') ? "must not start with '..'" : undefined
}

/** Validation shared by ConfigMaps and Secrets. Source: pkg/apis/core/validation of Kubernetes. */
export function dataCauses(object: AnyObject, old: AnyObject | undefined, members: readonly string[]): StatusCause[] {
  const causes: StatusCause[] = []
  let totalBytes = 0
  const isText = (member: string) => member === 'data' && members.length > 1
  for (const member of members) {
    for (const [key, value] of Object.entries(object[member] ?? {})) {
      const error = keyError(key)
      if (error) causes.push(invalid(`${member}[${key}]`, key, error))
      totalBytes += isText(member) ? utf8Length(String(value)) : decodedLength(String(value))
    }
  }
  if (totalBytes > maxDataBytes)
    causes.push(tooLong(members.length > 1 ? wholeObject : (members[0] ?? ''), maxDataBytes))
  if (old?.['immutable'] === true) {
    const detail = 'field is immutable when `immutable` is set'
    if (object['immutable'] !== true) causes.push(forbidden('immutable', detail))
    for (const member of members) {
      if (!isSameJson(object[member] ?? {}, old[member] ?? {})) causes.push(forbidden(member, detail))
    }
  }
  return causes
}
