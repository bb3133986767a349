import { Toolbar, ToolbarContent, ToolbarGroup, ToolbarItem } from '@patternfly/react-core'
import { Table, Th, Thead, Tr } from '@patternfly/react-table'
import { isTimeout } from '@slipway/kube/status'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import type { ReactNode } from 'react'
import type { Source } from '../../api/source'
import { useStored } from '../../lib/stored'
import { useFold } from '../../lib/use-fold'
import { useLatest } from '../../lib/use-latest'
import type { Action } from '../action'
import { focusHeading } from '../page/focus-heading'
import { FreshnessReporter } from '../freshness-scope'
import { LastKnownScope } from '../status/last-known'
import { NoResponse, useIsOverdue } from '../status/NoResponse'
import { StaleAlert } from '../status/StaleAlert'
import { columnClass, mostUnmanaged, noPreferences, type TablePreferences, visibleColumns } from './columns'
import { ManageColumns } from './ManageColumns'
import { MoreRows } from './MoreRows'
import { arrange, type Column, type Filter, isChoice, isDescending, type Sort, sortedColumn } from './rows'
import { useRowTooltip } from './row-tooltip'
import { LoadingFilter, TableFilter } from './TableFilter'
import { LoadingRows, TableRows } from './TableRows'
import { tableBody } from './table-body'
import { LoadFailure, NothingMatches, PartialAlert, RowCount } from './TableState'
import { useFiltersInUrl, useSortInUrl } from './table-url'
import './ResourceTable.css'

interface TableProps<T extends object, A> {
  /** Accessible name of the table; in lower case the thing of `Unable to load {thing}`. */
  label: string
  /** The rows, and all that is known of them. */
  source: Source<T>
  columns: readonly Column<T, A>[]
  filters?: readonly Filter<T>[]
  /** What the menu at the end of a row offers, read when it opens. */
  actions?: (row: T) => Action[]
  /** Controls beside the filters, such as a button that creates one more. */
  toolbar?: ReactNode
  /** Shown in place of the table when there is nothing yet. */
  empty: ReactNode
  /** Begins the names of the table's parameters in the URL, where two tables share a page. */
  urlKey?: string
  /** Remembers the chosen columns, of a table of more than six, and the chosen order. */
  preferences?: TablePreferences
  /** The order before another one is chosen; that of the first column that can be sorted without it. */
  firstSort?: Sort
  /** The order in which the source has its rows, those included that are not loaded yet; it is also the first one. */
  sourceSort?: Sort
}

type ResourceTableProps<T extends object, A> = TableProps<T, A> & (void extends A ? { at?: A } : { at: A })

/**
 * A list, from first byte to last. The table takes a *source* and not its rows, so that everything a list can be
 * belongs to it and no page does anything for it: loading, failed, not allowed, empty, nothing that matches, in part
 * missing, more to come, stale, offline, and how fresh it is.
 * @param at what the cells need besides their rows, compared field by field
 */
export const ResourceTable = <T extends object, A = void>(props: ResourceTableProps<T, A>) => (
  // Here and not around the whole console, since the landing page has nothing to keep in its URL.
  <NuqsAdapter>
    <LastKnownScope freshness={props.source.freshness}>
      {/* Only a table whose cells need nothing is without it. */}
      <SourceTable {...props} at={props.at as A} />
    </LastKnownScope>
  </NuqsAdapter>
)

function SourceTable<T extends object, A>({
  label,
  source,
  columns: allColumns,
  filters = none,
  actions,
  toolbar,
  empty,
  urlKey,
  preferences = noPreferences,
  sourceSort,
  firstSort = sourceSort,
  at,
}: TableProps<T, A> & { at: A }) {
  const { rows: all, kind, error, missing, isFetching, retry, more } = source
  const [chosen] = useStored(preferences.columns)
  const columns = visibleColumns(allColumns, chosen)
  const [sort, setSort] = useSort(allColumns, { urlKey, preferences, firstSort })
  const [filterValues, setFilterValues] = useFiltersInUrl(filters, urlKey)
  const clearAll = () => {
    setFilterValues({})
    // The button goes with the filters.
    focusHeading()
  }
  const isSourceSort = sort === (sourceSort ?? '')
  const arranged = useFold(arrange<T>, {
    rows: all ?? none,
    kind,
    sortColumn: isSourceSort ? undefined : allColumns.find(({ id }) => id === sortedColumn(sort)),
    isDescending: isDescending(sort),
    filters,
    filterValues,
  })
  const rows = all && arranged.rows
  const rowActions = useLatest(actions)
  const isOverdue = useIsOverdue(!rows && !error)
  const { handlers, tooltip } = useRowTooltip()
  const isFiltered = Object.values(filterValues).some((value) => value && value.length > 0)
  if (!rows && error) {
    return <LoadFailure noun={label.toLowerCase()} error={error} isRetrying={isFetching} onRetry={retry} />
  }
  if (isOverdue) return <NoResponse noun={label.toLowerCase()} />
  const isPartial = missing.length > 0
  const body = tableBody({
    total: all?.length,
    matching: rows?.length ?? 0,
    hasFailed: Boolean(error),
    isPartial,
    more: !more ? 'none' : more.isLoading ? 'loading' : 'idle',
  })
  const isEmpty = body === 'empty'
  // A count alone says nothing that the rows do not.
  const hasToolbar = filters.length > 0 || Boolean(toolbar) || isPartial || Boolean(more)
  // The menus of the rows are a column too.
  const columnCount = allColumns.length + (actions ? 1 : 0)
  return (
    <>
      {hasToolbar && (
        <Toolbar
          hasNoPadding
          className="slipway-table__toolbar"
          clearAllFilters={clearAll}
          clearFiltersButtonText="Clear all filters"
          // Where nothing matches, the same button stands in place of the rows.
          customLabelGroupContent={rows?.length === 0 ? <></> : undefined}
          collapseListedFiltersBreakpoint={neverCollapse}
        >
          <ToolbarContent alignItems="center">
            {!all && filters.map((filter) => <LoadingFilter key={filter.id} isNarrow={isChoice(filter)} />)}
            {all &&
              all.length > 0 &&
              filters.map((filter) => (
                <TableFilter
                  key={filter.id}
                  filter={filter}
                  filters={filters}
                  rows={all}
                  filterValues={filterValues}
                  onChange={setFilterValues}
                />
              ))}
            {!isEmpty && toolbar && <ToolbarItem>{toolbar}</ToolbarItem>}
            {!isEmpty && preferences !== noPreferences && columnCount > mostUnmanaged && (
              <ManageColumns columns={allColumns} visible={columns} preference={preferences.columns} />
            )}
            <ToolbarGroup align={{ default: 'alignEnd' }} alignItems="center">
              {rows && all && all.length > 0 && (
                <ToolbarItem alignSelf="center">
                  <RowCount
                    shown={rows.length}
                    total={all.length}
                    isAll={!more && !isPartial}
                    isSortedInPart={Boolean(more) && !isSourceSort}
                  />
                </ToolbarItem>
              )}
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      )}
      {source.freshness.length > 0 && (
        <FreshnessReporter
          label={label}
          freshness={source.freshness}
          onRetry={retry}
          archive={source.archive}
          missing={missing}
        />
      )}
      {isTimeout(error) && body !== 'failure' && <StaleAlert />}
      {isPartial && rows && (
        <PartialAlert label={label} missing={missing} isEmpty={all?.length === 0} onRetry={retry} />
      )}
      {body === 'empty' && empty}
      {body === 'failure' && (
        <LoadFailure noun={label.toLowerCase()} error={error} isRetrying={isFetching} onRetry={retry} />
      )}
      {body === 'no matches' && <NothingMatches onClear={clearAll} />}
      {body === 'no loaded matches' && <NothingMatches unread={isPartial ? 'failed' : 'more'} onClear={clearAll} />}
      {(body === 'rows' || body === 'loading') && (
        <Table
          aria-label={label}
          aria-rowcount={body === 'rows' && rows ? rows.length + 1 : undefined}
          aria-busy={body === 'loading'}
          role="table"
          isStickyHeader
          variant="compact"
          className="slipway-table"
          {...handlers}
        >
          <colgroup>
            {columns.map((column) => (
              <col
                key={column.id}
                className={columnClass(column, columns.length)}
                style={column.width && { width: `${column.width}%` }}
              />
            ))}
            {actions && <col className="slipway-table__actions" />}
          </colgroup>
          <Thead>
            <Tr aria-rowindex={1}>
              {columns.map((column, columnIndex) => (
                <Th
                  key={column.id}
                  className={columnClass(column, columns.length)}
                  sort={
                    column.sortBy && {
                      columnIndex,
                      sortBy: {
                        index: columns.findIndex(({ id }) => id === sortedColumn(sort)),
                        direction: isDescending(sort) ? 'desc' : 'asc',
                        defaultDirection: column.firstDirection,
                      },
                      onSort: (_event, _index, direction) =>
                        setSort(direction === 'desc' ? `-${column.id}` : column.id),
                    }
                  }
                >
                  {column.label}
                </Th>
              ))}
              {actions && <Th screenReaderText="Actions" />}
            </Tr>
          </Thead>
          {body === 'rows' && rows ? (
            <TableRows rows={rows} kind={kind} columns={columns} at={at} actions={actions && rowActions} />
          ) : (
            <LoadingRows label={label} columnCount={columns.length + (actions ? 1 : 0)} />
          )}
        </Table>
      )}
      {tooltip}
      {more && rows && (
        // Rows that a filter leaves out bring the end near: then nothing is loaded that nobody has asked for. Nor does
        // scrolling load rows that would be sorted in somewhere else.
        <MoreRows
          key={all?.length}
          isLoading={more.isLoading}
          load={more.load}
          isOnDemand={more.isOnDemand || ((isFiltered || !isSourceSort) && all?.length !== 0)}
        />
      )}
    </>
  )
}

const none: never[] = []

/** The chips of what is chosen stay: PatternFly has a width for what is falsy but `undefined`, and no type for it. */
const neverCollapse = null as unknown as undefined

interface SortOptions {
  urlKey: string | undefined
  preferences: TablePreferences
  firstSort: Sort | undefined
}

/** The order of a table: that of the URL, else that which was chosen last, else the first one. */
function useSort<T, A>(
  columns: readonly Column<T, A>[],
  { urlKey, preferences, firstSort }: SortOptions,
): [Sort, (sort: Sort) => void] {
  const [inUrl, setInUrl] = useSortInUrl(columns, urlKey)
  const [remembered] = useStored(preferences.sort)
  const isKnown = columns.some(({ id, sortBy }) => sortBy && id === sortedColumn(remembered ?? ''))
  const first = firstSort ?? columns.find(({ sortBy }) => sortBy)?.id ?? ''
  const choose = (sort: Sort) => {
    if (sort === first) preferences.sort.clear()
    else preferences.sort.set(sort)
    setInUrl(sort === first ? null : sort)
  }
  return [inUrl ?? (isKnown && remembered ? remembered : first), choose]
}
