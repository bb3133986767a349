import { isForbidden } from '@slipway/kube/status'
import { useState } from 'react'
import type { Source } from '../../api/source'
import { useFold } from '../../lib/use-fold'
import { useIsOverdue } from '../status/NoResponse'
import { noIds, type RowIds, selectionOf, type SetRowIds } from './row-ids'
import { arrange, type Column, type Filter, type FilterValues, isDescending, type Sort, sortedColumn } from './rows'
import { tableBody } from './table-body'
import type { SetFilterValues } from './table-url'

interface TableInput<T, A> {
  source: Source<T>
  columns: readonly Column<T, A>[]
  filters: readonly Filter<T>[]
  /** Which rows are shown. */
  filtering: readonly [FilterValues, SetFilterValues]
  /** In which order. */
  order: readonly [Sort, (sort: Sort) => void]
  /** The order of the rows in the source, including rows that are not loaded yet. */
  sourceSort?: Sort | undefined
  /** Which rows are selected, if that is a value of a form. */
  selecting?: readonly [RowIds, SetRowIds] | undefined
}

/** What a table shows of a source: the rows that its filters leave, in its order, and those that are selected. */
export function useTable<T extends object, A>({
  source,
  columns,
  filters,
  filtering: [filterValues, setFilterValues],
  order: [sort, setSort],
  sourceSort = '',
  selecting,
}: TableInput<T, A>) {
  const { rows: all, kind, error, missing, more } = source
  // Rows that are merged with those of an archive come neither filtered nor in the order of the table.
  const window = source.window?.archive === 'merged' ? undefined : source.window
  const isSourceSort = window !== undefined || sort === sourceSort
  const { rows: arranged } = useFold(arrange<T>, {
    rows: all ?? none,
    kind,
    sortColumn: isSourceSort ? undefined : columns.find(({ id }) => id === sortedColumn(sort)),
    isDescending: isDescending(sort),
    filters,
    filterValues,
  })
  const [expanded, setExpanded] = useState(noIds)
  const ownSelecting = useState(noIds)
  const [selected, setSelected] = selecting ?? ownSelecting
  const isOverdue = useIsOverdue(!all && !error)
  // It may still succeed, but has not for so long that the user needs to know why.
  const failure = error ?? ((isOverdue && source.retryReason) || null)
  const isFiltered = Object.values(filterValues).some((value) => value && value.length > 0)
  // Of a window, the rows that its filters leave out are not known.
  const matching = window ? window.total : arranged.length
  const total = all && (source.window ? Math.max(matching, isFiltered ? 1 : 0) : all.length)
  return {
    /** Before filters; `undefined` until any are known. */
    all,
    /** How many rows are known before filters, or match those of a window; `undefined` until any are. */
    total,
    rows: all && arranged,
    filters,
    filterValues,
    setFilterValues,
    isFiltered,
    sort,
    setSort,
    isSourceSort,
    /** Whether the rows are those of a window, filtered and sorted, and more of them can be loaded in this order. */
    isWindow: window !== undefined,
    expanded,
    setExpanded,
    selected,
    setSelected,
    selection: selectionOf(selected, { all: all ?? none, matching: all ? arranged : none, kind }),
    // Earlier rows stay if they merely could not be read again, but not if the user may no longer see them.
    hasFailed: Boolean(failure && (!all || isForbidden(failure))),
    /** Why the rows could not be read. */
    failure,
    isOverdue,
    body: tableBody({
      total,
      matching: all ? arranged.length : 0,
      hasFailed: Boolean(error),
      isPartial: missing.length > 0,
      // A window has what matches first.
      more: !more || (window && all?.length === 0) ? 'none' : more.isLoading ? 'loading' : 'idle',
    }),
  }
}

/** What `useTable` returns. */
export type TableModel<T extends object> = ReturnType<typeof useTable<T, never>>

/** The order of a table until the user chooses another one. */
export const defaultSort = <T, A>(columns: readonly Column<T, A>[], firstSort: Sort | undefined): Sort =>
  firstSort ?? columns.find(({ sortBy }) => sortBy)?.id ?? ''

const none: never[] = []
