import { isRecord } from '@slipway/kube/object'

/** The fields of a response to return, by their names in the protocol; an empty map means all nested fields. */
export type FieldMask = ReadonlyMap<string, FieldMask>

/** Parses `records.name,records.data.value.metadata.name`. Without a text, all fields are returned. */
export function fieldMaskOf(text: string | null): FieldMask {
  const mask = new Map<string, FieldMask>()
  for (const path of text === null ? [] : text.split(',')) add(mask, path.trim().split('.'))
  return mask
}

function add(mask: Map<string, FieldMask>, [name = '', ...rest]: string[]) {
  const known = mask.get(name)
  if (rest.length === 0) mask.set(name, new Map<string, FieldMask>())
  // Otherwise all of its fields are already included.
  else if (known?.size !== 0) {
    const inner = new Map(known)
    add(inner, rest)
    mask.set(name, inner)
  }
}

/** The mask of a nested field; `undefined` if it is excluded. */
export const maskBelow = (mask: FieldMask | undefined, name: string): FieldMask | undefined =>
  mask?.size === 0 ? mask : mask?.get(name)

/** A message with only the fields in the mask; list elements are masked individually. */
export function masked(value: unknown, mask: FieldMask): unknown {
  if (mask.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const inner = mask.get(name)
    return inner ? [[name, masked(member, inner)]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * The JSON of a document with the fields in the mask and no others. As in the service, each of them is there: one that
 * the document does not have is null, and so are fields of the items of a list, which no path can name.
 */
export const maskedJson = (json: string, mask: FieldMask): string =>
  mask.size === 0 ? json : JSON.stringify(selected(JSON.parse(json), mask))

const selected = (value: unknown, mask: FieldMask): unknown =>
  Object.fromEntries(
    [...mask].map(([name, inner]) => {
      const member = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
      return [name, inner.size === 0 ? (member ?? null) : selected(member, inner)]
    }),
  )
