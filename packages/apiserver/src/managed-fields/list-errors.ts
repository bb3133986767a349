import { isRecord } from '@slipway/kube/object'
import { ownValue } from '../apiextensions/json'
import type { JsonSchema } from '../apiextensions/json-schema'
import { pathsOf } from './field-set'
import { identityOf } from './parts'

/**
 * Errors for list items without a unique identity, worded as in structured-merge-diff: no manager could own them.
 */
export function listErrors(value: unknown, schema: JsonSchema | undefined, path = ''): string[] {
  if (!schema) return []
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      const known = ownValue(schema.properties, key) ?? schema.additionalProperties
      return typeof known === 'object' ? listErrors(item, known, `${path}.${key}`) : []
    })
  }
  if (!Array.isArray(value)) return []
  const identify = identityOf(schema)
  if (!identify) return []
  const seen = new Set<string>()
  return value.flatMap((item: unknown, index) => {
    const element = identify(item)
    const keys = schema['x-kubernetes-list-map-keys'] ?? [schema['x-kubernetes-patch-merge-key'] ?? '']
    if (element === undefined) {
      const names = keys.map((key) => JSON.stringify(key)).join(' ')
      const lack =
        keys.length > 1
          ? `all key fields [${names}] (and doesn't have default values for any key fields)`
          : `key field ${names} (and doesn't have default value)`
      return [`${path}: element ${index}: associative list with keys has an element that omits ${lack}`]
    }
    const at = pathsOf({ [element]: {} }).join('')
    if (seen.has(element)) return [`${path}: duplicate entries for key ${at}`]
    seen.add(element)
    return listErrors(item, schema.items, path + at)
  })
}
