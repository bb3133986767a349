import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../resource'
import { invalid, required } from '../field-error'
import { goJsonError } from '../apiextensions/go-json-error'
import { coreType, defineBuiltin } from './define-builtin'
import { dataCauses } from './immutable-data'

/** Keys that Secrets of a type must have. Source: ValidateSecret in pkg/apis/core/validation of Kubernetes. */
const requiredKeys: Record<string, readonly string[]> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}
/** Types whose required value is a JSON object. */
const jsonTypes: readonly string[] = ['kubernetes.io/dockercfg', 'kubernetes.io/dockerconfigjson']
const accountName = 'kubernetes.io/service-account.name'

export const secrets = defineBuiltin({
  type: coreType('Secret', 'secrets'),
  fieldsOf: ({ type }) => ({ type: String(type ?? '') }),
  bytes: ['data'],
  prepare(secret) {
    secret['type'] ??= 'Opaque'
    const { stringData } = secret
    delete secret['stringData']
    if (!isRecord(stringData) || Object.keys(stringData).length === 0) return
    const encoded = Object.entries(stringData).map(([key, text]) => [key, base64(String(text))])
    secret['data'] = { ...(isRecord(secret['data']) && secret['data']), ...Object.fromEntries(encoded) }
  },
  validate: (secret, old) => [...typeCauses(secret, old), ...dataCauses(secret, old, ['data'])],
})

function typeCauses(secret: AnyObject, old: AnyObject | undefined): StatusCause[] {
  const type = String(secret['type'])
  const causes: StatusCause[] = []
  if (old && old['type'] !== type) causes.push(invalid('type', type, 'field is immutable'))
  const data = isRecord(secret['data']) ? secret['data'] : {}
  for (const key of requiredKeys[type] ?? []) {
    const value = data[key]
    if (value === undefined || (value === '' && type === 'kubernetes.io/ssh-auth')) {
      causes.push(required(`data[${key}]`))
    } else if (jsonTypes.includes(type)) {
      const error = jsonObjectError(atob(String(value)))
      if (error) causes.push(invalid(`data[${key}]`, '<secret contents redacted>', error))
    }
  }
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    causes.push(required('data[username]'), required('data[password]'))
  }
  if (type === 'kubernetes.io/service-account-token' && !secret.metadata.annotations?.[accountName]) {
    causes.push(required(`metadata.annotations[${accountName}]`))
  }
  return causes
}

/** Why a text cannot be read as a JSON object. */
function jsonObjectError(text: string): string | undefined {
  const error = goJsonError(text)
  if (error) return error
  const value: unknown = JSON.parse(text)
  if (value === null || isRecord(value)) return undefined
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`
}

function base64(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}
