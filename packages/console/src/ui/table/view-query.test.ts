import { expect, test } from 'vitest'
import type { Filter, FilterValues } from './rows'
import { viewQueryOf } from './view-query'

const filters: Filter<string>[] = [
  { id: 'name', label: 'name', text: String },
  { id: 'status', label: 'Status', choices: String },
  { id: 'type', label: 'Type', choices: String },
]
const view = { kind: 'things', namespaces: ['a'] }
const base = { ...view, sort: '-started', facets: ['status', 'type'] }

test.each([
  ['nothing', {}, base],
  ['a text', { name: ' Ab ' }, { ...base, text: ' Ab ' }],
  ['blanks', { name: '  ' }, base],
  ['values', { status: ['Failed', 'Running'], type: [] }, { ...base, where: { status: ['Failed', 'Running'] } }],
  ['a filter that the table does not have', { other: ['x'] }, base],
])('the query of a table that is filtered by %s', (_, filterValues, expected) => {
  expect(viewQueryOf(view, { filters, filterValues, sort: '-started' })).toEqual(expected)
})

test('the query of a table with a filter that names its field, and switches', () => {
  const own: Filter<string>[] = [
    { id: 'plan', label: 'Plan', choices: String, field: 'release plan' },
    { id: 'hide', label: 'Hide drafts', hides: () => false, query: { where: { isDraft: ['no'] } } },
    { id: 'latest', label: 'Only the latest', hides: () => false, query: { latestOf: 'component' } },
  ]
  const queryWith = (filterValues: FilterValues) => viewQueryOf(view, { filters: own, filterValues, sort: '' })
  const plain = { ...view, sort: '', facets: ['release plan'] }
  expect(queryWith({})).toEqual(plain)
  expect(queryWith({ plan: ['a'], hide: 'true' })).toEqual({
    ...plain,
    where: { isDraft: ['no'], 'release plan': ['a'] },
  })
  expect(queryWith({ latest: 'true' })).toEqual({ ...plain, latestOf: 'component' })
})

test('the query of a table whose list is itself a selection', () => {
  const selected = { ...view, where: { application: ['a'] } }
  const queryWith = (filterValues: FilterValues) => viewQueryOf(selected, { filters, filterValues, sort: '' }).where
  expect(queryWith({})).toEqual({ application: ['a'] })
  expect(queryWith({ status: ['Failed'] })).toEqual({ application: ['a'], status: ['Failed'] })
})
