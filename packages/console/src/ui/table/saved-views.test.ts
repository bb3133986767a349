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
/** A table whose user has chosen no columns. */
const rows = (query: string) => ({ query, queryInUrl: query })

const withColumns: SavedView = { name: 'Narrow', query: `${failed.query}&columns=status,name` }
test.each<[string, Parameters<typeof currentView>[1], ReturnType<typeof currentView>]>([
  [
    'the one with the columns of the table, too',
    { query: withColumns.query, queryInUrl: failed.query, chosen: 'Narrow', isFiltered: true },
    { view: withColumns, isEdited: false },
  ],
  [
    'one that says no columns, whatever columns the user has chosen elsewhere',
    { query: `${failed.query}&columns=name`, queryInUrl: failed.query, chosen: 'Failed', isFiltered: true },
    { view: failed, isEdited: false },
  ],
  [
    'the chosen one, edited, if its columns have changed',
    { query: `${slow.query}&columns=name`, queryInUrl: '?status=Failed&sort=name', chosen: 'Narrow', isFiltered: true },
    { view: withColumns, isEdited: true },
  ],
  [
    'the one with the query of the table',
    { ...rows(slow.query), chosen: undefined, isFiltered: false },
    { view: slow, isEdited: false },
  ],
  [
    'the chosen one of two with the same query',
    { ...rows(failed.query), chosen: 'Failed', isFiltered: true },
    { view: failed, isEdited: false },
  ],
  [
    'the chosen one, edited, if the query has changed',
    { ...rows('?status=Running'), chosen: 'Failed', isFiltered: true },
    { view: failed, isEdited: true },
  ],
  [
    'another one to which the query has been changed',
    { ...rows(slow.query), chosen: 'Failed', isFiltered: false },
    { view: slow, isEdited: false },
  ],
  [
    'none once all filters are cleared',
    { ...rows('?sort=-started'), chosen: 'Failed', isFiltered: false },
    { view: undefined, isEdited: false },
  ],
  [
    'none if none was chosen',
    { ...rows('?status=Running'), chosen: undefined, isFiltered: true },
    { view: undefined, isEdited: false },
  ],
  [
    'none if the chosen one was deleted',
    { ...rows('?status=Running'), chosen: 'Deleted', isFiltered: true },
    { view: undefined, isEdited: false },
  ],
])('the current view is %s', (_, table, expected) =>
  expect(currentView([same, failed, slow, withColumns], table)).toEqual(expected),
)
