import type { KubeObject } from '@slipway/kube/object'
import { type ChoiceColumn, type FieldColumn, NumberColumn, valuesOf } from './columns'
import type { Facets, ViewQuery, WindowFacts } from './frame'
import { nthSmallest } from './nth-smallest'
import type { Shelf } from './shelf'
import type { Sort, ViewKind } from './view-kind'

/** A row of a window. Its text identifies it: a row that has changed has another one. */
export interface WindowRow {
  readonly uid: string
  /** The row as JSON. */
  readonly text: string
  /** The row, which must not be modified; it is parsed when it is first read. */
  readonly object: KubeObject
}

/** What a query comes to, as far as it follows from shelves alone. */
export interface Window extends Pick<WindowFacts, 'total' | 'offset' | 'position' | 'facets' | 'versions' | 'floors'> {
  readonly rows: readonly WindowRow[]
}

/** Most values of a facet that are reported, those of most rows. */
export const mostFacetValues = 1_000

/** Rows of several shelves: by index, the shelf and the slot. */
interface Matches {
  count: number
  shelfAt: Int32Array
  slotAt: Int32Array
}

/**
 * The rows that match a query in some shelves, sorted, from its offset to its limit, and what is to be said of all of
 * them. Takes time in proportion to the rows of the shelves, and sorts only the window.
 * @param shelves of the namespaces that the user may read, and of no others
 */
export function computeWindow(kind: ViewKind, shelves: readonly Shelf[], query: ViewQuery): Window {
  const counts = new FacetCounts(query.facets ?? [])
  const matches = findMatches(shelves, query, counts)
  const compare = comparison(kind, shelves, matches, query.sort)
  const order = Int32Array.from({ length: matches.count }, (_, index) => index)
  const listed = query.firstOf === undefined ? order : firstOfEach(query.firstOf, shelves, matches, order, compare)
  const position = query.around === undefined ? undefined : positionOf(query.around, shelves, matches, listed, compare)
  const total = listed.length
  const offset =
    position === undefined ? (query.offset ?? 0) : Math.max(0, position - Math.floor((query.limit - 1) / 2))
  const end = Math.min(total, offset + query.limit)
  // Everything in front of the window, then everything behind it, then the window itself.
  if (offset > 0 && offset < end) nthSmallest(listed, 0, total, offset, compare)
  if (end < total && offset < end) nthSmallest(listed, offset, total, end, compare)
  const rows = [...listed.subarray(offset, Math.max(offset, end))].sort(compare).map((index) => {
    const shelf = shelves[matches.shelfAt[index] ?? 0]
    const slot = matches.slotAt[index] ?? 0
    return createRow(shelf?.uids[slot] ?? '', shelf?.texts[slot] ?? '{}')
  })
  const known = shelves.filter(({ version }) => version !== undefined)
  return {
    rows,
    total,
    offset,
    ...(position !== undefined && { position }),
    facets: counts.facets(),
    versions: Object.fromEntries(known.map(({ namespace, version = '' }) => [namespace, version])),
    floors: Object.fromEntries(known.flatMap(({ namespace, floor }) => (floor ? [[namespace, floor]] : []))),
  }
}

function createRow(uid: string, text: string): WindowRow {
  let object: KubeObject | undefined
  return {
    uid,
    text,
    get object() {
      // The shelf wrote it.
      return (object ??= JSON.parse(text) as KubeObject)
    },
  }
}

/** Finds the rows that match, and counts the values of facets on the way. */
function findMatches(shelves: readonly Shelf[], query: ViewQuery, counts: FacetCounts): Matches {
  const size = shelves.reduce((sum, shelf) => sum + shelf.size, 0)
  const matches: Matches = { count: 0, shelfAt: new Int32Array(size), slotAt: new Int32Array(size) }
  const text = query.text?.trim().toLowerCase() ?? ''
  const identifier = query.identifier?.trim().toLowerCase() ?? ''
  const filtered = Object.entries(query.where ?? {}).filter(([, values]) => values.length > 0)
  for (const [at, shelf] of shelves.entries()) {
    const filters = filtered.map(([field, values]) => choiceFilter(choiceColumnOf(shelf, field), values))
    const facets = counts.ofShelf(
      shelf,
      filtered.map(([field]) => field),
    )
    for (let slot = 0; slot < shelf.size; slot++) {
      // A row that fails one filter only still counts for the facet of that filter.
      let failed = -1
      let failedCount = 0
      for (let each = 0; each < filters.length && failedCount < 2; each++) {
        if (filters[each]?.(slot)) continue
        failed = each
        failedCount++
      }
      if (failedCount > 1 || (failedCount === 1 && !facets.hasFilter(failed))) continue
      const searchText = text || identifier ? (shelf.searchTexts[slot] ?? '') : ''
      if (text && !hasText(searchText, text)) continue
      if (identifier && !searchText.includes(`\n${identifier}`)) continue
      facets.count(slot, failed)
      if (failedCount > 0) continue
      matches.shelfAt[matches.count] = at
      matches.slotAt[matches.count] = slot
      matches.count++
    }
    facets.end()
  }
  return matches
}

/** Whether the first line contains it. */
function hasText(searchText: string, text: string): boolean {
  const at = searchText.indexOf(text)
  return at >= 0 && at + text.length <= searchText.indexOf('\n')
}

/** Whether a slot has one of the values; each code is looked at once. */
function choiceFilter(column: ChoiceColumn, values: readonly string[]): (slot: number) => boolean {
  const wanted = new Set(values)
  const isMatch = Uint8Array.from(column.choices, (choice) =>
    valuesOf(choice).some((value) => wanted.has(value)) ? 1 : 0,
  )
  const { codes } = column
  return (slot) => isMatch[codes[slot] ?? 0] === 1
}

/** Queries are checked when they are received (`parseMessage`). */
function choiceColumnOf(shelf: Shelf, field: string): ChoiceColumn {
  const column = shelf.columns[field]
  if (!column || !('codes' in column)) throw new Error(`${shelf.kind.id} has no choices ${field}.`)
  return column
}

/** Counts how many rows have each value of the facets of a query. */
class FacetCounts {
  readonly #fields: readonly string[]
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(fields: readonly string[]) {
    this.#fields = fields
    for (const field of fields) this.#counts.set(field, new Map())
  }

  /** @param filtered the choice fields of all filters */
  ofShelf(shelf: Shelf, filtered: readonly string[]) {
    const facets = this.#fields.map((field) => {
      const column = choiceColumnOf(shelf, field)
      return { field, column, filter: filtered.indexOf(field), counts: new Int32Array(column.choices.length) }
    })
    return {
      hasFilter: (filter: number) => facets.some((facet) => facet.filter === filter),
      /** @param failed index of the only filter that the row does not match; -1 if it matches all */
      count(slot: number, failed: number) {
        for (const { column, filter, counts } of facets) {
          if (failed >= 0 && failed !== filter) continue
          const code = column.codes[slot] ?? 0
          counts[code] = (counts[code] ?? 0) + 1
        }
      },
      end: () => {
        for (const { field, column, counts } of facets) this.#add(field, column, counts)
      },
    }
  }

  #add(field: string, column: ChoiceColumn, counts: Int32Array) {
    const byValue = this.#counts.get(field)
    for (const [code, choice] of column.choices.entries()) {
      const count = counts[code] ?? 0
      if (count > 0) for (const value of valuesOf(choice)) byValue?.set(value, (byValue.get(value) ?? 0) + count)
    }
  }

  facets(): Facets {
    const entries = [...this.#counts].map(([field, byValue]) => {
      const mostRows = [...byValue].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      return [field, Object.fromEntries(mostRows.slice(0, mostFacetValues))]
    })
    return Object.fromEntries(entries)
  }
}

type Compare = (a: number, b: number) => number

/** Compares rows by their indexes: by the chosen order, by that of the kind, and at last by uid. */
function comparison(kind: ViewKind, shelves: readonly Shelf[], matches: Matches, sort: Sort = kind.order): Compare {
  const chosen = keyComparison(shelves, matches, sort)
  const usual = sort === kind.order ? undefined : keyComparison(shelves, matches, kind.order)
  const uidOf = (index: number) => shelves[matches.shelfAt[index] ?? 0]?.uids[matches.slotAt[index] ?? 0] ?? ''
  return (a, b) => {
    const difference = chosen(a, b) || (usual ? usual(a, b) : 0)
    if (difference !== 0 || a === b) return difference
    return uidOf(a) < uidOf(b) ? -1 : 1
  }
}

function keyComparison(shelves: readonly Shelf[], matches: Matches, sort: Sort): Compare {
  const sign = sort.startsWith('-') ? -1 : 1
  const field = sort.startsWith('-') ? sort.slice(1) : sort
  const columns = shelves.map((shelf) => shelf.columns[field])
  if (columns.every((column) => column instanceof NumberColumn || isRanked(column))) {
    const keys = new Float64Array(matches.count)
    for (let index = 0; index < matches.count; index++) {
      keys[index] = numberAt(columns[matches.shelfAt[index] ?? 0], matches.slotAt[index] ?? 0)
    }
    return (a, b) => compareNumbers(keys[a] ?? NaN, keys[b] ?? NaN, sign)
  }
  const keys = Array.from({ length: matches.count }, (_, index) =>
    textAt(columns[matches.shelfAt[index] ?? 0], matches.slotAt[index] ?? 0),
  )
  return (a, b) => compareTexts(keys[a], keys[b], sign)
}

const isRanked = (column: FieldColumn | undefined) => column && 'ranks' in column && column.ranks !== undefined

/** NaN for a row without a value. Values outside the order of a field come after those in it. */
function numberAt(column: FieldColumn | undefined, slot: number): number {
  if (column instanceof NumberColumn) return column.values[slot] ?? NaN
  const value = textAt(column, slot)
  if (value === undefined || !column || !('ranks' in column)) return NaN
  return column.ranks?.get(value) ?? Number.MAX_SAFE_INTEGER
}

function textAt(column: FieldColumn | undefined, slot: number): string | undefined {
  if (!column || column instanceof NumberColumn) return undefined
  return 'codes' in column ? valuesOf(column.choices[column.codes[slot] ?? 0])[0] : column.values[slot]
}

function compareNumbers(a: number, b: number, sign: number): number {
  if (a < b) return -sign
  if (a > b) return sign
  if (a === b) return 0
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1
}

function compareTexts(a: string | undefined, b: string | undefined, sign: number): number {
  if (a === b) return 0
  if (a === undefined) return 1
  if (b === undefined) return -1
  return a < b ? -sign : sign
}

/** The first row for each value of a choice field; rows without a value are left out. */
function firstOfEach(
  field: string,
  shelves: readonly Shelf[],
  { shelfAt, slotAt }: Matches,
  order: Int32Array,
  compare: Compare,
): Int32Array {
  const columns = shelves.map((shelf) => choiceColumnOf(shelf, field))
  const firsts = new Map<string, number>()
  for (const index of order) {
    const value = textAt(columns[shelfAt[index] ?? 0], slotAt[index] ?? 0)
    if (value === undefined) continue
    // Names are unique within a namespace only.
    const key = `${shelfAt[index]} ${value}`
    const first = firsts.get(key)
    if (first === undefined || compare(index, first) < 0) firsts.set(key, index)
  }
  return Int32Array.from(firsts.values())
}

/** How many rows come before the one with this uid; `undefined` if it is not listed. */
function positionOf(
  uid: string,
  shelves: readonly Shelf[],
  { shelfAt, slotAt }: Matches,
  listed: Int32Array,
  compare: Compare,
): number | undefined {
  const at = shelves.findIndex((shelf) => shelf.slotOf(uid) !== undefined)
  const slot = shelves[at]?.slotOf(uid)
  const own = listed.find((index) => shelfAt[index] === at && slotAt[index] === slot)
  if (own === undefined) return undefined
  let position = 0
  for (const index of listed) if (compare(index, own) < 0) position++
  return position
}
