import { expect, test } from 'vitest'
import { columnClass, parseColumnIds, visibleColumns } from './columns'
import type { Column } from './rows'

const columns: Column<string>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, cell: String },
  { id: 'status', label: 'Status', cell: String },
  { id: 'branch', label: 'Branch', hiddenByDefault: true, cell: String },
]

test.each<[string, readonly string[] | undefined, string]>([
  ['no choice shows the default columns', undefined, 'name status'],
  ['selected columns are shown in the order of the table', ['branch', 'status'], 'name status branch'],
  ['LIST-12 the column that names the row is always shown', ['branch'], 'name branch'],
  ['unknown columns are ignored', ['status', 'colour'], 'name status'],
  ['a choice without any known column is ignored', ['colour', '__proto__'], 'name status'],
])('%s', (_, chosen, expected) => {
  expect(
    visibleColumns(columns, chosen)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(expected)
})

test.each<[unknown, readonly string[] | undefined]>([
  [undefined, undefined],
  ['name', undefined],
  [{ 0: 'name' }, undefined],
  [[], undefined],
  [[1, null], undefined],
  [
    ['name', 7, 'branch'],
    ['name', 'branch'],
  ],
])('the stored value %j is parsed as %j', (value, expected) => {
  expect(parseColumnIds(value)).toEqual(expected)
})

test.each<[string, Pick<Column<string>, 'visibleFrom' | 'isRowHeader' | 'wraps'>, number, string | undefined]>([
  ['of four columns, each is shown at every width', { visibleFrom: 'xl' }, 4, undefined],
  ['of five columns, one may need a wide screen', { visibleFrom: 'xl' }, 5, 'slipway-table__from-xl'],
  ['one that needs no wide screen is always shown', {}, 9, undefined],
  ['so is the one that names the row', { visibleFrom: 'xl', isRowHeader: true }, 9, undefined],
  ['a column of sentences wraps', { wraps: true }, 9, 'slipway-table__wraps'],
])('%s', (_, column, count, expected) => {
  expect(columnClass({ id: 'x', label: 'X', cell: String, ...column }, count)).toBe(expected)
})
