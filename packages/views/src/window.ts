import type { KubeObject } from '@slipway/kube/object'
import { ChoiceColumn, valuesOf } from './columns'
import { comparison, type Order } from './order'
import type { Facets, ViewQuery, WindowFacts } from './frame'
import type { Shelf } from './shelf'
import type { ViewKind } from './view-kind'

/** A row of a window. Its text identifies it: a row that has changed has another one. */
export interface WindowRow {
  readonly uid: string
  readonly text: string
  /** The row, which must not be modified; it is read when it is first needed. */
  readonly object: KubeObject
}

/** What a query comes to, as far as it follows from shelves alone. */
export interface Window extends Pick<WindowFacts, 'total' | 'offset' | 'position' | 'facets' | 'versions' | 'floors'> {
  readonly rows: readonly WindowRow[]
}

/** Most values of a facet that are reported, those of most rows. */
export const mostFacetValues = 1_000

/** Rows of several shelves: by index, the shelf and the slot. Those of a shelf follow one another. */
export interface Matches {
  count: number
  readonly shelves: readonly Shelf[]
  readonly shelfAt: Int32Array
  readonly slotAt: Int32Array
}

/**
 * The rows that match a query in some shelves, sorted, from its offset to its limit, and what is to be said of all of
 * them. Takes time in proportion to the rows of the shelves, and sorts only the window.
 * @param shelves of the namespaces that the user may read, and of no others
 */
export function computeWindow(kind: ViewKind, shelves: readonly Shelf[], query: ViewQuery): Window {
  const { limit, firstOf, around, sort = kind.order } = query
  const facets = new Map<string, Map<string, number>>((query.facets ?? []).map((field) => [field, new Map()]))
  const found = findMatches(shelves, query, facets)
  const matches = firstOf === undefined ? found : firstOfEach(firstOf, found, comparison(kind, found, sort))
  const order = comparison(kind, matches, sort)
  const position = around === undefined ? undefined : positionOf(around, matches, order)
  const offset = position === undefined ? (query.offset ?? 0) : Math.max(0, position - Math.floor((limit - 1) / 2))
  const known = shelves.filter(({ version }) => version !== undefined)
  return {
    rows: order.select(offset, Math.min(matches.count, offset + limit)).map((index) => createRow(matches, index)),
    total: matches.count,
    offset,
    ...(position !== undefined && { position }),
    facets: Object.fromEntries([...facets].map(([field, counts]) => [field, mostCounted(counts)])),
    versions: Object.fromEntries(known.map(({ namespace, version = '' }) => [namespace, version])),
    floors: Object.fromEntries(known.flatMap(({ namespace, floor }) => (floor ? [[namespace, floor]] : []))),
  }
}

function createRow({ shelves, shelfAt, slotAt }: Matches, index: number): WindowRow {
  const shelf = shelves[shelfAt[index] ?? 0]
  const slot = slotAt[index] ?? 0
  const text = shelf?.texts[slot] ?? ''
  let object: KubeObject | undefined
  return {
    uid: shelf?.uids[slot] ?? '',
    text,
    get object() {
      return (object ??= shelf?.rowOf(text) ?? { metadata: {} })
    },
  }
}

const noMatches = (shelves: readonly Shelf[], size: number): Matches => ({
  count: 0,
  shelves,
  shelfAt: new Int32Array(size),
  slotAt: new Int32Array(size),
})

/** Finds the rows that match, and counts the values of facets. */
function findMatches(
  shelves: readonly Shelf[],
  query: ViewQuery,
  facets: ReadonlyMap<string, Map<string, number>>,
): Matches {
  const matches = noMatches(
    shelves,
    shelves.reduce((sum, { size }) => sum + size, 0),
  )
  const filters = Object.entries(query.where ?? {}).filter(([, values]) => values.length > 0)
  for (const [at, shelf] of shelves.entries()) {
    const failures = findFailures(shelf, filters, query)
    for (const [field, counts] of facets) {
      const filter = filters.findIndex(([filtered]) => filtered === field)
      countValues(choiceColumnOf(shelf, field), failures, filter, counts)
    }
    for (let slot = 0; slot < failures.length; slot++) {
      if (failures[slot] !== 0) continue
      matches.shelfAt[matches.count] = at
      matches.slotAt[matches.count++] = slot
    }
  }
  return matches
}

/** For a row that matches neither two filters nor the text. */
const failsMore = 255

/**
 * By slot: 0 for a row that matches, or which filter is the only one that it does not match, from 1. Such a row still
 * counts for the facet of this filter.
 */
function findFailures(
  shelf: Shelf,
  filters: readonly (readonly [field: string, values: readonly string[]])[],
  { text = '', identifier = '' }: ViewQuery,
): Uint8Array {
  const failures = new Uint8Array(shelf.size)
  for (const [filter, [field, values]] of filters.entries()) {
    const { codes, choices } = choiceColumnOf(shelf, field)
    const wanted = new Set(values)
    const isMatch = Uint8Array.from(choices, (choice) => (valuesOf(choice).some((value) => wanted.has(value)) ? 1 : 0))
    for (let slot = 0; slot < failures.length; slot++) {
      if (isMatch[codes[slot] ?? 0] === 0) failures[slot] = failures[slot] === 0 ? filter + 1 : failsMore
    }
  }
  const [part, start] = [text.trim().toLowerCase(), identifier.trim().toLowerCase()]
  if (!part && !start) return failures
  for (let slot = 0; slot < failures.length; slot++) {
    if (failures[slot] === failsMore) continue
    const searchText = shelf.searchTexts[slot] ?? ''
    if ((part && !hasText(searchText, part)) || (start && !searchText.includes(`\n${start}`)))
      failures[slot] = failsMore
  }
  return failures
}

/** Whether the first line contains it. */
function hasText(searchText: string, text: string): boolean {
  const at = searchText.indexOf(text)
  return at >= 0 && at + text.length <= searchText.indexOf('\n')
}

/** Queries are checked when they are received (`parseMessage`). */
function choiceColumnOf(shelf: Shelf, field: string): ChoiceColumn {
  const column = shelf.columns[field]
  if (!(column instanceof ChoiceColumn)) throw new Error(`${shelf.kind.id} has no choices ${field}.`)
  return column
}

/** @param filter index of the filter of this facet, which does not apply to it; -1 without one */
function countValues(
  { codes, choices }: ChoiceColumn,
  failures: Uint8Array,
  filter: number,
  counts: Map<string, number>,
): void {
  const byCode = new Int32Array(choices.length)
  for (let slot = 0; slot < failures.length; slot++) {
    const failure = failures[slot]
    if (failure !== 0 && failure !== filter + 1) continue
    const code = codes[slot] ?? 0
    byCode[code] = (byCode[code] ?? 0) + 1
  }
  for (const [code, choice] of choices.entries()) {
    const count = byCode[code] ?? 0
    if (count > 0) for (const value of valuesOf(choice)) counts.set(value, (counts.get(value) ?? 0) + count)
  }
}

function mostCounted(counts: ReadonlyMap<string, number>): Facets[string] {
  const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return Object.fromEntries(most.slice(0, mostFacetValues))
}

/**
 * The first row, in the order, for each value of a choice field in each namespace, since names are unique only there.
 * Rows without a value are left out.
 */
function firstOfEach(field: string, matches: Matches, { compare }: Order): Matches {
  const { shelves, shelfAt, slotAt } = matches
  const columns = shelves.map((shelf) => choiceColumnOf(shelf, field))
  const firsts = columns.map(({ choices }) => new Int32Array(choices.length).fill(-1))
  for (let index = 0; index < matches.count; index++) {
    const at = shelfAt[index] ?? 0
    const code = columns[at]?.codes[slotAt[index] ?? 0] ?? 0
    const byCode = firsts[at]
    const first = byCode?.[code] ?? -1
    if (byCode && code !== 0 && (first < 0 || compare(index, first) < 0)) byCode[code] = index
  }
  const indexes = columns.flatMap(({ choices }, at) => {
    const byValue = new Map<string, number>()
    for (const [code, index] of (firsts[at] ?? []).entries()) {
      const [value] = valuesOf(choices[code])
      if (index < 0 || value === undefined) continue
      const first = byValue.get(value)
      if (first === undefined || compare(index, first) < 0) byValue.set(value, index)
    }
    return [...byValue.values()]
  })
  const found = noMatches(shelves, indexes.length)
  for (const index of indexes.sort((a, b) => a - b)) {
    found.shelfAt[found.count] = shelfAt[index] ?? 0
    found.slotAt[found.count++] = slotAt[index] ?? 0
  }
  return found
}

/** How many rows come before the one with this uid; `undefined` if it is not listed. */
function positionOf(uid: string, { count, shelves, shelfAt, slotAt }: Matches, { compare }: Order): number | undefined {
  const at = shelves.findIndex((shelf) => shelf.slotOf(uid) !== undefined)
  const slot = shelves[at]?.slotOf(uid)
  let own = -1
  for (let index = 0; index < count && own < 0; index++) {
    if (shelfAt[index] === at && slotAt[index] === slot) own = index
  }
  if (own < 0) return undefined
  let position = 0
  for (let index = 0; index < count; index++) if (compare(index, own) < 0) position++
  return position
}
