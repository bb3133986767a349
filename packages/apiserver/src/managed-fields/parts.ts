import { isRecord } from '@slipway/kube/object'
import { ownValue, type JsonObject } from '../apiextensions/json'
import type { JsonSchema } from '../apiextensions/json-schema'
import { listKeyOf } from '../apiextensions/old-value'
import { keyElement, valueElement } from './field-set'

/** One part of a granular value, whose parts have separate owners. */
export interface Part {
  readonly value: unknown
  readonly schema: JsonSchema | undefined
  /** True for a property in the schema, unlike a map entry or a list item. */
  readonly isNamed: boolean
}

/**
 * The parts of a value by path element; `undefined` for values that are owned as a whole: scalars, atomic maps and
 * atomic lists. Without a schema, objects are granular and lists are atomic.
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

/** True for an object whose members have separate owners. */
export const isOwnedByMember = (value: unknown, schema: JsonSchema | undefined): value is JsonObject =>
  isRecord(value) && schema?.['x-kubernetes-map-type'] !== 'atomic'

/** The parts of a list; `undefined` if its items have no unique identity. */
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

/** A function that identifies list items; `undefined` for atomic lists, the default. */
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
  // Built-in kinds use the older patch strategy markers.
  if (listType || !schema['x-kubernetes-patch-strategy']?.split(',').includes('merge')) return undefined
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  if (!mergeKey) return valueElement
  const keys = schema['x-kubernetes-list-map-keys'] ?? [mergeKey]
  const keyedList: JsonSchema = { ...schema, 'x-kubernetes-list-map-keys': keys }
  return (item) => keyed(listKeyOf(keyedList, item))
}

const keyed = (keys: Record<string, unknown>) => (Object.keys(keys).length > 0 ? keyElement(keys) : undefined)
