import { type Stored, stored } from '../../lib/stored'
import type { Column, Sort } from './rows'

/** Columns can be managed in a table that has more than these. */
export const mostUnmanaged = 6

/** A table with no more columns than these shows them all at every width. */
const mostAtEveryWidth = 4

/** The ids of the columns that were chosen; `undefined` for the default ones. */
export type ColumnPreference = Stored<readonly string[] | undefined>

/** What a table remembers, under a key of its own. */
export interface TablePreferences {
  columns: ColumnPreference
  /** The order that was chosen last; `undefined` for the default one. */
  sort: Stored<Sort | undefined>
}

/** For `stored`: any other value under the key means that nothing was chosen. */
export function parseColumnIds(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.filter((id): id is string => typeof id === 'string')
  return ids.length > 0 ? ids : undefined
}

const parseSort = (value: unknown): Sort | undefined => (typeof value === 'string' ? value : undefined)

const preferences = new Map<string, TablePreferences>()

/** The preferences under a key, always the same object: the table would read a new one again. */
export function tablePreferences(key: string, storage: 'local' | 'session' = 'local'): TablePreferences {
  const known = preferences.get(key) ?? {
    columns: stored(key, parseColumnIds, { storage }),
    sort: stored(`${key}-sort`, parseSort, { storage }),
  }
  preferences.set(key, known)
  return known
}

/** For a table that remembers nothing. */
const forgotten: Stored<undefined> = { get: () => undefined, set() {}, clear() {}, subscribe: () => () => {} }
export const noPreferences: TablePreferences = { columns: forgotten, sort: forgotten }

export const defaultColumnIds = <T, A>(columns: readonly Column<T, A>[]): string[] =>
  columns.filter(({ hiddenByDefault }) => !hiddenByDefault).map(({ id }) => id)

/**
 * The columns to show, in the order of the table whatever the order of the choice. The row header is always shown, and
 * a choice without any existing column is ignored.
 */
export function visibleColumns<T, A>(
  columns: readonly Column<T, A>[],
  chosen: readonly string[] | undefined,
): Column<T, A>[] {
  const ids = new Set(columns.some(({ id }) => chosen?.includes(id)) ? chosen : defaultColumnIds(columns))
  return columns.filter(({ id, isRowHeader }) => isRowHeader || ids.has(id))
}

/** The classes that hide a column on screens that are too narrow for it, and that wrap its text. */
export const columnClass = <T, A>(
  { visibleFrom, isRowHeader, wraps }: Column<T, A>,
  visibleCount: number,
): string | undefined =>
  [
    visibleFrom && !isRowHeader && visibleCount > mostAtEveryWidth && `slipway-table__from-${visibleFrom}`,
    wraps && 'slipway-table__wraps',
  ]
    .filter(Boolean)
    .join(' ') || undefined
