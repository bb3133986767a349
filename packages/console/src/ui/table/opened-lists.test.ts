import { afterEach, expect, it, test } from 'vitest'
import { isWithin, type OpenedList, openedLists, positionOf, rememberList, sameTab } from './opened-lists'

const list = (over: Partial<OpenedList> = {}): OpenedList => ({
  label: 'Pipeline runs',
  url: '/ns/team/runs?status=Failed',
  items: ['/runs/a', '/runs/b?release=r', '/runs/c'],
  offset: 0,
  total: 3,
  ...over,
})

afterEach(() => openedLists.clear())

test.each<[string, string, OpenedList[], [number, string | undefined, string | undefined] | undefined]>([
  ['the first', '/runs/a', [list()], [1, undefined, '/runs/b?release=r']],
  ['one whose URL has a query', '/runs/b', [list()], [2, '/runs/a', '/runs/c']],
  ['the last', '/runs/c', [list()], [3, '/runs/b?release=r', undefined]],
  [
    'one of a part of a long list',
    '/runs/a',
    [list({ offset: 100, total: 900 })],
    [101, undefined, '/runs/b?release=r'],
  ],
  ['one in two lists', '/runs/c', [list({ items: ['/runs/c', '/runs/a'] }), list()], [1, undefined, '/runs/a']],
  ['one in an older list', '/runs/b', [list({ items: ['/runs/x'] }), list()], [2, '/runs/a', '/runs/c']],
  ['a page below an item', '/runs/a/logs', [list()], undefined],
  ['another page', '/runs/z', [list()], undefined],
  ['no list', '/runs/a', [], undefined],
])('the position of %s', (_, page, lists, expected) => {
  const position = positionOf(page, lists)
  expect(position && [position.number, position.previous, position.next]).toEqual(expected)
})

test.each([
  ['the page itself', '/runs/b', '/runs/a', '/runs/a', '/runs/b'],
  ['a tab', '/runs/b', '/runs/a', '/runs/a/logs', '/runs/b/logs'],
  ['a tab of an item whose URL has a query', '/runs/b?release=r', '/runs/a', '/runs/a/logs', '/runs/b/logs?release=r'],
])('the same tab of the next item: %s', (_, item, page, pathname, expected) =>
  expect(sameTab(item, page, pathname)).toBe(expected),
)

test.each([
  ['/runs/a', true],
  ['/runs/a/logs', true],
  ['/runs/a-b', false],
  ['/runs', false],
])('whether %s is the page of /runs/a or one of its tabs: %s', (pathname, expected) =>
  expect(isWithin('/runs/a', pathname)).toBe(expected),
)

it('remembers the items around the opened one of a long list', () => {
  const items = Array.from({ length: 10_000 }, (_, index) => `/runs/${index}`)
  rememberList(list(), items, '/runs/5000')
  const [remembered] = openedLists.get()
  expect(remembered).toMatchObject({ offset: 4_750, total: 10_000 })
  expect(remembered?.items).toHaveLength(501)
  expect(positionOf('/runs/5000', openedLists.get())).toMatchObject({
    number: 5_001,
    previous: '/runs/4999',
    next: '/runs/5001',
  })
})

it('replaces what it knows of a list, and forgets the oldest of six', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) rememberList(list({ url: `/${name}` }), ['/runs/a'], '/runs/a')
  rememberList(list({ url: '/c?status=Failed' }), ['/runs/a'], '/runs/a')
  expect(openedLists.get().map(({ url }) => url)).toEqual(['/c?status=Failed', '/e', '/d', '/b', '/a'])
  rememberList(list({ url: '/f' }), ['/runs/a'], '/runs/a')
  expect(openedLists.get().map(({ url }) => url)).toEqual(['/f', '/c?status=Failed', '/e', '/d', '/b'])
})

it('remembers nothing if the opened item is not in the list', () => {
  rememberList(list(), ['/runs/a'], '/runs/b')
  expect(openedLists.get()).toEqual([])
})

test.each([
  ['text', 'nonsense'],
  ['an object', '{}'],
  ['lists without items', '[{"label":"a","url":"/a","offset":0,"total":1}, null, 7]'],
  ['items on another site', JSON.stringify([list({ items: ['//evil.example'] })])],
  ['a list on another site', JSON.stringify([list({ url: 'https://evil.example' })])],
])('ignores what it has not stored itself: %s', (_, text) => {
  sessionStorage.setItem('slipway-opened-lists', text)
  expect(openedLists.get()).toEqual([])
})
