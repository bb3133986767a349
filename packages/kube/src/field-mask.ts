/**
 * A field to include in responses that a gateway trims: ``metadata.labels.`example.com/team` ``. Paths apply to every
 * item of an array. A server without support for masks returns whole objects, so no code may rely on a mask.
 */
export type FieldPath = string

/** Joins field names into a path. Names that are not a single word, such as label keys, are quoted. */
export const fieldPath = (...names: string[]): FieldPath =>
  names.map((name) => (/^[\w$-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``)).join('.')

/** Splits a path into field names; the inverse of `fieldPath`. */
export const namesOfPath = (path: FieldPath): string[] =>
  (path.match(/`(?:[^`]|``)+`|[^.`]+/g) ?? []).map((name) =>
    name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name,
  )

/** Value of the query parameter `fieldMask`; `undefined` without a mask. */
export const formatFieldMask = (mask: readonly FieldPath[] | undefined): string | undefined => mask?.join(',')
