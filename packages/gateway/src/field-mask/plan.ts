import type { FieldMask } from './mask'

/**
 * Where the objects are in a document:
 * - `item`: the document is an object
 * - `list`: in `items`; everything else describes the list
 * - `watch`: in the `object` of events, one event per line
 * - `event`: in the `object` of a single event
 */
export type Layout = 'item' | 'list' | 'watch' | 'event'

/** What to do with the fields of an object, prepared for comparing bytes. */
export interface Plan {
  /** Whether other fields are kept too; otherwise only the fields of the plan are. */
  readonly keepsOthers: boolean
  /** Whether every string, number and boolean is replaced by an empty string, however deep it is. */
  readonly blanks: boolean
  /** Fields by the byte length of their name, which is enough to distinguish most names. */
  readonly byLength: readonly (readonly Field[] | undefined)[]
  readonly byName: ReadonlyMap<string, Field>
}

export interface Field {
  readonly name: Uint8Array
  /** As written to the output, with quotes and colon. */
  readonly key: Uint8Array
  /** How to filter the objects in this field; without it the field is kept unchanged. */
  readonly plan: Plan | undefined
  /** What the field's value, a string, decides about the fields that follow it. */
  readonly decides: Decision | undefined
}

/** `status`: whether the document is a Status, which is kept unchanged. `event`: whether the event's object is filtered. */
export type Decision = 'status' | 'event'

/** Keeps everything. */
export const unmaskedPlan: Plan = planOf([], true)

/** Keeps the names of fields and blanks their values. */
const blankPlan: Plan = { ...planOf([], true), blanks: true }

/**
 * Blanks the values of Secrets and keeps everything else. It applies to any layout, since only Secrets have fields with
 * these names: to a Secret, to a list or table of them, and to an event with any of these.
 */
export const secretPlan: Plan = planOf(withSecrets(), true)

function withSecrets() {
  const secret = [
    fieldOf('data', blankPlan),
    fieldOf('stringData', blankPlan),
    // `kubectl apply` stores the complete object, values included.
    keptWith(
      'metadata',
      keptWith('annotations', fieldOf('kubectl.kubernetes.io/last-applied-configuration', blankPlan)),
    ),
  ]
  const objects = [...secret, keptWith('items', ...secret), keptWith('rows', keptWith('object', ...secret))]
  return [...objects, keptWith('object', ...objects)]
}

/** A field that is kept, except for what happens to these fields in it. */
function keptWith(name: string, ...fields: NamedField[]): NamedField {
  return fieldOf(name, planOf(fields, true))
}

/** The other types, bookmarks and errors, carry their information in other fields and are kept unchanged. */
export const maskedEventTypes: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED'])

const plans = new WeakMap<FieldMask, Map<Layout, Plan>>()

/** Requests with the same mask share a plan. */
export function planFor(layout: Layout, mask: FieldMask): Plan {
  const byLayout = plans.get(mask) ?? new Map<Layout, Plan>()
  plans.set(mask, byLayout)
  const plan = byLayout.get(layout) ?? documentPlan(layout, mask)
  byLayout.set(layout, plan)
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

type NamedField = Field & { text: string }

function fieldOf(name: string, plan: Plan | undefined, decides?: Decision): NamedField {
  return { text: name, name: Buffer.from(name), key: Buffer.from(`${JSON.stringify(name)}:`), plan, decides }
}

function planOf(fields: readonly NamedField[], keepsOthers: boolean): Plan {
  const byLength: Field[][] = []
  for (const field of fields) (byLength[field.name.length] ??= []).push(field)
  return { keepsOthers, blanks: false, byLength, byName: new Map(fields.map((field) => [field.text, field])) }
}
