/** The fields of a response to return; an empty map means all nested fields. */
export type FieldMask = Map<string, FieldMask>

/** Parses `records.name,records.data.value.metadata.name` into a tree. `undefined` means all fields. */
export function fieldMaskOf(texts: string[]): FieldMask | undefined {
  const paths = texts.flatMap((text) => text.split(',')).map((path) => path.trim())
  const mask: FieldMask = new Map()
  for (const path of paths.filter((each) => each !== '')) add(mask, path.split('.'))
  return mask.size > 0 ? mask : undefined
}

function add(mask: FieldMask, path: string[]) {
  let at = mask
  for (const [index, name] of path.entries()) {
    const known = at.get(name)
    // All of its fields are already included.
    if (known?.size === 0) return
    const next: FieldMask = known ?? new Map<string, FieldMask>()
    if (index === path.length - 1) next.clear()
    at.set(name, next)
    at = next
  }
}

/** The value with only the fields in the mask; list elements are masked individually. */
export function masked(value: unknown, mask: FieldMask): unknown {
  if (mask.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as Record<string, unknown>) // Any object is fine.
    .flatMap(([name, member]): [string, unknown][] => {
      const inner = mask.get(name)
      return inner ? [[name, masked(member, inner)]] : []
    })
  return Object.fromEntries(entries)
}

/** The mask of a nested field, in protocol or JSON spelling; `undefined` if it is excluded. */
export function maskBelow(mask: FieldMask | undefined, name: string): FieldMask | undefined {
  if (!mask) return new Map<string, FieldMask>()
  return mask.get(name) ?? mask.get(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}
