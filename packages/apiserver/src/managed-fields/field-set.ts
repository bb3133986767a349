import { isObject } from '../schema/json'

/**
 * A set of fields, in the very form that objects carry it (FieldsV1): a tree of path elements, `f:` and the name of a
 * member, `k:` and the keys of an item of a list of type map, `v:` and an item of a list of type set. A field belongs
 * to the set when nothing is below it or when `.` is. Never changed in place.
 * Source: sigs.k8s.io/structured-merge-diff, fieldpath.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

/** No field at the root; below the root, a field without anything more below it. */
export const emptySet: FieldSet = {}

const self = '.'

export const isEmptySet = (set: FieldSet): boolean => {
  for (const _ in set) return false
  return true
}

/** Does a node below the root stand for a field itself, not only for what is below? */
export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (self in node || isEmptySet(node))

/** The node with these children; `undefined` when it stands for nothing. */
export function nodeOf(isField: boolean, children: Record<string, FieldSet>): FieldSet | undefined {
  if (isEmptySet(children)) return isField ? emptySet : undefined
  return isField ? { [self]: emptySet, ...children } : children
}

/** The node with its own field. */
export const withSelf = (node: FieldSet | undefined): FieldSet =>
  node === undefined || isMember(node) ? (node ?? emptySet) : { [self]: emptySet, ...node }

export const union = (a: FieldSet, b: FieldSet): FieldSet =>
  isEmptySet(b) ? a : isEmptySet(a) ? b : combined(a, b, (inA, inB) => inA || inB)

/** What is in `a` and not in `b`: field by field, a parent says nothing about its children. `a` itself if that is all. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  let rest: Record<string, FieldSet> | undefined
  for (const element in b) {
    const node = element === self ? undefined : a[element]
    if (!node) continue
    const left = nodeWithout(node, b[element] ?? emptySet)
    if (left === node) continue
    rest ??= { ...a }
    if (left) rest[element] = left
    else delete rest[element]
  }
  return rest ?? a
}

function nodeWithout(node: FieldSet, other: FieldSet): FieldSet | undefined {
  const below = difference(node, other)
  const isField = isMember(node) && !isMember(other)
  if (below === node && isField === isMember(node)) return node
  const { [self]: _, ...children } = below
  return nodeOf(isField, children)
}

export const intersection = (a: FieldSet, b: FieldSet): FieldSet =>
  isEmptySet(a) || isEmptySet(b) ? emptySet : combined(a, b, (inA, inB) => inA && inB)

/** What only one of the sets has anything of stays as it is there, or goes as a whole: nobody need look below it. */
function combined(a: FieldSet, b: FieldSet, holds: (inA: boolean, inB: boolean) => boolean): Record<string, FieldSet> {
  const children: Record<string, FieldSet> = {}
  const keepsA = holds(true, false)
  const keepsB = holds(false, true)
  for (const element in a) {
    const left = a[element]
    const right = b[element]
    if (element === self || !left) continue
    if (right) {
      const child = nodeOf(holds(isMember(left), isMember(right)), combined(left, right, holds))
      if (child) children[element] = child
    } else if (keepsA) children[element] = left
  }
  if (!keepsB) return children
  for (const element in b) {
    const right = b[element]
    if (element !== self && right && !(element in a)) children[element] = right
  }
  return children
}

/** In the order in which the real server writes it; the same set where it is in that order, as what was stored is. */
export const sorted = (set: FieldSet): FieldSet => (isSorted(set) ? set : inOrder(set))

function isSorted(set: FieldSet): boolean {
  let last = ''
  for (const element in set) {
    if (element < last || !isSorted(set[element] ?? emptySet)) return false
    last = element
  }
  return true
}

const inOrder = (set: FieldSet): FieldSet =>
  Object.fromEntries(
    Object.keys(set)
      .sort()
      .map((element) => [element, inOrder(set[element] ?? emptySet)]),
  )

/** Every field as messages name it: `.data.key`, `.spec.containers[name="a"].image`, `.metadata.finalizers[="x"]`. */
export function pathsOf(set: FieldSet): string[] {
  const paths: string[] = []
  const visit = (node: FieldSet, path: string) => {
    for (const element of Object.keys(node).sort()) {
      const child = node[element]
      if (element === self || !child) continue
      const at = path + elementText(element)
      if (isMember(child)) paths.push(at)
      visit(child, at)
    }
  }
  visit(set, '')
  return paths
}

function elementText(element: string): string {
  const text = element.slice(2)
  if (element.startsWith('f:')) return `.${text}`
  if (element.startsWith('v:')) return `[=${text}]`
  if (element.startsWith('i:')) return `[${text}]`
  const keys = Object.entries(JSON.parse(text) as Record<string, unknown>) // `readSet` and `keyElement` see to it.
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`
}

/** The element of a list item by its keys, in the order of their names. */
export const keyElement = (keys: Record<string, unknown>): string =>
  `k:${JSON.stringify(
    Object.keys(keys).length === 1
      ? keys
      : Object.fromEntries(Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1))),
  )}`

export const valueElement = (value: unknown): string => `v:${JSON.stringify(value)}`

/** A set out of what a client sent; `undefined` when it is none. */
export function readSet(value: unknown): FieldSet | undefined {
  if (!isObject(value)) return undefined
  const set: Record<string, FieldSet> = {}
  for (const [given, item] of Object.entries(value)) {
    const element = readElement(given)
    const node = readSet(item)
    if (element === undefined || !node) return undefined
    // A field with nothing below it need not say so.
    set[element] = self in node && Object.keys(node).length === 1 ? emptySet : node
  }
  return set
}

function readElement(element: string): string | undefined {
  if (element === self || element.startsWith('f:') || /^i:\d+$/.test(element)) return element
  try {
    const value: unknown = JSON.parse(element.slice(2))
    if (element.startsWith('v:')) return valueElement(value)
    return element.startsWith('k:') && isObject(value) ? keyElement(value) : undefined
  } catch {
    return undefined
  }
}
