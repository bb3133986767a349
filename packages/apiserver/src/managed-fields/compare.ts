import { isSameJson } from '../registry/equality'
import type { JsonSchema } from '../schema/json-schema'
import { emptySet, nodeOf, type FieldSet } from './field-set'
import { partsOf } from './parts'

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
  const added: Record<string, FieldSet> = {}
  const gone: Record<string, FieldSet> = {}
  const add = (element: string, below: Found) => {
    if (below.written) added[element] = below.written
    if (below.removed) gone[element] = below.removed
  }
  for (const [element, part] of was ?? []) {
    add(element, found(part.value, is?.get(element)?.value, part.schema))
  }
  for (const [element, part] of is ?? []) {
    if (!was?.has(element)) add(element, found(undefined, part.value, part.schema))
  }
  return {
    written: nodeOf(before === undefined, added),
    removed: nodeOf(after === undefined, gone),
  }
}
