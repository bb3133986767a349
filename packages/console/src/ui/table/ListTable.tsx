import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { pagePath } from '../../lib/base-path'
import { useStored } from '../../lib/stored'
import { useLatest } from '../../lib/use-latest'
import type { Action } from '../action'
import { focusHeading } from '../page/focus-heading'
import { LastKnownScope } from '../status/last-known'
import { hasChoice, mostUnmanaged, noPreferences, type TablePreferences, useNarrowFor, visibleColumns } from './columns'
import { ManageColumns } from './ManageColumns'
import { MoreRows } from './MoreRows'
import { rememberList } from './opened-lists'
import { noIds, type RowDetails } from './row-ids'
import { type Column, type Sort, sortedColumn } from './rows'
import type { SavedViews } from './saved-views'
import { SavedViewsMenu } from './SavedViewsMenu'
import { SelectionActions } from './SelectionToolbar'
import { TableFrame, type TableProps, type WithCellParams } from './TableFrame'
import { parseTable, serializeTable, useColumnsInUrl, useFiltersInUrl, useSortInUrl } from './table-url'
import { defaultSort, useTable } from './use-table'

export interface ListTableProps<T extends object, A> extends TableProps<T, A> {
  /** Makes rows expandable. */
  details?: RowDetails<T, A>
  /**
   * Makes rows selectable, and says what can be done with those that are.
   * @param rows at least one; rows that a filter hides are not among them
   * @param deselect to be called when it is done
   */
  bulkActions?: (rows: readonly T[], deselect: () => void) => Action[]
  /** Prefix of the table's parameters in the URL, for two tables that share a page. */
  urlKey?: string
  /** Remembers the chosen order, and the chosen columns of a table with more than six. */
  preferences?: TablePreferences
  /** Lets users save filters, an order and columns under names (`savedViews`). */
  views?: SavedViews | undefined
  /** The title of the dialog that manages the columns, if it says more than 'Manage columns'. */
  columnsTitle?: string
  /** The order of the rows in the source, including rows that are not loaded yet; it is also the default order. */
  sourceSort?: Sort
}

/**
 * A list in all its states. The table takes a *source* and not its rows, so that it handles every state itself and
 * pages do nothing for it: loading, failed, forbidden, empty, no matches, partly missing, incomplete, stale, offline,
 * and how fresh it is. Its filters, its order and chosen columns are in the URL; it grows as the user scrolls.
 * @param at what the cells need besides their rows, compared field by field
 */
export const ListTable = <T extends object, A = void>(props: ListTableProps<T, A> & WithCellParams<A>) => (
  // Here and not around the whole console, since the landing page has no state in its URL.
  <NuqsAdapter>
    <LastKnownScope freshness={props.source.freshness}>
      {/* Only a table whose cells need nothing has no `at`. */}
      <SourceTable {...props} at={props.at as A} />
    </LastKnownScope>
  </NuqsAdapter>
)

/** A table below an adapter for the URL and a scope for what was last known. */
export function SourceTable<T extends object, A>({
  columns: allColumns,
  filters = none,
  bulkActions,
  urlKey,
  preferences = noPreferences,
  views,
  columnsTitle,
  sourceSort,
  firstSort = sourceSort,
  ...props
}: ListTableProps<T, A> & { at: A }) {
  const { label, source, at, actions } = props
  const { more } = source
  const parameters = { columns: allColumns, filters, urlKey }
  // The menus of the rows are a column too.
  const isManaged = preferences !== noPreferences && allColumns.length + (actions ? 1 : 0) > mostUnmanaged
  const [stored] = useStored(preferences.columns)
  const [columnsInUrl, setColumnsInUrl] = useColumnsInUrl(allColumns, urlKey)
  const chosen = (isManaged && columnsInUrl) || stored
  const columns = visibleColumns(allColumns, chosen, useNarrowFor())
  const order = useSort(allColumns, { urlKey, preferences, firstSort })
  const filtering = useFiltersInUrl(filters, urlKey)
  const table = useTable({ source, columns: allColumns, filters, filtering, order, sourceSort })
  const { all, rows, total, sort, setSort, filterValues, setFilterValues, isFiltered, isSourceSort, selection } = table
  const linkTo = allColumns.find((column) => column.linkTo)?.linkTo
  const onOpen = useLatest((row: T) => {
    const opened = linkTo?.(row, at)
    if (!rows || !linkTo || !opened) return
    const urls = rows.flatMap((each) => linkTo(each, at) ?? none)
    rememberList({ label, url: pagePath() + location.search }, urls, opened)
  })
  const deselect = () => table.setSelected(noIds)
  const state = { filterValues, sort, columnIds: (isManaged && hasChoice(allColumns, chosen) && chosen) || null }
  return (
    <TableFrame
      {...props}
      table={table}
      columns={columns}
      onOpen={onOpen}
      hasChosenColumns={hasChoice(allColumns, chosen)}
      // The button disappears with the filters.
      onCleared={focusHeading}
      views={
        views && (
          <SavedViewsMenu
            saved={views}
            query={serializeTable(parameters, state)}
            queryInUrl={serializeTable(parameters, { ...state, columnIds: columnsInUrl })}
            isFiltered={isFiltered}
            onChoose={(query) => {
              const view = parseTable(parameters, query)
              setFilterValues(view.filterValues)
              setSort(view.sort ?? firstSort ?? '')
              setColumnsInUrl(view.columnIds)
            }}
          />
        )
      }
      columnsMenu={
        isManaged && (
          <ManageColumns
            columns={allColumns}
            visible={columns}
            title={columnsTitle}
            onSave={(ids) => {
              preferences.columns.set(ids)
              setColumnsInUrl(ids ?? null)
            }}
          />
        )
      }
      isSelectable={bulkActions !== undefined}
      selectionActions={
        bulkActions &&
        selection.rows.length + selection.hiddenCount > 0 && (
          <SelectionActions
            selectedCount={selection.rows.length}
            hiddenCount={selection.hiddenCount}
            actions={bulkActions(selection.rows, deselect)}
            onClear={() => {
              deselect()
              focusHeading()
            }}
          />
        )
      }
    >
      {more && rows && (
        // A filter that hides rows brings the end near, which must not load more by itself. Nor does scrolling load
        // rows that would be sorted in elsewhere.
        <MoreRows
          key={all?.length}
          isLoading={more.isLoading}
          load={more.load}
          isOnDemand={more.isOnDemand || (!table.isWindow && (isFiltered || !isSourceSort) && total !== 0)}
        />
      )}
    </TableFrame>
  )
}

const none: never[] = []

interface SortOptions {
  urlKey: string | undefined
  preferences: TablePreferences
  firstSort: Sort | undefined
}

/** The order of a table: the one selected, which is in the URL, else the one chosen last, else the default. */
export function useSort<T, A>(
  columns: readonly Column<T, A>[],
  { urlKey, preferences, firstSort }: SortOptions,
): [Sort, (sort: Sort) => void] {
  const [selected, setSelected] = useSortInUrl(columns, urlKey)
  const [remembered] = useStored(preferences.sort)
  const isKnown = columns.some(({ id, sortBy }) => sortBy && id === sortedColumn(remembered ?? ''))
  const first = defaultSort(columns, firstSort)
  const choose = (sort: Sort) => {
    if (sort === first) preferences.sort.clear()
    else preferences.sort.set(sort)
    setSelected(sort === first ? null : sort)
  }
  return [selected ?? (isKnown && remembered ? remembered : first), choose]
}
