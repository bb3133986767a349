import { isSameJson } from '../registry/equality'
import { ownValue, type JsonObject } from '../schema/json'
import type { JsonSchema } from '../schema/json-schema'
import { schemaOfKey } from '../schema/old-value'
import { emptySet, nodeOf, type FieldSet } from './field-set'
import { isOwnedByMember, partsOf } from './parts'

export interface Changes {
  /** Added or given another value. */
  readonly written: FieldSet
  readonly removed: FieldSet
}

/** The fields in which two objects differ. Source: structured-merge-diff, typed/compare.go. */
export function compare(before: unknown, after: unknown, schema: JsonSchema | undefined): Changes {
  const { written = emptySet, removed = emptySet } = found(before, after, schema)
  return { written, removed }
}

type Found = Partial<Changes>

const nothing: Found = {}
const written: Found = { written: emptySet }
const removed: Found = { removed: emptySet }

/** Nodes of the tree; `undefined` where nothing differs. */
function found(before: unknown, after: unknown, schema: JsonSchema | undefined): Found {
  if (before === after) return nothing
  if (isMembersOrNothing(before, schema) && isMembersOrNothing(after, schema)) {
    return foundInMembers(before, after, schema)
  }
  const was = partsOf(before, schema)
  const is = partsOf(after, schema)
  if (before !== undefined && after !== undefined) {
    if (!was && !is) return isSameJson(before, after) ? nothing : written
    if (!was || !is || Array.isArray(before) !== Array.isArray(after)) {
      return { ...found(before, undefined, schema), ...found(undefined, after, schema) }
    }
  }
  // What is empty counts as a field of its own, so that it can be told from what is not there.
  if (!was?.size && !is?.size) return before === undefined ? written : after === undefined ? removed : nothing
  const differences = createDifferences()
  for (const [element, part] of was ?? []) {
    differences.add(element, found(part.value, is?.get(element)?.value, part.schema))
  }
  for (const [element, part] of is ?? []) {
    if (!was?.has(element)) differences.add(element, found(undefined, part.value, part.schema))
  }
  return differences.found(before, after)
}

/** The same, without making parts of the members: most of an object, and of a change to it, is objects in objects. */
function foundInMembers(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  schema: JsonSchema | undefined,
): Found {
  const differences = createDifferences()
  for (const key in before) {
    differences.add(`f:${key}`, found(before[key], ownValue(after, key), memberSchema(schema, key)))
  }
  for (const key in after) {
    if (ownValue(before, key) !== undefined) continue
    differences.add(`f:${key}`, found(undefined, after[key], memberSchema(schema, key)))
  }
  return differences.found(before, after)
}

const isMembersOrNothing = (value: unknown, schema: JsonSchema | undefined): value is JsonObject | undefined =>
  value === undefined || isOwnedByMember(value, schema)

const memberSchema = (schema: JsonSchema | undefined, key: string) => schema && schemaOfKey(schema, key)

/** Gathers what differs below a value that is owned piece by piece. */
function createDifferences() {
  const added: Record<string, FieldSet> = {}
  const gone: Record<string, FieldSet> = {}
  return {
    add(element: string, below: Found) {
      if (below.written) added[element] = below.written
      if (below.removed) gone[element] = below.removed
    },
    found: (before: unknown, after: unknown): Found => ({
      written: nodeOf(before === undefined, added),
      removed: nodeOf(after === undefined, gone),
    }),
  }
}
