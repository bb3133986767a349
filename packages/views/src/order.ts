import { ChoiceColumn, type FieldColumn, NumberColumn, TextColumn, valuesOf } from './columns'
import type { Matches } from './matches'
import { nthNumber, nthSmallest } from './nth-smallest'
import type { Sort, ViewKind } from './view-kind'

/** The order of some rows, which are known by their indexes. */
export interface Order {
  compare(a: number, b: number): number
  /** The rows from one position to another (exclusive), in order. */
  select(from: number, to: number): number[]
}

/** What rows are sorted by: numbers, of which the smaller ones come first, or texts. */
type Keys = { numbers: Float64Array } | { texts: readonly (string | undefined)[]; sign: 1 | -1 }

/** A field with more values than these is sorted as text, since they would have to be sorted first. */
const mostRanked = 5_000

/** Orders rows by the chosen field, then as the kind does, and at last by uid. */
export function comparison(kind: ViewKind, matches: Matches, sort: Sort): Order {
  const levels = [sort, ...(sort === kind.order ? [] : [kind.order])].map((each) => keysOf(matches, each))
  const [first = never, second = never] = levels.map(comparisonOf)
  const { shelves, shelfAt, slotAt, count } = matches
  const uidOf = (index: number) => shelves[shelfAt[index] ?? 0]?.uids[slotAt[index] ?? 0] ?? ''
  const compare = (a: number, b: number) => {
    const difference = first(a, b) || second(a, b)
    if (difference !== 0 || a === b) return difference
    return uidOf(a) < uidOf(b) ? -1 : 1
  }

  function select(from: number, to: number): number[] {
    if (from >= to) return []
    let candidates = new Int32Array(count)
    for (let index = 0; index < count; index++) candidates[index] = index
    let [start, end] = [from, to]
    for (const keys of levels) {
      if (!('numbers' in keys)) break
      // Comparing numbers is much faster than comparing rows, of which few are left after this.
      const { low, high } = limitsOf(keys.numbers, candidates, start, end)
      let [skipped, left] = [0, 0]
      for (const index of candidates) {
        const key = keys.numbers[index] ?? Infinity
        if (key < low) skipped++
        else if (key <= high) candidates[left++] = index
      }
      candidates = candidates.subarray(0, left)
      start -= skipped
      end -= skipped
      // Otherwise rows differ in what they are sorted by first, so that the next key says nothing about all of them.
      if (low !== high) break
    }
    // Everything in front of the window, then everything behind it, then the window itself.
    if (start > 0) nthSmallest(candidates, 0, candidates.length, start, compare)
    if (end < candidates.length) nthSmallest(candidates, start, candidates.length, end, compare)
    return [...candidates.subarray(start, end)].sort(compare)
  }

  return { compare, select }
}

const never = () => 0

/** The keys of the first and the last row between two positions. */
function limitsOf(numbers: Float64Array, rows: Int32Array, from: number, to: number): { low: number; high: number } {
  const keys = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) keys[at] = numbers[rows[at] ?? 0] ?? Infinity
  const high = nthNumber(keys, to - 1)
  // What is larger is behind it by now.
  return { low: nthNumber(keys.subarray(0, to), from), high }
}

function comparisonOf(keys: Keys): (a: number, b: number) => number {
  if ('numbers' in keys) {
    const { numbers } = keys
    return (a, b) => {
      const [x, y] = [numbers[a] ?? Infinity, numbers[b] ?? Infinity]
      return x < y ? -1 : x > y ? 1 : 0
    }
  }
  const { texts, sign } = keys
  return (a, b) => {
    const [x, y] = [texts[a], texts[b]]
    if (x === y) return 0
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1
    return x < y ? -sign : sign
  }
}

function keysOf(matches: Matches, sort: Sort): Keys {
  const sign = sort.startsWith('-') ? -1 : 1
  const field = sort.startsWith('-') ? sort.slice(1) : sort
  const columns = matches.shelves.map((shelf) => shelf.columns[field])
  const ranks = ranksOf(columns)
  if (!ranks) return { texts: textsOf(matches, columns), sign }
  const numbers = new Float64Array(matches.count)
  const byShelf = columns.map((column) => numbersOf(column, ranks, sign))
  for (let index = 0; index < matches.count; index++) {
    const at = matches.shelfAt[index] ?? 0
    numbers[index] = byShelf[at]?.(matches.slotAt[index] ?? 0) ?? Infinity
  }
  return { numbers }
}

/** The positions of values in the order of a field; `undefined` if rows are sorted by their texts. */
function ranksOf(columns: readonly (FieldColumn | undefined)[]): ReadonlyMap<string, number> | undefined {
  const values = new Set<string>()
  for (const column of columns) {
    if (column instanceof TextColumn) return undefined
    if (!(column instanceof ChoiceColumn)) continue
    if (column.ranks) return column.ranks
    if (column.choices.length > mostRanked) return undefined
    for (const choice of column.choices) for (const value of valuesOf(choice).slice(0, 1)) values.add(value)
  }
  return values.size > mostRanked ? undefined : new Map([...values].sort().map((value, rank) => [value, rank]))
}

/** Returns what the row of a slot is sorted by. A row without a value comes last in both directions. */
function numbersOf(
  column: FieldColumn | undefined,
  ranks: ReadonlyMap<string, number>,
  sign: 1 | -1,
): (slot: number) => number {
  if (column instanceof NumberColumn) {
    const { values } = column
    return (slot) => {
      const value = values[slot] ?? NaN
      return Number.isNaN(value) ? Infinity : sign * value
    }
  }
  if (!(column instanceof ChoiceColumn)) return () => Infinity
  const { codes, choices } = column
  // Values that are not in the order of the field come after those that are.
  const byCode = Float64Array.from(choices, (choice) => {
    const [value] = valuesOf(choice)
    return value === undefined ? Infinity : sign * (ranks.get(value) ?? Number.MAX_SAFE_INTEGER)
  })
  return (slot) => byCode[codes[slot] ?? 0] ?? Infinity
}

function textsOf(
  { count, shelfAt, slotAt }: Matches,
  columns: readonly (FieldColumn | undefined)[],
): (string | undefined)[] {
  const texts = new Array<string | undefined>(count)
  for (let index = 0; index < count; index++) {
    const column = columns[shelfAt[index] ?? 0]
    const slot = slotAt[index] ?? 0
    if (column instanceof TextColumn) texts[index] = column.values[slot]
    else if (column instanceof ChoiceColumn) texts[index] = valuesOf(column.choices[column.codes[slot] ?? 0])[0]
  }
  return texts
}
