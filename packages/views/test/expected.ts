import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { ViewQuery } from '../src/frame'
import { states, type Thing } from './model'

/** What a query comes to, computed in the plainest way from the objects of a user. */

export interface Expected {
  uids: string[]
  rows: Thing[]
  total: number
  offset: number
  position: number | undefined
  facets: Record<string, Record<string, number>>
}

const choicesOf = ({ spec }: Thing, field: string): readonly string[] =>
  field === 'state' ? [spec.state ?? ''].filter(Boolean) : (spec.tags ?? [])

function matches(thing: Thing, { where = {}, text = '', identifier = '' }: ViewQuery, ignored?: string): boolean {
  for (const [field, values] of Object.entries(where)) {
    if (field === ignored || values.length === 0) continue
    if (!choicesOf(thing, field).some((value) => values.includes(value))) return false
  }
  const isFound = [nameOf(thing), `${thing.spec.state}-${thing.spec.size}`].some((each) =>
    each.toLowerCase().startsWith(identifier.toLowerCase()),
  )
  return nameOf(thing).includes(text.trim().toLowerCase()) && (identifier === '' || isFound)
}

function valueOf(thing: Thing, field: string): string | number | undefined {
  if (field === 'name') return nameOf(thing)
  if (field === 'size') return thing.spec.size
  if (field === 'tags') return thing.spec.tags?.[0]
  const rank = states.indexOf(thing.spec.state ?? '')
  return thing.spec.state === undefined ? undefined : rank < 0 ? Infinity : rank
}

function compare(a: Thing, b: Thing, sort: string): number {
  const sign = sort.startsWith('-') ? -1 : 1
  const [x, y] = [valueOf(a, sort.replace('-', '')), valueOf(b, sort.replace('-', ''))]
  if (x === y) return 0
  if (x === undefined || y === undefined) return x === undefined ? 1 : -1
  return x < y ? -sign : sign
}

/** @param things all objects that the user may read in the namespaces of the query */
export function expected(things: readonly Thing[], query: ViewQuery): Expected {
  const { sort = '-size', firstOf, having, facets = [], around, limit } = query
  let listed = things
    .filter((thing) => matches(thing, query))
    .sort((a, b) => compare(a, b, sort) || compare(a, b, '-size') || (uidOf(a) < uidOf(b) ? -1 : 1))
  if (firstOf) {
    const seen = new Set<string>()
    listed = listed.filter((thing) => {
      const [value] = choicesOf(thing, firstOf)
      const key = `${namespaceOf(thing)} ${value}`
      if (value === undefined || seen.has(key)) return false
      seen.add(key)
      return true
    })
    listed = listed.filter((thing) => matches(thing, { ...query, where: having, text: '', identifier: '' }))
  }
  const at = around === undefined ? -1 : listed.findIndex((thing) => uidOf(thing) === around)
  const offset = at < 0 ? (query.offset ?? 0) : Math.max(0, at - Math.floor((limit - 1) / 2))
  const rows = listed.slice(offset, offset + limit)
  return {
    uids: rows.map(uidOf),
    rows: rows.map(({ metadata: { name, namespace, uid }, spec: { hidden: _, ...spec } }) => ({
      metadata: { uid, name, namespace },
      spec,
    })),
    total: listed.length,
    offset,
    position: at < 0 ? undefined : at,
    facets: Object.fromEntries(
      facets.map((field) => {
        const counts: Record<string, number> = {}
        for (const thing of things.filter((each) => matches(each, query, field))) {
          for (const value of new Set(choicesOf(thing, field))) counts[value] = (counts[value] ?? 0) + 1
        }
        return [field, counts]
      }),
    ),
  }
}
