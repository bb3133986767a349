import { namesOfPath, type FieldPath } from '@slipway/kube/field-mask'
import { isRecord, type KubeObject } from '@slipway/kube/object'

/** The fields below a field; `undefined` for all of them. */
type FieldTree = Map<string, FieldTree | undefined>

/** Returns a function that copies the fields in the mask, and always `metadata.uid`. */
export function projection<T extends KubeObject>(mask: readonly FieldPath[]): (object: T) => T {
  const tree: FieldTree = new Map()
  for (const path of ['metadata.uid', ...mask]) addPath(tree, namesOfPath(path))
  // What is left out is optional in every kind: a mask is part of its definition, and tests read rows by it.
  return (object) => pick(object, tree) as T
}

function addPath(tree: FieldTree, [name, ...rest]: string[]) {
  if (name === undefined) return
  if (rest.length === 0) return tree.set(name, undefined)
  if (tree.has(name) && !tree.get(name)) return
  const below = tree.get(name) ?? new Map()
  tree.set(name, below)
  addPath(below, rest)
}

function pick(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => pick(item, tree) ?? null)
  if (!isRecord(value)) return undefined
  const picked: Record<string, unknown> = {}
  for (const [name, below] of tree) {
    if (!Object.hasOwn(value, name)) continue
    const part = below ? pick(value[name], below) : value[name]
    if (part !== undefined) picked[name] = part
  }
  return picked
}
