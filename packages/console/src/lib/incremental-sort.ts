/** The rows removed from a list, and those added to it; a replaced row is in both. */
export interface Changes<T> {
  gone: Set<T>
  fresh: T[]
}

/** Compares rows by identity. Cheap if most of them keep their positions. */
export function changesOf<T>(before: readonly T[], after: readonly T[]): Changes<T> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let tail = 0
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const isMoved = before.length !== after.length
  const gone = new Set<T>()
  for (let at = start; at < before.length - tail; at++) {
    // Skips unchanged rows between two replaced ones. An index below both lengths has a row.
    if (isMoved || before[at] !== after[at]) gone.add(before[at] as T)
  }
  const fresh: T[] = []
  for (let at = start; at < after.length - tail; at++) {
    if (!isMoved && before[at] === after[at]) continue
    const row = after[at] as T
    if (!gone.delete(row)) fresh.push(row)
  }
  return { gone, fresh }
}

export interface Order<T, V> {
  /** Identifies a row and its replacement. */
  idOf: (row: T) => string
  /** What the row is sorted by; read once for each row. */
  valueOf: (row: T) => V
  compare: (a: V, b: V) => number
}

/** A sorted list, with what is needed to sort the next one. */
export interface Sorted<T, V> {
  /** In the order in which they came. */
  input: readonly T[]
  rows: readonly T[]
  /** What each of `rows` is sorted by, in an array of its own, so that nothing is created for a row that stays. */
  values: readonly V[]
}

/**
 * Sorts a list based on the result for a similar one: only rows that changed are read and moved. Equal rows keep their
 * original order, and a row that is replaced by an equal one keeps its position. `rows` is the same array if nothing
 * has changed.
 */
export function sortIncrementally<T, V>(
  input: readonly T[],
  order: Order<T, V>,
  before: Sorted<T, V> = { input: [], rows: [], values: [] },
): Sorted<T, V> {
  if (input === before.input) return before
  const { gone, fresh } = changesOf(before.input, input)
  if (gone.size === 0 && fresh.length === 0) return { ...before, input }
  const added = new Map(fresh.map((row) => [order.idOf(row), { row, value: order.valueOf(row) }]))
  const replaced = gone.size === 0 ? before : replace(before, gone, added, order)
  const rest = [...added.values()].sort((a, b) => order.compare(a.value, b.value))
  return { input, ...(rest.length === 0 ? replaced : insert(replaced, rest, order)) }
}

type SortedRows<T, V> = Pick<Sorted<T, V>, 'rows' | 'values'>

/**
 * Drops the removed rows, and puts replacements with the same value into their positions.
 * @param added these replacements are deleted from it
 */
function replace<T, V>(
  before: SortedRows<T, V>,
  gone: ReadonlySet<T>,
  added: Map<string, { row: T; value: V }>,
  { idOf, compare }: Order<T, V>,
): SortedRows<T, V> {
  const rows: T[] = []
  const values: V[] = []
  // Plain loops, since a single change copies up to ten thousand rows.
  for (let at = 0; at < before.rows.length; at++) {
    // Both arrays have this index.
    const [row, value] = [before.rows[at] as T, before.values[at] as V]
    if (!gone.has(row)) {
      rows.push(row)
      values.push(value)
      continue
    }
    const id = idOf(row)
    const next = added.get(id)
    if (!next || compare(next.value, value) !== 0) continue
    added.delete(id)
    rows.push(next.row)
    values.push(next.value)
  }
  return { rows, values }
}

function insert<T, V>(
  before: SortedRows<T, V>,
  added: readonly { row: T; value: V }[],
  { compare }: Order<T, V>,
): SortedRows<T, V> {
  const rows: T[] = []
  const values: V[] = []
  let at = 0
  const copyUpTo = (end: number) => {
    for (; at < end; at++) {
      rows.push(before.rows[at] as T)
      values.push(before.values[at] as V)
    }
  }
  for (const { row, value } of added) {
    copyUpTo(firstAfter(before.values, value, at, compare))
    rows.push(row)
    values.push(value)
  }
  copyUpTo(before.rows.length)
  return { rows, values }
}

/** The index of the first larger value; `values.length` if none is larger. */
function firstAfter<V>(values: readonly V[], value: V, from: number, compare: Order<unknown, V>['compare']): number {
  let [low, high] = [from, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(values[middle] as V, value) > 0) high = middle
    else low = middle + 1
  }
  return low
}
