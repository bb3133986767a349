import type { FieldMask } from './mask'

/**
 * How a document is laid out around its objects:
 * - `item`: it is one
 * - `list`: they are in `items`, and everything else is about the list
 * - `watch`: one event after the other, each on a line of its own, with an object in `object`
 * - `event`: one event
 */
export type Layout = 'item' | 'list' | 'watch' | 'event'

/** A mask made ready for comparing bytes. */
export interface Plan {
  /** Whether everything is kept but what a field here leaves out; otherwise nothing but these fields. */
  readonly keepsOthers: boolean
  /** By the bytes of their name: most names are told apart by their length alone. */
  readonly byLength: readonly (readonly Field[] | undefined)[]
  readonly byName: ReadonlyMap<string, Field>
}

export interface Field {
  readonly name: Uint8Array
  /** As it is written: with quotes and colon. */
  readonly key: Uint8Array
  /** How its objects are cut down; a field without is kept whole. */
  readonly plan: Plan | undefined
  /** What its value, a string, decides about the fields that follow it. */
  readonly decides: Decision | undefined
}

/** `status`: whether the document is a Status, which is kept whole. `event`: whether the object of an event is cut. */
export type Decision = 'status' | 'event'

/** Nothing is left out. */
export const wholePlan: Plan = planOf([], true)

/** Bookmarks and errors say by other fields what they say: they are kept whole. */
export const cutEvents: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED'])

const plans = new WeakMap<FieldMask, Map<Layout, Plan>>()

/** One for all who ask by the same mask. */
export function planFor(layout: Layout, mask: FieldMask): Plan {
  const ofMask = plans.get(mask) ?? new Map<Layout, Plan>()
  plans.set(mask, ofMask)
  const plan = ofMask.get(layout) ?? documentPlan(layout, mask)
  ofMask.set(layout, plan)
  return plan
}

function documentPlan(layout: Layout, mask: FieldMask): Plan {
  const object = objectPlan(mask)
  if (layout === 'item') return objectPlan(mask, (name) => (name === 'kind' ? 'status' : undefined))
  if (layout === 'list') return planOf([fieldOf('items', object)], true)
  return planOf([fieldOf('type', undefined, 'event'), fieldOf('object', object)], true)
}

const objectPlan = (mask: FieldMask, decides: (name: string) => Decision | undefined = () => undefined): Plan =>
  planOf(
    [...mask.fields].map(([name, inner]) =>
      fieldOf(name, inner.fields.size > 0 ? objectPlan(inner) : undefined, decides(name)),
    ),
    false,
  )

function fieldOf(name: string, plan: Plan | undefined, decides?: Decision): Field & { text: string } {
  return { text: name, name: Buffer.from(name), key: Buffer.from(`${JSON.stringify(name)}:`), plan, decides }
}

function planOf(fields: readonly (Field & { text: string })[], keepsOthers: boolean): Plan {
  const byLength: Field[][] = []
  for (const field of fields) (byLength[field.name.length] ??= []).push(field)
  return { keepsOthers, byLength, byName: new Map(fields.map((field) => [field.text, field])) }
}
