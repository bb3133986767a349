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

interface Entry<T, V> {
  row: T
  value: V
}

/**
 * Sorts a list again and again while single rows of it change: then only these are looked at, and put into their place.
 * Equal rows stay in the order in which they came, and one that is replaced by an equal one keeps its place. The same
 * array is answered while nothing has changed.
 */
export function keepSorted<T, V>(order: Order<T, V>): (rows: readonly T[]) => T[] {
  let before: readonly T[] = []
  let entries: Entry<T, V>[] = []
  let sorted: T[] = []
  return (rows) => {
    const changes = changesOf(before, rows)
    before = rows
    if (changes.gone.size === 0 && changes.fresh.length === 0) return sorted
    entries = replaced(entries, changes, order)
    sorted = entries.map(({ row }) => row)
    return sorted
  }
}

function replaced<T, V>(
  entries: readonly Entry<T, V>[],
  { gone, fresh }: Changes<T>,
  { idOf, valueOf, compare }: Order<T, V>,
): Entry<T, V>[] {
  const coming = new Map(fresh.map((row) => [idOf(row), { row, value: valueOf(row) }]))
  const staying = gone.size === 0 ? entries : entries.flatMap(stayingOf)
  const added = [...coming.values()].sort((a, b) => compare(a.value, b.value))
  return added.length === 0 ? [...staying] : merged(staying, added)

  function stayingOf(entry: Entry<T, V>): Entry<T, V> | [] {
    if (!gone.has(entry.row)) return entry
    const next = coming.get(idOf(entry.row))
    if (!next || compare(next.value, entry.value) !== 0) return []
    coming.delete(idOf(entry.row))
    return next
  }

  function merged(first: readonly Entry<T, V>[], second: readonly Entry<T, V>[]): Entry<T, V>[] {
    const all: Entry<T, V>[] = []
    let at = 0
    for (const entry of second) {
      for (; at < first.length; at++) {
        const other = first[at] as Entry<T, V>
        if (compare(other.value, entry.value) > 0) break
        all.push(other)
      }
      all.push(entry)
    }
    for (; at < first.length; at++) all.push(first[at] as Entry<T, V>)
    return all
  }
}
