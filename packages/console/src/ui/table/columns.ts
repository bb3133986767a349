import { type Stored, stored } from '../../lib/stored'
import type { Column } from './rows'

/** Columns can be managed in a table that has more than these. */
export const mostUnmanaged = 6

/** A table with no more columns than these shows them all at every width. */
const mostAtEveryWidth = 4

/** The ids of the columns somebody has chosen; `undefined` for the default ones. Kept under the table's own key. */
export type ColumnPreference = Stored<readonly string[] | undefined>

/** For `stored`: whatever else is found under the key means that nothing was chosen. */
export function parseColumnIds(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.filter((id): id is string => typeof id === 'string')
  return ids.length > 0 ? ids : undefined
}

const preferences = new Map<string, ColumnPreference>()

/** The preference under a key, always the same one: whatever draws the table reads it again with another. */
export function columnPreference(key: string, storage?: 'local' | 'session'): ColumnPreference {
  const known = preferences.get(key)
  if (known) return known
  const preference = stored(key, parseColumnIds, storage && { storage })
  preferences.set(key, preference)
  return preference
}

export const defaultColumnIds = <T>(columns: readonly Column<T>[]): string[] =>
  columns.filter(({ hiddenByDefault: isExtra }) => !isExtra).map(({ id }) => id)

/**
 * The columns to show, in the order of the table whatever the order of the choice. What names the row is always
 * there, and a choice of nothing that exists is no choice.
 */
export function visibleColumns<T>(columns: Column<T>[], chosen: readonly string[] | undefined): Column<T>[] {
  const ids = new Set(columns.some(({ id }) => chosen?.includes(id)) ? chosen : defaultColumnIds(columns))
  const visible = columns.filter(({ id, isRowHeader: pinned }) => pinned || ids.has(id))
  // The same array where nothing is left out: rows are drawn again when it is another.
  return visible.length === columns.length ? columns : visible
}

/** The class that keeps a column from screens that are too narrow for it. */
export const columnClass = <T>(
  { visibleFrom: from, isRowHeader: pinned }: Column<T>,
  visibleCount: number,
): string | undefined =>
  from && !pinned && visibleCount > mostAtEveryWidth ? `slipway-table__from-${from}` : undefined
