import { isSameJson } from '@slipway/kube/json'
import { ownValue, type JsonObject } from '../apiextensions/json'
import type { JsonSchema } from '../apiextensions/json-schema'
import { schemaOfKey } from '../apiextensions/old-value'
import { emptySet, nodeOf, type FieldSet } from './field-set'
import { isOwnedByMember, partsOf } from './parts'

export interface Changes {
  /** Added or changed. */
  readonly written: FieldSet
  readonly removed: FieldSet
}

/** The fields in which two objects differ. Source: structured-merge-diff, typed/compare.go. */
export function compare(before: unknown, after: unknown, schema: JsonSchema | undefined): Changes {
  const { written = emptySet, removed = emptySet } = compareValues(before, after, schema)
  return { written, removed }
}

type Differences = Partial<Changes>

const nothing: Differences = {}
const written: Differences = { written: emptySet }
const removed: Differences = { removed: emptySet }

/** Nodes of the field sets; `undefined` if nothing differs. */
function compareValues(before: unknown, after: unknown, schema: JsonSchema | undefined): Differences {
  if (before === after) return nothing
  if (isMembersOrNothing(before, schema) && isMembersOrNothing(after, schema)) {
    return compareMembers(before, after, schema)
  }
  const oldParts = partsOf(before, schema)
  const newParts = partsOf(after, schema)
  if (before !== undefined && after !== undefined) {
    if (!oldParts && !newParts) return isSameJson(before, after) ? nothing : written
    if (!oldParts || !newParts || Array.isArray(before) !== Array.isArray(after)) {
      return { ...compareValues(before, undefined, schema), ...compareValues(undefined, after, schema) }
    }
  }
  // An empty value counts as a field itself, which distinguishes it from an absent one.
  if (!oldParts?.size && !newParts?.size)
    return before === undefined ? written : after === undefined ? removed : nothing
  const differences = createDifferences()
  for (const [element, part] of oldParts ?? []) {
    differences.add(element, compareValues(part.value, newParts?.get(element)?.value, part.schema))
  }
  for (const [element, part] of newParts ?? []) {
    if (!oldParts?.has(element)) differences.add(element, compareValues(undefined, part.value, part.schema))
  }
  return differences.result(before, after)
}

/** The same without building parts: most of an object consists of nested objects. */
function compareMembers(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  schema: JsonSchema | undefined,
): Differences {
  const differences = createDifferences()
  for (const key in before) {
    differences.add(`f:${key}`, compareValues(before[key], ownValue(after, key), memberSchema(schema, key)))
  }
  for (const key in after) {
    if (ownValue(before, key) !== undefined) continue
    differences.add(`f:${key}`, compareValues(undefined, after[key], memberSchema(schema, key)))
  }
  return differences.result(before, after)
}

const isMembersOrNothing = (value: unknown, schema: JsonSchema | undefined): value is JsonObject | undefined =>
  value === undefined || isOwnedByMember(value, schema)

const memberSchema = (schema: JsonSchema | undefined, key: string) => schema && schemaOfKey(schema, key)

/** Collects the differences below a granular value. */
function createDifferences() {
  const added: Record<string, FieldSet> = {}
  const deleted: Record<string, FieldSet> = {}
  return {
    add(element: string, below: Differences) {
      if (below.written) added[element] = below.written
      if (below.removed) deleted[element] = below.removed
    },
    result: (before: unknown, after: unknown): Differences => ({
      written: nodeOf(before === undefined, added),
      removed: nodeOf(after === undefined, deleted),
    }),
  }
}
