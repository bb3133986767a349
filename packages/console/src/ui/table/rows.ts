import { type KubeObject, nameOf, uidOf } from '@slipway/kube/object'
import type { ReactNode } from 'react'
import { isBeingDeleted } from '../../api/origin'
import { createIncrementalSort } from '../../lib/incremental-sort'

/** What a table has to know of whatever its rows are. */
export interface RowKind<T> {
  /** The same for a row and for what replaces it, and for no other. */
  idOf: (row: T) => string
  /** In the words `Actions for {name}`. */
  nameOf: (row: T) => string
  isBeingDeleted: (row: T) => boolean
}

export const objectRows: RowKind<KubeObject> = {
  idOf: uidOf,
  nameOf,
  isBeingDeleted,
}

/** A column; the columns of a table are one constant at the level of its module. */
export interface Column<T> {
  id: string
  label: string
  /** Makes the column sortable by this value; rows without one come last. */
  sortBy?: (row: T) => string | number | undefined
  cell: (row: T) => ReactNode
  /** Names the row: announced with each of its cells, and never hidden. */
  isRowHeader?: boolean
  /** Left out until somebody chooses it under 'Manage columns'. */
  hiddenByDefault?: boolean
  /** The narrowest screen that shows it, in a table of more than four columns; every screen without it. */
  visibleFrom?: 'lg' | 'xl' | '2xl'
  /** Percent of the table's width; what is left over is shared by the columns without one. */
  width?: 10 | 15 | 20 | 25 | 30 | 33 | 40 | 50
}

/** The filters of a table are one constant at the level of its module. The `id` is also the parameter in the URL. */
export type Filter<T> = TextFilter<T> | ChoiceFilter<T>

/** Keeps the rows whose text contains what is typed. */
export interface TextFilter<T> {
  id: string
  /** In the words `Filter by {label}...`. */
  label: string
  text: (row: T) => string
}

/** Keeps the rows that have one of the chosen values. */
export interface ChoiceFilter<T> {
  id: string
  /** On the button and before the chips, such as `Status`. */
  label: string
  /** What a row has of it: one value, several or none. */
  choices: (row: T) => string | readonly string[] | undefined
  /** All there can be, in the order in which those that rows have are shown; without it, by name. */
  values?: readonly string[]
}

/** What is asked for, by the id of the filter: a text or chosen values. */
export type FilterValues = Readonly<Record<string, string | readonly string[] | undefined>>

export const isChoice = <T>(filter: Filter<T>): filter is ChoiceFilter<T> => 'choices' in filter

/** The order of a table: the id of a column, with a minus before it when descending. */
export type Sort = string

export const isDescending = (sort: Sort): boolean => sort.startsWith('-')
export const sortedColumn = (sort: Sort): string => (isDescending(sort) ? sort.slice(1) : sort)

/** The rows that match every filter: texts ignore case and outer blanks, of chosen values one is enough. */
export function filterRows<T>(rows: T[], filters: readonly Filter<T>[], filterValues: FilterValues): T[] {
  const test = rowTest(filters, filterValues)
  return test ? rows.filter(test) : rows
}

/** `undefined` where nothing is asked for. */
function rowTest<T>(filters: readonly Filter<T>[], filterValues: FilterValues): ((row: T) => boolean) | undefined {
  const tests = filters.flatMap((filter) => testOf(filter, filterValues[filter.id]) ?? [])
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row))
}

/**
 * Answers how to make the rows of a table, filtered and in order, out of all there are. Asked again after some of them
 * have changed it looks at these alone, and it answers the same array while the rows are the same.
 */
export function arrange<T extends object>(
  {
    columns,
    sort,
    filters,
    filterValues,
  }: {
    columns: readonly Column<T>[]
    sort: Sort
    filters: readonly Filter<T>[]
    filterValues: FilterValues
  },
  { idOf }: Pick<RowKind<T>, 'idOf'>,
): (rows: T[]) => T[] {
  const test = rowTest(filters, filterValues)
  const verdicts = new WeakMap<T, boolean>()
  const isWanted = (row: T): boolean => {
    const known = verdicts.get(row)
    if (known !== undefined) return known
    const verdict = test?.(row) ?? true
    verdicts.set(row, verdict)
    return verdict
  }
  const order = orderBy(columns, sort)
  const inOrder = order && createIncrementalSort({ idOf, ...order })
  let before: T[] = []
  return (rows) => {
    const matching = test ? rows.filter(isWanted) : rows
    const arranged = inOrder ? inOrder(matching) : matching
    if (!hasSame(before, arranged)) before = arranged
    return before
  }
}

const hasSame = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a === b || (a.length === b.length && a.every((row, at) => row === b[at]))

function testOf<T>(filter: Filter<T>, asked: FilterValues[string]): ((row: T) => boolean) | undefined {
  if (isChoice(filter)) {
    if (typeof asked !== 'object' || asked.length === 0) return undefined
    const chosen = new Set(asked)
    return (row) => choicesOf(filter, row).some((value) => chosen.has(value))
  }
  const part = typeof asked === 'string' ? asked.trim().toLowerCase() : ''
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
 * What can be chosen: the values that rows have. A chosen value stays listed when no row has it any more, so that it can
 * be given up.
 */
export function countChoices<T>(
  rows: T[],
  filters: readonly Filter<T>[],
  filterValues: FilterValues,
  filter: ChoiceFilter<T>,
): Choice[] {
  const counts = new Map<string, number>()
  const chosen = filterValues[filter.id]
  if (typeof chosen === 'object') for (const value of chosen) counts.set(value, 0)
  for (const row of rows) for (const value of choicesOf(filter, row)) counts.set(value, 0)
  for (const row of filterRows(rows, filters, { ...filterValues, [filter.id]: undefined })) {
    for (const value of new Set(choicesOf(filter, row))) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const all = [...counts].map(([value, count]) => ({ value, count }))
  const { values } = filter
  const order = (a: Choice, b: Choice) =>
    values ? values.indexOf(a.value) - values.indexOf(b.value) : a.value < b.value ? -1 : 1
  return all.sort(order)
}

/** Names of objects are ASCII, so their order is that of their code; rows without a value come last. */
function orderBy<T>(columns: readonly Column<T>[], sort: Sort) {
  const valueOf = columns.find((column) => column.id === sortedColumn(sort))?.sortBy
  if (!valueOf) return undefined
  const sign = isDescending(sort) ? -1 : 1
  const compare = (a: ReturnType<typeof valueOf>, b: ReturnType<typeof valueOf>): number => {
    if (a === b) return 0
    if (a === undefined) return 1
    if (b === undefined) return -1
    return a < b ? -sign : sign
  }
  return { valueOf, compare }
}
