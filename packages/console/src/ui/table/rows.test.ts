import { describe, expect, it, test } from 'vitest'
import { type Column, type Filter, filterRows, sortRows } from './rows'

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
const names = (ships: Ship[]) => ships.map((ship) => ship.name).join(' ')

test.each([
  ['LIST-03 nothing asked for keeps every row', {}, 'Ebba aurora Vega Brahe'],
  ['LIST-03 a part of the text is enough', { name: 'ra' }, 'aurora Brahe'],
  ['LIST-03 upper and lower case are the same', { name: 'EB' }, 'Ebba'],
  ['LIST-03 blanks around the text do not count', { name: '  ve ' }, 'Vega'],
  ['LIST-03 only blanks ask for nothing', { name: '   ' }, 'Ebba aurora Vega Brahe'],
  ['LIST-03 every filter has to match', { name: 'a', port: 'kiel' }, 'Vega Brahe'],
  ['LIST-03 a text is no pattern', { name: '.*' }, ''],
  ['LIST-03 a filter that does not exist changes nothing', { colour: 'red' }, 'Ebba aurora Vega Brahe'],
])('%s', (_, wanted, expected) => {
  expect(names(filterRows(rows, filters, wanted))).toBe(expected)
})

test.each([
  ['by name', 'name', 'aurora Brahe Ebba Vega'],
  ['by name, descending', '-name', 'Vega Ebba Brahe aurora'],
  ['equal values stay as they came, and what has no value comes last', 'built', 'Vega Ebba Brahe aurora'],
  ['what has no value comes last in descending order too', '-built', 'Ebba Brahe Vega aurora'],
  ['a column that cannot be sorted changes nothing', 'port', 'Ebba aurora Vega Brahe'],
  ['a column that does not exist changes nothing', '__proto__', 'Ebba aurora Vega Brahe'],
])('sorts %s', (_, sort, expected) => {
  expect(names(sortRows(rows, columns, sort))).toBe(expected)
})

describe('what is given', () => {
  it('is not changed', () => {
    const before = [...rows]
    sortRows(rows, columns, '-name')
    expect(rows).toEqual(before)
  })
})
