import { describe, expect, expectTypeOf, it, test, vi } from 'vitest'
import {
  type Arranged,
  arrange,
  type ChoiceFilter,
  type Column,
  countChoices,
  type Filter,
  filterRows,
  isDescending,
  sortedColumn,
  type FilterValues,
} from './rows'

interface Ship {
  name: string
  port: string
  built?: number
}

const rows: Ship[] = [
  { name: 'Ebba', port: 'Oslo', built: 1901 },
  { name: 'aurora', port: 'Turku' },
  { name: 'Vega', port: 'Kiel', built: 1872 },
  { name: 'Brahe', port: 'Kiel', built: 1901 },
]
const columns: Column<Ship>[] = [
  { id: 'name', label: 'Name', sortBy: (ship) => ship.name.toLowerCase(), cell: (ship) => ship.name },
  { id: 'port', label: 'Port', cell: (ship) => ship.port },
  { id: 'built', label: 'Built', sortBy: (ship) => ship.built, cell: (ship) => ship.built },
]
const filters: Filter<Ship>[] = [
  { id: 'name', label: 'name', text: (ship) => ship.name },
  { id: 'port', label: 'port', text: (ship) => ship.port },
]
const port: ChoiceFilter<Ship> = { id: 'harbour', label: 'Harbour', choices: (ship) => ship.port }
const age: ChoiceFilter<Ship> = {
  id: 'age',
  label: 'Age',
  values: ['old', 'very old', 'new'],
  choices: ({ built }) => (built === undefined ? undefined : ['old', ...(built < 1900 ? ['very old'] : [])]),
}
const allFilters = [...filters, port, age]
/** Arranges one list after another, as a table does. */
function arranging(
  sort: string,
  filterValues: FilterValues = {},
  { columns: all = columns, filters: own = allFilters }: { columns?: Column<Ship>[]; filters?: Filter<Ship>[] } = {},
) {
  let arranged: Arranged<Ship> | undefined
  const sortColumn = all.find(({ id }) => id === sortedColumn(sort))
  return (ships: readonly Ship[]) => {
    const input = {
      rows: ships,
      kind: { idOf: ({ name }: Ship) => name },
      sortColumn,
      isDescending: isDescending(sort),
    }
    arranged = arrange<Ship>({ ...input, filters: own, filterValues }, arranged)
    return arranged.rows
  }
}
const names = (ships: readonly Ship[]) => ships.map((ship) => ship.name).join(' ')

test.each([
  ['LIST-03 no filter keeps every row', {}, 'Ebba aurora Vega Brahe'],
  ['LIST-03 a part of the text is enough', { name: 'ra' }, 'aurora Brahe'],
  ['LIST-03 case does not matter', { name: 'EB' }, 'Ebba'],
  ['LIST-03 surrounding spaces are ignored', { name: '  ve ' }, 'Vega'],
  ['LIST-03 a blank text keeps every row', { name: '   ' }, 'Ebba aurora Vega Brahe'],
  ['LIST-03 every filter has to match', { name: 'a', port: 'kiel' }, 'Vega Brahe'],
  ['LIST-03 a text is not a pattern', { name: '.*' }, ''],
  ['LIST-03 a filter that does not exist changes nothing', { colour: 'red' }, 'Ebba aurora Vega Brahe'],
])('%s', (_, filterValues, expected) => {
  expect(names(filterRows(rows, filters, filterValues))).toBe(expected)
})

test.each<[string, FilterValues, string]>([
  ['no selected value keeps every row', { harbour: [] }, 'Ebba aurora Vega Brahe'],
  ['one of the selected values is enough', { harbour: ['Kiel', 'Oslo'] }, 'Ebba Vega Brahe'],
  ['a row may have several values', { age: ['very old'] }, 'Vega'],
  ['a row without a value does not match', { age: ['old'] }, 'Ebba Vega Brahe'],
  ['a part of a value does not match', { harbour: ['Ki'] }, ''],
  ['every filter has to match', { harbour: ['Kiel'], age: ['very old'] }, 'Vega'],
  ['a text is not a choice', { harbour: 'Kiel' }, 'Ebba aurora Vega Brahe'],
  ['a choice is not a text', { name: ['Vega'] }, 'Ebba aurora Vega Brahe'],
])('a choice filter: %s', (_, filterValues, expected) => {
  expect(names(filterRows(rows, [...filters, port, age], filterValues))).toBe(expected)
})

describe('the counts of a group', () => {
  const counts = (filter: ChoiceFilter<Ship>, filterValues: FilterValues = {}) =>
    countChoices(rows, [...filters, port, age], filterValues, filter).map(({ value, count }) => `${value} ${count}`)

  it('LIST-04 count the values of the rows, sorted by name', () => {
    expect(counts(port)).toEqual(['Kiel 2', 'Oslo 1', 'Turku 1'])
  })

  it('LIST-04 are in the order of the possible values if these are known', () => {
    expect(counts(age)).toEqual(['old 3', 'very old 1'])
  })

  it('LIST-04 consider the other filters, but not their own selection', () => {
    expect(counts(port, { harbour: ['Oslo'], name: 'e' })).toEqual(['Kiel 2', 'Oslo 1'])
  })

  it('keep a selected value that no row has any more', () => {
    expect(counts(port, { harbour: ['Gdynia'] })).toEqual(['Gdynia 0', 'Kiel 2', 'Oslo 1', 'Turku 1'])
  })
})

it('LIST-18 a column has one of the steps of width, or none', () => {
  expectTypeOf<Column<Ship>['width']>().toEqualTypeOf<10 | 15 | 20 | 25 | 30 | 33 | 40 | 50 | undefined>()
})

test.each([
  ['by name', 'name', 'aurora Brahe Ebba Vega'],
  ['by name, descending', '-name', 'Vega Ebba Brahe aurora'],
  ['with equal values in their original order and missing values last', 'built', 'Vega Ebba Brahe aurora'],
  ['with missing values last in descending order too', '-built', 'Ebba Brahe Vega aurora'],
  ['nothing for a column that cannot be sorted', 'port', 'Ebba aurora Vega Brahe'],
  ['nothing for an unknown column', '__proto__', 'Ebba aurora Vega Brahe'],
])('sorts %s', (_, sort, expected) => {
  expect(names(arranging(sort)(rows))).toBe(expected)
})

describe('the input array', () => {
  it('is not changed', () => {
    const before = [...rows]
    arranging('-name')(rows)
    expect(rows).toEqual(before)
  })
})

describe('rows of which only some change', () => {
  it('are tested and compared only if they have changed', () => {
    const text = vi.fn((ship: Ship) => ship.name)
    const sortBy = vi.fn((ship: Ship) => ship.name)
    const rowsOf = arranging(
      'name',
      { name: 'a' },
      {
        columns: [{ id: 'name', label: 'Name', sortBy, cell: () => null }],
        filters: [{ id: 'name', label: 'name', text }],
      },
    )
    expect(names(rowsOf(rows))).toBe('Brahe Ebba Vega aurora')
    text.mockClear()
    sortBy.mockClear()
    const vega = { name: 'Vega', port: 'Malmö' }
    expect(rowsOf(rows.with(2, vega))[2]).toBe(vega)
    expect(text).toHaveBeenCalledTimes(1)
    expect(sortBy).toHaveBeenCalledTimes(1)
  })

  it.each(['', 'name'])('are the same array if only hidden rows have changed, in order %j', (sort) => {
    const rowsOf = arranging(sort, { name: 'ra' })
    const before = rowsOf(rows)
    expect(rowsOf(rows.with(2, { name: 'Vega', port: 'Malmö' }))).toBe(before)
  })
})
