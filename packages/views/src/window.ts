import type { KubeObject } from '@slipway/kube/object'
import { valuesOf } from './columns'
import type { ViewQuery, WindowFacts } from './frame'
import { choiceColumnOf, findMatches, type Matches, noMatches } from './matches'
import { comparison, type Order } from './order'
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

/**
 * The rows that match a query in some shelves, sorted, from its offset to its limit, and what is to be said of all of
 * them. Takes time in proportion to the rows of the shelves, and sorts only the window.
 * @param shelves of the namespaces that the user may read, and of no others
 */
export function computeWindow(kind: ViewKind, shelves: readonly Shelf[], query: ViewQuery): Window {
  const { limit, firstOf, having = {}, around, sort = kind.order } = query
  const { matches: found, facets } = findMatches(shelves, query)
  const matches =
    firstOf === undefined ? found : matchesHaving(having, firstOfEach(firstOf, found, comparison(kind, found, sort)))
  const order = comparison(kind, matches, sort)
  const position = around === undefined ? undefined : positionOf(around, matches, order)
  const offset = position === undefined ? (query.offset ?? 0) : Math.max(0, position - Math.floor((limit - 1) / 2))
  const known = shelves.filter(({ version }) => version !== undefined)
  return {
    rows: order.select(offset, Math.min(matches.count, offset + limit)).map((index) => createRow(matches, index)),
    total: matches.count,
    offset,
    ...(position !== undefined && { position }),
    facets,
    versions: Object.fromEntries(known.map(({ namespace, version = '' }) => [namespace, version])),
    floors: Object.fromEntries(known.flatMap(({ namespace, floor }) => (floor ? [[namespace, floor]] : []))),
  }
}

function createRow({ shelves, shelfAt, slotAt }: Matches, index: number): WindowRow {
  const shelf = shelves[shelfAt[index] ?? 0]
  const slot = slotAt[index] ?? 0
  const text = shelf?.texts[slot] ?? ''
  // What a client shows must not keep a shelf that was dropped in memory.
  const rowOf = shelf?.rowOf
  let object: KubeObject | undefined
  return {
    uid: shelf?.uids[slot] ?? '',
    text,
    get object() {
      return (object ??= rowOf?.(text) ?? { metadata: {} })
    },
  }
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

/** The matches that have one of the wanted values in each field. */
function matchesHaving(having: NonNullable<ViewQuery['having']>, matches: Matches): Matches {
  let left = matches
  for (const [field, values] of Object.entries(having)) {
    if (values.length === 0) continue
    const { count, shelves, shelfAt, slotAt } = left
    const columns = shelves.map((shelf) => choiceColumnOf(shelf, field))
    const kept = noMatches(shelves, count)
    for (let index = 0; index < count; index++) {
      const at = shelfAt[index] ?? 0
      const slot = slotAt[index] ?? 0
      const { codes, choices } = columns[at] ?? { codes: [], choices: [] }
      if (!valuesOf(choices[codes[slot] ?? 0]).some((value) => values.includes(value))) continue
      kept.shelfAt[kept.count] = at
      kept.slotAt[kept.count++] = slot
    }
    left = kept
  }
  return left
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
