import { afterEach, expect, it, test } from 'vitest'
import { currentView, savedViews, type SavedView, withoutView, withView } from './saved-views'

const failed: SavedView = { name: 'Failed', query: '?status=Failed&sort=-started' }
const slow: SavedView = { name: 'Slow', query: '?sort=-duration' }

afterEach(() => localStorage.clear())

it('stores views by name', () => {
  const { views } = savedViews('test')
  views.set(withView(withView([], slow), failed))
  expect(views.get()).toEqual([failed, slow])
  expect(savedViews('test').views).toBe(views)
  expect(savedViews('other').views.get()).toEqual([])
})

it('replaces the view of the same name', () => {
  const changed = { ...failed, query: slow.query }
  expect(withView([failed, slow], changed)).toEqual([changed, slow])
  expect(withoutView([failed, slow], 'Failed')).toEqual([slow])
})

test.each<[string, unknown, SavedView[]]>([
  ['text', 'nonsense', []],
  ['an object', { Failed: '?status=Failed' }, []],
  ['other values in the list', [null, 7, [], 'a', {}, { name: 'a' }, { query: '?a=b' }, slow], [slow]],
  ['a name without text', [{ name: ' ', query: '?a=b' }], []],
  ['a name that is too long', [{ name: 'a'.repeat(61), query: '?a=b' }], []],
  ['a URL in place of a query', [{ name: 'a', query: '//evil.example?a=b' }], []],
  ['two of the same name', [failed, { ...failed, query: '?' }], [failed]],
  ['views in another order', [slow, failed], [failed, slow]],
])('reads only views from storage: %s', (_, value, expected) => {
  localStorage.setItem('slipway-views-test', JSON.stringify(value))
  expect(savedViews('test').views.get()).toEqual(expected)
})

it('reads fifty views at most', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ name: `View ${index}`, query: '?' }))
  localStorage.setItem('slipway-views-test', JSON.stringify(many))
  expect(savedViews('test').views.get()).toHaveLength(50)
})

const same: SavedView = { name: 'Also failed', query: failed.query }
test.each<[string, Parameters<typeof currentView>[1], ReturnType<typeof currentView>]>([
  [
    'the one with the query of the table',
    { query: slow.query, chosen: undefined, isFiltered: false },
    { view: slow, isEdited: false },
  ],
  [
    'the chosen one of two with the same query',
    { query: failed.query, chosen: 'Failed', isFiltered: true },
    { view: failed, isEdited: false },
  ],
  [
    'the chosen one, edited, if the query has changed',
    { query: '?status=Running', chosen: 'Failed', isFiltered: true },
    { view: failed, isEdited: true },
  ],
  [
    'another one to which the query has been changed',
    { query: slow.query, chosen: 'Failed', isFiltered: false },
    { view: slow, isEdited: false },
  ],
  [
    'none once all filters are cleared',
    { query: '?sort=-started', chosen: 'Failed', isFiltered: false },
    { view: undefined, isEdited: false },
  ],
  [
    'none if none was chosen',
    { query: '?status=Running', chosen: undefined, isFiltered: true },
    { view: undefined, isEdited: false },
  ],
  [
    'none if the chosen one was deleted',
    { query: '?status=Running', chosen: 'Deleted', isFiltered: true },
    { view: undefined, isEdited: false },
  ],
])('the current view is %s', (_, table, expected) => expect(currentView([same, failed, slow], table)).toEqual(expected))
