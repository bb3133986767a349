import type { ReactNode } from 'react'
import type { RowKind } from '../../api/source'
import type { RowsQuery } from '../../api/views/use-view'
import { type Order, type Sorted, sortIncrementally } from '../../lib/incremental-sort'

/**
 * A column; the columns of a table are one constant at the level of its module.
 * @typeParam A what its cells need besides the row, such as the parameters of the route (`at` of the table)
 */
export interface Column<T, A = void> {
  id: string
  label: string
  /** Makes the column sortable by this value; rows without one come last. */
  sortBy?: (row: T) => string | number | undefined
  /** What a first click on the header sorts by, such as for times; ascending without it. */
  firstDirection?: 'desc'
  /** What the cell shows; the text of the link if it is one. */
  cell: (row: T, at: A) => ReactNode
  /** Names the row: announced with each of its cells, and never hidden. */
  isRowHeader?: boolean
  /**
   * Makes the cell of the column that names the row a link to the page of the row, from which users go on to the next
   * row (ListPosition.tsx). A row without a URL has no page.
   */
  linkTo?: (row: T, at: A) => string | undefined
  /** Shown in front of the link. */
  prefix?: (row: T, at: A) => ReactNode
  /** Shown behind the link. */
  suffix?: (row: T, at: A) => ReactNode
  /** Hidden until the user selects it under 'Manage columns'. */
  hiddenByDefault?: boolean
  /** The narrowest screen that shows it, in a table of more than four columns; every screen without it. */
  visibleFrom?: 'lg' | 'xl' | 'wide' | '2xl'
  /** Shows all of its text, on several lines, in a table whose point is what it says. */
  wraps?: boolean
  /** Percent of the table's width; what is left over is shared by the columns without one. */
  width?: 10 | 15 | 20 | 25 | 30 | 33 | 40 | 50
  /** Instead of `width`: for a column whose words are known, which are shown whole however narrow the table is. */
  widthRem?: number
}

/** The filters of a table are one constant at the level of its module. The `id` is also the parameter in the URL. */
export type Filter<T> = TextFilter<T> | ChoiceFilter<T> | HidingFilter<T>

/** Keeps the rows whose text contains what is typed. */
export interface TextFilter<T> {
  id: string
  /** Used in `Filter by {label}...`. */
  label: string
  text: (row: T) => string
}

/** Keeps the rows that have one of the selected values. */
export interface ChoiceFilter<T> {
  id: string
  /** On the button and before the chips, such as `Status`. */
  label: string
  /** The values of a row: one, several or none. */
  choices: (row: T) => string | readonly string[] | undefined
  /** All possible values, in the order in which to show those of the rows; by name without it. */
  values?: readonly string[]
  /** The field of a view kind that has these values, if it is not named as the filter. */
  field?: string
}

/** A switch that hides some rows. */
export interface HidingFilter<T> {
  id: string
  /** Label of the switch, such as `Hide pull requests`. */
  label: string
  hides: (row: T) => boolean
  /** How a view leaves these rows out, if the table shows one. */
  query?: Pick<RowsQuery, 'where' | 'latestOf'>
}

/** Value of a switch that is on. */
export const switchedOn = 'true'

/** The current filters by id: a text, the selected values, or `switchedOn`. */
export type FilterValues = Readonly<Record<string, string | readonly string[] | null | undefined>>

export const isChoice = <T>(filter: Filter<T>): filter is ChoiceFilter<T> => 'choices' in filter

export const isHiding = <T>(filter: Filter<T>): filter is HidingFilter<T> => 'hides' in filter

/** The order of a table: the id of a column, with a minus before it when descending. */
export type Sort = string

export const isDescending = (sort: Sort): boolean => sort.startsWith('-')
export const sortedColumn = (sort: Sort): string => (isDescending(sort) ? sort.slice(1) : sort)

/** The rows that match every filter: texts ignore case and surrounding spaces, and one selected value is enough. */
export function filterRows<T>(
  rows: readonly T[],
  filters: readonly Filter<T>[],
  filterValues: FilterValues,
): readonly T[] {
  const test = rowTest(filters, filterValues)
  return test ? rows.filter(test) : rows
}

/** `undefined` if no filter is set. */
function rowTest<T>(filters: readonly Filter<T>[], filterValues: FilterValues): ((row: T) => boolean) | undefined {
  const tests = filters.flatMap((filter) => testOf(filter, filterValues[filter.id]) ?? [])
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row))
}

export interface ArrangeInput<T> {
  rows: readonly T[]
  kind: Pick<RowKind<T>, 'idOf'>
  /** The column to sort by, with its direction; the rows stay as they come without one. */
  sortColumn: Pick<Column<T, never>, 'sortBy'> | undefined
  isDescending: boolean
  filters: readonly Filter<T>[]
  filterValues: FilterValues
}

/** The rows of a table, filtered and sorted, with what is needed to update them. */
export interface Arranged<T> {
  input: ArrangeInput<T>
  /** Whether each row of the input matches the filters; `undefined` without a filter. */
  verdicts: readonly boolean[] | undefined
  sorted: Sorted<T, SortValue> | undefined
  rows: readonly T[]
}

/**
 * Filters and sorts the rows of a table. If only some rows have changed, only these are read again, and `rows` is the
 * same array if nothing in it has changed. Measured with 10,000 rows: 20 ms for all of them, 0.3 ms for one.
 */
export function arrange<T extends object>(input: ArrangeInput<T>, before?: Arranged<T>): Arranged<T> {
  const { rows, kind, sortColumn, isDescending: descending, filters, filterValues } = input
  const isSameFilter = before?.input.filters === filters && before.input.filterValues === filterValues
  const isSameOrder = before?.input.sortColumn === sortColumn && before?.input.isDescending === descending
  if (before && isSameFilter && isSameOrder && rows === before.input.rows) return before
  const test = rowTest(filters, filterValues)
  const verdicts = test && testRows(rows, test, isSameFilter ? before : undefined)
  const matching = verdicts ? rows.filter((_, at) => verdicts[at]) : rows
  const valueOf = sortColumn?.sortBy
  const sorted =
    valueOf &&
    sortIncrementally(
      matching,
      { idOf: kind.idOf, valueOf, compare: descending ? compareDescending : compareAscending },
      isSameOrder ? before.sorted : undefined,
    )
  const arranged = sorted?.rows ?? matching
  const isSame =
    before && before.rows.length === arranged.length && arranged.every((row, at) => row === before.rows[at])
  return { input, verdicts, sorted, rows: isSame ? before.rows : arranged }
}

/** Rows that kept their index, or moved by the number of rows inserted before them, are not tested again. */
function testRows<T>(
  rows: readonly T[],
  test: (row: T) => boolean,
  before: Arranged<T> | undefined,
): readonly boolean[] {
  if (!before?.verdicts) return rows.map(test)
  const known = before.verdicts
  const old = before.input.rows
  const moved = rows.length - old.length
  return rows.map((row, at) => {
    if (row === old[at]) return known[at] ?? test(row)
    return row === old[at - moved] ? (known[at - moved] ?? test(row)) : test(row)
  })
}

type SortValue = string | number | undefined

/** Names of objects are ASCII, so their order is that of their code; rows without a value come last. */
const compareBy =
  (sign: 1 | -1): Order<unknown, SortValue>['compare'] =>
  (a, b) => {
    if (a === b) return 0
    if (a === undefined) return 1
    if (b === undefined) return -1
    return a < b ? -sign : sign
  }
const compareAscending = compareBy(1)
const compareDescending = compareBy(-1)

function testOf<T>(filter: Filter<T>, filterValue: FilterValues[string]): ((row: T) => boolean) | undefined {
  if (isChoice(filter)) {
    if (!Array.isArray(filterValue) || filterValue.length === 0) return undefined
    const chosen = new Set(filterValue)
    return (row) => choicesOf(filter, row).some((value) => chosen.has(value))
  }
  if (isHiding(filter)) return filterValue === switchedOn ? (row) => !filter.hides(row) : undefined
  const part = typeof filterValue === 'string' ? filterValue.trim().toLowerCase() : ''
  return part ? (row) => filter.text(row).toLowerCase().includes(part) : undefined
}

function choicesOf<T>({ choices }: ChoiceFilter<T>, row: T): readonly string[] {
  const value = choices(row)
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

export interface Choice {
  value: string
  /** How many rows choosing it would show, while the other filters stay as they are. */
  count: number
}

/**
 * The choices of a filter: the values of the rows that match the other filters. A selected value stays listed if no row
 * has it any more, so that it can be removed.
 * @param others how many other rows have each value
 */
export function countChoices<T>(
  rows: readonly T[],
  filters: readonly Filter<T>[],
  filterValues: FilterValues,
  filter: ChoiceFilter<T>,
  others: Readonly<Record<string, number>> = {},
): Choice[] {
  const counts = new Map(Object.entries(others))
  for (const row of filterRows(rows, filters, { ...filterValues, [filter.id]: undefined })) {
    for (const value of new Set(choicesOf(filter, row))) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const { id, values } = filter
  const chosen = filterValues[id]
  const all = new Map((Array.isArray(chosen) ? chosen : []).map((value: string) => [value, 0]))
  for (const [value, count] of counts) all.set(value, count)
  const order = (a: Choice, b: Choice) =>
    values ? values.indexOf(a.value) - values.indexOf(b.value) : a.value < b.value ? -1 : 1
  return [...all].map(([value, count]) => ({ value, count })).sort(order)
}
