/** Which rows a list has no more, and which it has got: a row that was replaced is in both. */
export interface Changes<T> {
  gone: Set<T>
  fresh: T[]
}

/** Rows are the same when they are the same object. Costs little where most of them stay where they are. */
export function changesOf<T>(before: readonly T[], after: readonly T[]): Changes<T> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let tail = 0
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const isMoved = before.length !== after.length
  const gone = new Set<T>()
  for (let at = start; at < before.length - tail; at++) {
    // Rows that stay between two that were replaced: an index below both lengths has a row.
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

interface Order<T, V> {
  /** The same for a row and for what replaces it. */
  idOf: (row: T) => string
  /** What it is sorted by; asked for once for each row. */
  valueOf: (row: T) => V
  compare: (a: V, b: V) => number
}

/**
 * Sorts a list again and again while single rows of it change: then only these are looked at, and put into their place.
 * Equal rows stay in the order in which they came, and one that is replaced by an equal one keeps its place. The same
 * array is answered while nothing has changed.
 */
export function createIncrementalSort<T, V>({ idOf, valueOf, compare }: Order<T, V>): (rows: readonly T[]) => T[] {
  let before: readonly T[] = []
  /** Two arrays of the same length, so that nothing is made for a row that stays. */
  let sorted: T[] = []
  let values: V[] = []

  /** Plain loops: ten thousand rows are passed over for one that has changed. */
  function change({ gone, fresh }: Changes<T>) {
    const coming = new Map(fresh.map((row) => [idOf(row), { row, value: valueOf(row) }]))
    const [oldRows, oldValues] = [sorted, values]
    if (gone.size > 0) {
      sorted = []
      values = []
      for (let at = 0; at < oldRows.length; at++) {
        // Both are as long.
        const [row, value] = [oldRows[at] as T, oldValues[at] as V]
        if (!gone.has(row)) {
          sorted.push(row)
          values.push(value)
          continue
        }
        const id = idOf(row)
        const next = coming.get(id)
        if (!next || compare(next.value, value) !== 0) continue
        coming.delete(id)
        sorted.push(next.row)
        values.push(next.value)
      }
    }
    if (coming.size > 0) insert([...coming.values()].sort((a, b) => compare(a.value, b.value)))
  }

  function insert(added: { row: T; value: V }[]) {
    const [oldRows, oldValues] = [sorted, values]
    sorted = []
    values = []
    let at = 0
    for (const { row, value } of added) {
      const end = firstAfter(oldValues, value, at)
      for (; at < end; at++) {
        sorted.push(oldRows[at] as T)
        values.push(oldValues[at] as V)
      }
      sorted.push(row)
      values.push(value)
    }
    for (; at < oldRows.length; at++) {
      sorted.push(oldRows[at] as T)
      values.push(oldValues[at] as V)
    }
  }

  /** Where the values begin that are larger; `values.length` if none is. */
  function firstAfter(within: readonly V[], value: V, from: number): number {
    let [low, high] = [from, within.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(within[middle] as V, value) > 0) high = middle
      else low = middle + 1
    }
    return low
  }

  return (rows) => {
    const changes = changesOf(before, rows)
    before = rows
    if (changes.gone.size > 0 || changes.fresh.length > 0) change(changes)
    return sorted
  }
}
