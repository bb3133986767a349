import { userSuffix } from '../../api/session/session'
import { type Stored, stored } from '../../lib/stored'
import { useMediaQuery } from '../page/media-query'
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

/**
 * The preferences of the signed-in user under a key, always the same object: the table would read a new one again. Those
 * that last as long as the tab belong to the tab.
 */
export function tablePreferences(key: string, storage: 'local' | 'session' = 'local'): TablePreferences {
  const options = storage === 'local' ? { suffix: userSuffix } : { storage }
  const known = preferences.get(key) ?? {
    columns: stored(key, parseColumnIds, options),
    sort: stored(`${key}-sort`, parseSort, options),
  }
  preferences.set(key, known)
  return known
}

/** For a table that remembers nothing. */
const forgotten: Stored<undefined> = { get: () => undefined, set() {}, clear() {}, subscribe: () => () => {} }
export const noPreferences: TablePreferences = { columns: forgotten, sort: forgotten }

const defaultColumnIds = <T, A>(columns: readonly Column<T, A>[]): string[] =>
  columns.filter(({ hiddenByDefault }) => !hiddenByDefault).map(({ id }) => id)

/** For each screen that a column may need: whether the window is narrower. */
export type NarrowFor = Readonly<Record<NonNullable<Column<never>['visibleFrom']>, boolean>>

/** Rows are cards below 48rem, which have room for every column. From 75rem on, the sidebar takes its part. */
export const useNarrowFor = (): NarrowFor => ({
  lg: useMediaQuery('(48rem <= width < 62rem)'),
  xl: useMediaQuery('(48rem <= width < 80rem)'),
  wide: useMediaQuery('(48rem <= width < 85rem)'),
  '2xl': useMediaQuery('(48rem <= width < 90.625rem)'),
})

/** Whether the user has chosen columns, of which at least one exists. */
export const hasChoice = <T, A>(columns: readonly Column<T, A>[], chosen: readonly string[] | undefined): boolean =>
  columns.some(({ id }) => chosen?.includes(id))

/**
 * The columns to show, in the order of the table whatever the order of the choice. The row header is always shown, and
 * a choice without any existing column is ignored. Only default columns are hidden in a narrow window.
 */
export function visibleColumns<T, A>(
  columns: readonly Column<T, A>[],
  chosen: readonly string[] | undefined,
  isNarrowFor: NarrowFor,
): Column<T, A>[] {
  const isChoice = hasChoice(columns, chosen)
  const ids = new Set(isChoice ? chosen : defaultColumnIds(columns))
  const visible = columns.filter(({ id, isRowHeader }) => isRowHeader || ids.has(id))
  if (isChoice || visible.length <= mostAtEveryWidth) return visible
  return visible.filter(({ visibleFrom, isRowHeader }) => isRowHeader || !visibleFrom || !isNarrowFor[visibleFrom])
}

/** Least width of a column without a width of its own, such as that of the names, which shares what is left over. */
const leastSharedWidthRem = 12.5
/** Least width of each percent of a column's width. */
const leastRemPerPercent = 0.55
/** Width of the columns for checkboxes and menus. */
const controlsWidthRem = 6

/**
 * The width below which a table scrolls sideways, in rem, and how much of each percent its columns get then: fewer, so
 * that those without a width keep theirs.
 */
export function tableWidths<T, A>(columns: readonly Column<T, A>[]): { leastRem: number; scale: number } {
  const leastRem = columns.reduce(
    (sum, { width, widthRem }) => sum + (widthRem ?? (width ? width * leastRemPerPercent : leastSharedWidthRem)),
    controlsWidthRem,
  )
  return { leastRem, scale: Math.min(1, (100 * leastRemPerPercent) / leastRem) }
}
