import { expect, test } from 'vitest'
import { parseColumnIds, tableWidths, visibleColumns } from './columns'
import type { Column } from './rows'

const columns: Column<string>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, cell: String },
  { id: 'status', label: 'Status', cell: String },
  { id: 'branch', label: 'Branch', hiddenByDefault: true, cell: String },
]

const wide = { lg: false, xl: false, wide: false, '2xl': false }

test.each<[string, readonly string[] | undefined, string]>([
  ['no choice shows the default columns', undefined, 'name status'],
  ['selected columns are shown in the order of the table', ['branch', 'status'], 'name status branch'],
  ['LIST-12 the column that names the row is always shown', ['branch'], 'name branch'],
  ['unknown columns are ignored', ['status', 'colour'], 'name status'],
  ['a choice without any known column is ignored', ['colour', '__proto__'], 'name status'],
])('%s', (_, chosen, expected) => {
  expect(
    visibleColumns(columns, chosen, wide)
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

const many: Column<string>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, visibleFrom: 'xl', cell: String },
  { id: 'status', label: 'Status', cell: String },
  { id: 'started', label: 'Started', visibleFrom: 'lg', cell: String },
  { id: 'user', label: 'User', visibleFrom: 'xl', cell: String },
  { id: 'reference', label: 'Reference', visibleFrom: 'xl', cell: String },
]

test.each<[string, number, readonly string[] | undefined, string]>([
  ['LIST-16 of four columns, each is shown at every width', 4, undefined, 'name status started user'],
  [
    'of five columns, one may need a wide screen, but not the one that names the row',
    5,
    undefined,
    'name status started',
  ],
  ['so it is if no chosen column exists', 5, ['colour'], 'name status started'],
  ['one that needs no wide screen is always shown', 5, ['status'], 'name status'],
  [
    'LIST-12 a column that was chosen is shown at every width',
    5,
    ['status', 'started', 'user', 'reference'],
    'name status started user reference',
  ],
])('%s', (_, count, chosen, expected) => {
  const shown = visibleColumns(many.slice(0, count), chosen, { lg: false, xl: true, wide: true, '2xl': true })
  expect(shown.map(({ id }) => id).join(' ')).toBe(expected)
})

test.each([
  [15, 15],
  [15, 10, 10, 15, 10, 10, 10],
  [15, 15, 15, 10, 10, 10, 10, 10, 15, 10],
] as const)('LIST-12 columns of %j percent and more leave the name its width', (...widths) => {
  const { leastRem, scale } = tableWidths([
    { id: 'name', label: 'Name', isRowHeader: true, cell: String },
    ...widths.map((width, id) => ({ id: String(id), label: 'Sized', width, cell: String })),
  ])
  const share = widths.reduce((sum, width) => sum + width, 0) * scale
  const controlsRem = 6
  for (const tableRem of [leastRem, 60, 120].filter((rem) => rem >= leastRem)) {
    expect(tableRem * (1 - share / 100) - controlsRem).toBeGreaterThanOrEqual(12.5 - 1e-9)
  }
})
