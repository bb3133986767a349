import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../registry/resource'
import { invalid, required } from '../schema/field-error'
import { coreType, defineBuiltin } from './define-builtin'
import { dataCauses } from './immutable-data'

/** Required keys by type of Secret. */
const requiredKeys: Record<string, readonly string[]> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}

export const secrets = defineBuiltin({
  type: coreType('Secret', 'secrets'),
  fieldsOf: ({ type }) => ({ type: String(type ?? '') }),
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
  for (const key of requiredKeys[type] ?? []) if (data[key] === undefined) causes.push(required(`data[${key}]`))
  if (type === 'kubernetes.io/dockerconfigjson' && data['.dockerconfigjson'] !== undefined) {
    if (!isJson(data['.dockerconfigjson'])) {
      causes.push(invalid('data[.dockerconfigjson]', '<secret contents redacted>', 'unexpected end of JSON input'))
    }
  }
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    causes.push(required('data[username]'), required('data[password]'))
  }
  return causes
}

function isJson(encoded: unknown): boolean {
  try {
    JSON.parse(atob(String(encoded)))
    return true
  } catch {
    return false
  }
}

function base64(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}
