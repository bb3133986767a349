import type { JsonSchema } from '../apiextensions/json-schema'
import { emptySet, isMember, type FieldSet } from './field-set'
import { partsOf, type Part } from './parts'

/**
 * Removes the fields of an earlier configuration that no longer have an owner, including everything below them, such as
 * the defaults of a list item. Source: structured-merge-diff, merge/update.go, prune.
 * @param last the fields of the earlier configuration
 * @param owned the current fields of all owners
 * @returns `undefined` if nothing is left
 */
export function removeDropped(
  value: unknown,
  schema: JsonSchema | undefined,
  last: FieldSet,
  owned: FieldSet,
): unknown {
  const parts = partsOf(value, schema)
  if (!parts) return value
  const remaining: [string, unknown][] = []
  for (const [element, part] of parts) {
    const before = last[element]
    const now = owned[element]
    if (owns(before, part) && !owns(now, part)) continue
    const rest = before ? removeDropped(part.value, part.schema, before, now ?? emptySet) : part.value
    if (rest !== undefined) remaining.push([element, rest])
    // All parts were removed, but the value itself has an owner.
    else if (isMember(now)) remaining.push([element, Array.isArray(part.value) ? [] : {}])
  }
  if (remaining.length === 0 && parts.size > 0) return undefined
  return Array.isArray(value)
    ? remaining.map(([, item]) => item)
    : Object.fromEntries(remaining.map(([element, item]) => [element.slice('f:'.length), item]))
}

/** Owning something below a named property implies owning the property. */
const owns = (node: FieldSet | undefined, part: Part): boolean => node !== undefined && (part.isNamed || isMember(node))
