/**
 * Fields of an object that are wanted, as a gateway may cut answers down to: ``metadata.labels.`example.com/team` ``.
 * Arrays are looked through. A server that knows no masks answers whole objects, so that nothing may rely on one.
 */
export type FieldPath = string

/** The path of a field below others; a name that is more than a word, such as the key of a label, is quoted. */
export const fieldPath = (...names: string[]): FieldPath =>
  names.map((name) => (/^[\w$-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``)).join('.')

/** The names that a path has; the reverse of `fieldPath`. */
export const namesOfPath = (path: FieldPath): string[] =>
  (path.match(/`(?:[^`]|``)+`|[^.`]+/g) ?? []).map((name) =>
    name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name,
  )

/** As the parameter `fieldMask` of a request has it; `undefined` for no mask at all. */
export const formatFieldMask = (mask: readonly FieldPath[] | undefined): string | undefined => mask?.join(',')
