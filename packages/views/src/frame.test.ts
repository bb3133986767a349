import { expect, it, test } from 'vitest'
import { kinds as all } from '../test/model'
import { mostNamespaces, mostRows, parseMessage } from './frame'

const kinds = new Map(all.map((kind) => [kind.id, kind]))
const query = { kind: 'things', namespaces: ['team-a'], limit: 50 }

test.each<[string, object]>([
  ['an unknown kind', { ...query, kind: 'secrets' }],
  ['a name of every object as its kind', { ...query, kind: 'toString' }],
  ['no namespaces', { ...query, namespaces: undefined }],
  ['namespaces that are not texts', { ...query, namespaces: [7] }],
  ['too many namespaces', { ...query, namespaces: Array(mostNamespaces + 1).fill('a') }],
  ['a filter of an unknown field', { ...query, where: { owner: ['ann'] } }],
  ['a filter of a name of every object', { ...query, where: { constructor: ['ann'] } }],
  ['a filter of a field without choices', { ...query, where: { size: ['1'] } }],
  ['a filter without a list', { ...query, where: { state: 'done' } }],
  ['filters in a list', { ...query, where: [] }],
  ['a facet without choices', { ...query, facets: ['name'] }],
  ['the first of a field without choices', { ...query, firstOf: 'name' }],
  ['a filter of firsts without firsts', { ...query, having: { state: ['done'] } }],
  ['a filter of firsts of an unknown field', { ...query, firstOf: 'state', having: { owner: ['ann'] } }],
  ['an order by an unknown field', { ...query, sort: '-owner' }],
  ['an order that is not a text', { ...query, sort: 1 }],
  ['a text that is not a text', { ...query, text: { length: 1 } }],
  ['a text that is too long', { ...query, text: 'a'.repeat(1_001) }],
  ['no rows', { ...query, limit: 0 }],
  ['too many rows', { ...query, limit: mostRows + 1 }],
  ['a limit that is not a number', { ...query, limit: '50' }],
  ['a negative offset', { ...query, offset: -1 }],
])('a query with %s is rejected', (_, invalid) => {
  expect(parseMessage({ type: 'open', id: '1', query: invalid }, kinds)).toMatchObject({ type: 'invalid', id: '1' })
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'open'],
  ['a list', []],
  ['no id', { type: 'open', query }],
  ['an unknown type', { type: 'read', id: '1', query }],
  ['a version that cannot be compared', { type: 'open', id: '1', query, atLeast: { 'team-a': 'x' } }],
  ['no query', { type: 'open', id: '1' }],
])('a message with %s is rejected', (_, message) => expect(parseMessage(message, kinds).type).toBe('invalid'))

it('a query has nothing that is not part of queries', () => {
  expect(parseMessage({ type: 'open', id: '1', query: { ...query, padding: 'x' }, extra: 1 }, kinds)).toEqual({
    type: 'open',
    id: '1',
    query,
  })
})

it('a change may have only a version', () => {
  const message = { type: 'change', id: '1', atLeast: { 'team-a': '7' } }
  expect(parseMessage(message, kinds)).toEqual(message)
})
