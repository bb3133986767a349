import { manualClock } from '@slipway/kube/testing'
import { expect, it, test } from 'vitest'
import { kinds, type Thing } from '../test/model'
import type { ViewQuery } from './frame'
import { mostFacetValues } from './matches'
import { createShelf } from './shelf'
import { computeWindow } from './window'

/** What random queries give is compared in `test/leaks.test.ts`; here is what the fields of queries mean. */

const [kind] = kinds

function windowOf(
  things: readonly Partial<Thing['spec'] & { name: string; namespace: string }>[],
  query: Partial<ViewQuery>,
) {
  if (!kind) throw new Error('There are kinds.')
  const namespaces = [...new Set(things.map(({ namespace = 'team-a' }) => namespace))]
  const shelves = namespaces.map((namespace) => {
    const shelf = createShelf({ kind, namespace, clock: manualClock(), onChange() {} })
    const own = things.filter((each) => (each.namespace ?? 'team-a') === namespace)
    shelf.beginList()
    shelf.addPage(
      own.map(({ name = '', namespace: _, ...spec }) => ({
        metadata: { uid: `${namespace}/${name}`, name, namespace, resourceVersion: '1' },
        spec,
      })),
    )
    shelf.endList('1')
    return shelf
  })
  return computeWindow(kind, shelves, { kind: kind.id, namespaces, limit: 10, ...query })
}

const namesOf = (window: ReturnType<typeof windowOf>) => window.rows.map(({ object }) => object.metadata.name)

const some = [
  { name: 'a', state: 'done', tags: ['red', 'blue'], size: 2 },
  { name: 'b', state: 'waiting', tags: ['red'], size: 3 },
  { name: 'c', state: 'strange', size: 2 },
  { name: 'd', tags: ['blue'] },
]

test.each<[string, Partial<ViewQuery>, string[]]>([
  ['nothing: the order of the kind, then uids', {}, ['b', 'a', 'c', 'd']],
  ['an ascending number: rows without one stay at the end', { sort: 'size' }, ['a', 'c', 'b', 'd']],
  ['a text', { sort: '-name' }, ['d', 'c', 'b', 'a']],
  ['choices with an order: others come after them', { sort: 'state' }, ['b', 'a', 'c', 'd']],
  ['descending choices', { sort: '-state' }, ['c', 'a', 'b', 'd']],
  ['choices without an order: by the first of several', { sort: 'tags' }, ['d', 'b', 'a', 'c']],
  ['one of several choices', { where: { state: ['done', 'waiting'] } }, ['b', 'a']],
  ['two fields', { where: { state: ['done', 'waiting'], tags: ['blue'] } }, ['a']],
  ['no choice of a field', { where: { state: [] } }, ['b', 'a', 'c', 'd']],
  ['a text in another case', { text: ' B ' }, ['b']],
  ['the beginning of an identifier', { identifier: 'STRANGE-' }, ['c']],
  ['the middle of an identifier', { identifier: 'trange' }, []],
  ['the first of each choice', { firstOf: 'tags' }, ['b', 'd']],
  ['the first of each choice that is in a state', { firstOf: 'tags', having: { state: ['waiting'] } }, ['b']],
  ['the first of each choice, none of which is in a state', { firstOf: 'tags', having: { state: ['done'] } }, []],
  ['an offset', { sort: 'name', offset: 1, limit: 2 }, ['b', 'c']],
  ['an offset behind all rows', { offset: 9 }, []],
  ['a row in the middle', { sort: 'name', around: 'team-a/c', limit: 3 }, ['b', 'c', 'd']],
  ['a row at the start', { sort: 'name', around: 'team-a/a', limit: 3 }, ['a', 'b', 'c']],
  ['a row that does not match', { sort: 'name', around: 'team-a/c', limit: 3, text: 'a' }, ['a']],
])('a query with %s', (_, query, names) => expect(namesOf(windowOf(some, query))).toEqual(names))

it('a facet counts the rows that match everything but its own filter', () => {
  const { facets, total } = windowOf(some, { where: { state: ['done'] }, facets: ['state', 'tags'] })
  expect(total).toBe(1)
  expect(facets).toEqual({ state: { done: 1, waiting: 1, strange: 1 }, tags: { red: 1, blue: 1 } })
})

it('the values of most rows are reported of a facet with very many', () => {
  const many = Array.from({ length: mostFacetValues + 10 }, (_, at) => ({ name: `n${at}`, tags: [`t${at}`, 'all'] }))
  const { facets } = windowOf(many, { facets: ['tags'] })
  expect(Object.keys(facets.tags ?? {})).toHaveLength(mostFacetValues)
  expect(facets.tags?.all).toBe(many.length)
})

it('windows over several namespaces count and sort all of their rows, and the first of each choice is one in each', () => {
  const others = [{ name: 'e', namespace: 'team-b', tags: ['red'], size: 9 }]
  const window = windowOf([...some, ...others], { facets: ['tags'], limit: 2 })
  expect([namesOf(window), window.total, window.facets.tags]).toEqual([['e', 'b'], 5, { red: 3, blue: 2 }])
  expect(namesOf(windowOf([...some, ...others], { firstOf: 'tags' }))).toEqual(['e', 'b', 'd'])
  expect(window.versions).toEqual({ 'team-a': '1', 'team-b': '1' })
})

it('an object with values of the wrong shape has a row without them', () => {
  // Clusters do not validate all that rules read.
  const wrong = { name: 'w', state: 7, tags: 'red', size: 'large' } as unknown as Thing['spec'] & { name: string }
  const window = windowOf([wrong], { facets: ['state', 'tags'], sort: 'size' })
  expect([namesOf(window), window.facets]).toEqual([['w'], { state: {}, tags: { red: 1 } }])
})
