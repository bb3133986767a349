import { isRecord } from '@slipway/kube/object'

/**
 * A set of fields in the FieldsV1 format: a tree of path elements, which are `f:` and the name of a member, `k:` and
 * the keys of an item in a list of type map, or `v:` and an item in a list of type set. A field belongs to the set if its
 * node is empty or contains `.`. Never changed in place.
 * Source: sigs.k8s.io/structured-merge-diff, fieldpath.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

/** At the root, no fields; below the root, a field without children. */
export const emptySet: FieldSet = {}

const self = '.'

export const isEmptySet = (set: FieldSet): boolean => {
  for (const _ in set) return false
  return true
}

/** True if a node below the root stands for a field itself, not only for its children. */
export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (self in node || isEmptySet(node))

/** The node with these children; `undefined` if it would stand for nothing. */
export function nodeOf(isField: boolean, children: Record<string, FieldSet>): FieldSet | undefined {
  if (isEmptySet(children)) return isField ? emptySet : undefined
  return isField ? { [self]: emptySet, ...children } : children
}

/** The node including the field itself. */
export const withSelf = (node: FieldSet | undefined): FieldSet =>
  node === undefined || isMember(node) ? (node ?? emptySet) : { [self]: emptySet, ...node }

export const union = (a: FieldSet, b: FieldSet): FieldSet =>
  isEmptySet(b) ? a : isEmptySet(a) ? b : combine(a, b, (inA, inB) => inA || inB)

/** The fields of `a` that are not in `b`. A parent does not imply its children. Returns `a` itself if unchanged. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  let rest: Record<string, FieldSet> | undefined
  for (const element in b) {
    const node = element === self ? undefined : a[element]
    if (!node) continue
    const remaining = nodeWithout(node, b[element] ?? emptySet)
    if (remaining === node) continue
    rest ??= { ...a }
    if (remaining) rest[element] = remaining
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
  isEmptySet(a) || isEmptySet(b) ? emptySet : combine(a, b, (inA, inB) => inA && inB)

/** Combines two sets. A subtree that only one of them has is kept or dropped as a whole. */
function combine(
  a: FieldSet,
  b: FieldSet,
  isIncluded: (inA: boolean, inB: boolean) => boolean,
): Record<string, FieldSet> {
  const children: Record<string, FieldSet> = {}
  const keepsA = isIncluded(true, false)
  const keepsB = isIncluded(false, true)
  for (const element in a) {
    const left = a[element]
    const right = b[element]
    if (element === self || !left) continue
    if (right) {
      const child = nodeOf(isIncluded(isMember(left), isMember(right)), combine(left, right, isIncluded))
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

/** Sorts a set in the order of the real server. Returns the same set if it is sorted, as stored sets are. */
export const sorted = (set: FieldSet): FieldSet => (isSorted(set) ? set : sortNodes(set))

function isSorted(set: FieldSet): boolean {
  let last = ''
  for (const element in set) {
    if (element < last || !isSorted(set[element] ?? emptySet)) return false
    last = element
  }
  return true
}

const sortNodes = (set: FieldSet): FieldSet =>
  Object.fromEntries(
    Object.keys(set)
      .sort()
      .map((element) => [element, sortNodes(set[element] ?? emptySet)]),
  )

/** Paths of all fields, for messages: `.data.key`, `.spec.containers[name="a"].image`, `.metadata.finalizers[="x"]`. */
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
  const keys = Object.entries(JSON.parse(text) as Record<string, unknown>) // Ensured by `readSet` and `keyElement`.
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`
}

/** The path element of a list item with these keys, sorted by name. */
export const keyElement = (keys: Record<string, unknown>): string =>
  `k:${JSON.stringify(
    Object.keys(keys).length === 1
      ? keys
      : Object.fromEntries(Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1))),
  )}`

export const valueElement = (value: unknown): string => `v:${JSON.stringify(value)}`

/** Parses a set that a client sent; `undefined` if it is invalid. */
export function readSet(value: unknown): FieldSet | undefined {
  if (!isRecord(value)) return undefined
  const set: Record<string, FieldSet> = {}
  for (const [text, item] of Object.entries(value)) {
    const element = readElement(text)
    const node = readSet(item)
    if (element === undefined || !node) return undefined
    // A node with only `.` is equivalent to an empty one.
    set[element] = self in node && Object.keys(node).length === 1 ? emptySet : node
  }
  return set
}

function readElement(element: string): string | undefined {
  if (element === self || element.startsWith('f:') || /^i:\d+$/.test(element)) return element
  try {
    const value: unknown = JSON.parse(element.slice(2))
    if (element.startsWith('v:')) return valueElement(value)
    return element.startsWith('k:') && isRecord(value) ? keyElement(value) : undefined
  } catch {
    return undefined
  }
}
