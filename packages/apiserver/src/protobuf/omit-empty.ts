import { isObject, type JsonObject } from '../schema/json'
import type { Message, Type } from './message'
import { objectMeta } from './messages/meta'

/**
 * Removes what Go leaves out when it writes the kind: null, and texts, numbers, lists and maps that are empty where empty
 * means "not set". A null among the texts of a map is an empty one. Metadata stay as they are, since an empty list says something in them, and so do values of another type
 * than the message has, which are for validation to refuse. In place.
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
  if (type.is === 'message' && type.message !== objectMeta && isObject(value)) omitEmpty(type.message, value)
  if (type.is === 'list' && Array.isArray(value)) for (const item of value) omitInside(type.of, item)
  if (type.is === 'map' && isObject(value)) {
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
      return isObject(value) && Object.keys(value).length === 0
    default:
      return false
  }
}
