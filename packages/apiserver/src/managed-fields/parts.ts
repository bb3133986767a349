import { isObject, ownValue, type JsonObject } from '../schema/json'
import type { JsonSchema } from '../schema/json-schema'
import { listKeyOf } from '../schema/old-value'
import { keyElement, valueElement } from './field-set'

/** One part of a value that is owned piece by piece. */
export interface Part {
  readonly value: unknown
  readonly schema: JsonSchema | undefined
  /** A member that the schema names, unlike an entry of a map and an item of a list. */
  readonly isNamed: boolean
}

/**
 * The parts of a value by their path elements; `undefined` for what is owned as a whole: texts, numbers, atomic maps
 * and atomic lists. What no schema describes is owned member by member, its lists as a whole.
 */
export function partsOf(value: unknown, schema: JsonSchema | undefined): Map<string, Part> | undefined {
  if (Array.isArray(value)) return itemsOf(value, schema)
  if (!isOwnedByMember(value, schema)) return undefined
  const parts = new Map<string, Part>()
  for (const key of Object.keys(value)) {
    const item = value[key]
    if (item === undefined) continue
    const named = ownValue(schema?.properties, key)
    const known = named ?? schema?.additionalProperties
    parts.set(`f:${key}`, {
      value: item,
      schema: typeof known === 'object' ? known : undefined,
      isNamed: named !== undefined,
    })
  }
  return parts
}

/** Is the value an object, and each of its members somebody's for itself? */
export const isOwnedByMember = (value: unknown, schema: JsonSchema | undefined): value is JsonObject =>
  isObject(value) && schema?.['x-kubernetes-map-type'] !== 'atomic'

/** A list whose items cannot be told apart is owned as a whole. */
function itemsOf(list: readonly unknown[], schema: JsonSchema | undefined): Map<string, Part> | undefined {
  const identify = identityOf(schema)
  if (!identify) return undefined
  const parts = new Map<string, Part>()
  for (const value of list) {
    const element = identify(value)
    if (element === undefined || parts.has(element)) return undefined
    parts.set(element, { value, schema: schema?.items, isNamed: false })
  }
  return parts
}

/** How items of a list are told apart; `undefined` for atomic lists, which lists are unless something else is said. */
export function identityOf(schema: JsonSchema | undefined): Identify | undefined {
  if (!schema) return undefined
  let identify = identities.get(schema)
  if (identify === undefined) identities.set(schema, (identify = identityBy(schema) ?? null))
  return identify ?? undefined
}

type Identify = (item: unknown) => string | undefined

const identities = new WeakMap<JsonSchema, Identify | null>()

function identityBy(schema: JsonSchema): Identify | undefined {
  const listType = schema['x-kubernetes-list-type']
  if (listType === 'set') return valueElement
  if (listType === 'map') return (item) => keyed(listKeyOf(schema, item))
  // Built-in kinds say it in the older way.
  if (listType || !schema['x-kubernetes-patch-strategy']?.split(',').includes('merge')) return undefined
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  if (!mergeKey) return valueElement
  const keys = schema['x-kubernetes-list-map-keys'] ?? [mergeKey]
  const keyedList: JsonSchema = { ...schema, 'x-kubernetes-list-map-keys': keys }
  return (item) => keyed(listKeyOf(keyedList, item))
}

const keyed = (keys: Record<string, unknown>) => (Object.keys(keys).length > 0 ? keyElement(keys) : undefined)
