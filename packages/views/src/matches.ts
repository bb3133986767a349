import { ChoiceColumn, valuesOf } from './columns'
import type { Facets, ViewQuery } from './frame'
import type { Shelf } from './shelf'

/** Most values of a facet that are reported, those of most rows. */
export const mostFacetValues = 1_000

/** Rows of several shelves: by index, the shelf and the slot. Those of a shelf follow one another. */
export interface Matches {
  count: number
  readonly shelves: readonly Shelf[]
  readonly shelfAt: Int32Array
  readonly slotAt: Int32Array
}

/** @param size most rows */
export const noMatches = (shelves: readonly Shelf[], size: number): Matches => ({
  count: 0,
  shelves,
  shelfAt: new Int32Array(size),
  slotAt: new Int32Array(size),
})

/**
 * Finds the rows that match a query, and counts the values of its facets.
 * @param listed by shelf and slot, 1 for the rows that may match; all may without it
 */
export function findMatches(
  shelves: readonly Shelf[],
  query: ViewQuery,
  listed?: readonly Uint8Array[],
): { matches: Matches; facets: Facets } {
  const facets = new Map((query.facets ?? []).map((field) => [field, new Map<string, number>()]))
  const matches = noMatches(
    shelves,
    shelves.reduce((sum, { size }) => sum + size, 0),
  )
  const filters = Object.entries(query.where ?? {}).filter(([, values]) => values.length > 0)
  for (const [at, shelf] of shelves.entries()) {
    const failures = findFailures(shelf, filters, query)
    for (const [slot, isListed] of listed?.[at]?.entries() ?? []) if (isListed === 0) failures[slot] = failsMore
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
  return {
    matches,
    facets: Object.fromEntries([...facets].map(([field, counts]) => [field, mostCounted(counts)])),
  }
}

/** For a row that is not listed, or matches neither two filters nor the text. */
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
export function choiceColumnOf(shelf: Shelf, field: string): ChoiceColumn {
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
