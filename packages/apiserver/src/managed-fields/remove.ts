import type { JsonSchema } from '../schema/json-schema'
import { emptySet, isMember, type FieldSet } from './field-set'
import { partsOf, type Part } from './parts'

/**
 * A value without the fields that an earlier configuration had and nobody owns any more. With a field goes what is
 * below it, such as the defaults of a list item. Source: structured-merge-diff, merge/update.go, prune.
 * @param last the fields of the earlier configuration
 * @param owned the fields of everybody, as they are now
 * @returns `undefined` when nothing is left
 */
export function withoutDropped(
  value: unknown,
  schema: JsonSchema | undefined,
  last: FieldSet,
  owned: FieldSet,
): unknown {
  const parts = partsOf(value, schema)
  if (!parts) return value
  const kept: [string, unknown][] = []
  for (const [element, part] of parts) {
    const before = last[element]
    const now = owned[element]
    if (holds(before, part) && !holds(now, part)) continue
    const rest = before ? withoutDropped(part.value, part.schema, before, now ?? emptySet) : part.value
    if (rest !== undefined) kept.push([element, rest])
    // Its parts went, but somebody owns the whole.
    else if (isMember(now)) kept.push([element, Array.isArray(part.value) ? [] : {}])
  }
  if (kept.length === 0 && parts.size > 0) return undefined
  return Array.isArray(value)
    ? kept.map(([, item]) => item)
    : Object.fromEntries(kept.map(([element, item]) => [element.slice('f:'.length), item]))
}

/** A member that the schema names is held by whoever holds something below it. */
const holds = (node: FieldSet | undefined, part: Part): boolean =>
  node !== undefined && (part.isNamed || isMember(node))
