import { isRecord } from '@slipway/kube/object'
import type { JsonObject } from '../apiextensions/json'
import type { Message, Type } from './message'
import { messageNamed } from './messages'

/**
 * Removes, in place, what Go omits when it encodes the kind: null, and strings, numbers, lists and maps that are empty
 * where empty means "not set". A null in a map of strings becomes an empty string. Metadata is unchanged, since empty
 * lists are significant there; so are values of the wrong type, which validation reports.
 */
export function omitEmpty(message: Message, object: JsonObject): void {
  for (const field of Object.values(message)) {
    if ('inline' in field) {
      omitEmpty(field.inline, object)
      continue
    }
    const [name, type] = field
    if (object[name] === undefined) continue
    omitInside(type, object[name])
    if (object[name] === null || isEmpty(type, object[name])) delete object[name]
  }
}

function omitInside(type: Type, value: unknown): void {
  if (type.is === 'message' && type.message !== messageNamed('meta/v1.ObjectMeta') && isRecord(value))
    omitEmpty(type.message, value)
  if (type.is === 'list' && Array.isArray(value)) for (const item of value) omitInside(type.of, item)
  if (type.is === 'map' && isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (item === null && type.of.is === 'string') value[key] = ''
      omitInside(type.of, item)
    }
  }
}

function isEmpty(type: Type, value: unknown): boolean {
  switch (type.is) {
    case 'string':
    case 'int':
    case 'bool':
      return !type.keepsZero && (value === '' || value === 0 || value === false)
    case 'list':
      return !type.keepsEmpty && Array.isArray(value) && value.length === 0
    case 'map':
      return isRecord(value) && Object.keys(value).length === 0
    default:
      return false
  }
}
