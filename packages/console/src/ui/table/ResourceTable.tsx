import { Toolbar, ToolbarContent, ToolbarGroup, ToolbarItem } from '@patternfly/react-core'
import { Table } from '@patternfly/react-table'
import { isForbidden, isTimeout } from '@slipway/kube/status'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { type CSSProperties, type ReactNode, useState } from 'react'
import type { Source } from '../../api/source'
import { pagePath } from '../../lib/base-path'
import { useStored } from '../../lib/stored'
import { useFold } from '../../lib/use-fold'
import { useLatest } from '../../lib/use-latest'
import type { Action } from '../action'
import { focusHeading } from '../page/focus-heading'
import { FreshnessReporter } from '../freshness-scope'
import { LastKnownScope } from '../status/last-known'
import { NoResponse, useIsOverdue } from '../status/NoResponse'
import { StaleAlert } from '../status/StaleAlert'
import {
  hasChoice,
  mostUnmanaged,
  noPreferences,
  type TablePreferences,
  tableWidths,
  useNarrowFor,
  visibleColumns,
} from './columns'
import { FilterFold } from './FilterFold'
import { ManageColumns } from './ManageColumns'
import { MoreRows } from './MoreRows'
import { arrange, type Column, type Filter, isDescending, type Sort, sortedColumn } from './rows'
import { rememberList } from './opened-lists'
import { noIds, type RowDetails, type RowIds, selectionOf, type SetRowIds, withDetails, withIds } from './row-ids'
import { useRowTooltip } from './row-tooltip'
import type { SavedViews } from './saved-views'
import { SavedViewsMenu } from './SavedViewsMenu'
import { SelectAll, SelectionActions } from './SelectionToolbar'
import { LoadingFilter, TableFilter } from './TableFilter'
import { SortMenu } from './SortMenu'
import { TableHead } from './TableHead'
import { pageSize, TablePages } from './TablePages'
import { LoadingRows, TableRows } from './TableRows'
import { tableBody } from './table-body'
import { LoadFailure } from '../failures/LoadFailure'
import { NothingMatches, PartialAlert, RowCount } from './TableState'
import { useFilterState } from './filter-state'
import { parseTable, serializeTable, useFiltersInUrl, useSortInUrl } from './table-url'
import './ResourceTable.css'

interface TableProps<T extends object, A> {
  /** Accessible name of the table; in lower case also the noun in `Unable to load {noun}`. */
  label: string
  /** The rows, and everything known about them. */
  source: Source<T>
  columns: readonly Column<T, A>[]
  filters?: readonly Filter<T>[]
  /** The entries of the menu at the end of a row, read when it opens. */
  actions?: (row: T) => Action[]
  /** Makes rows expandable. */
  details?: RowDetails<T, A>
  /**
   * Makes rows selectable, and says what can be done with those that are.
   * @param rows at least one; rows that a filter hides are not among them
   * @param deselect to be called when it is done
   */
  bulkActions?: (rows: readonly T[], deselect: () => void) => Action[]
  /** Makes rows selectable for a form, which has the selection as a value; rows that a filter hides stay selected. */
  selection?: readonly [RowIds, SetRowIds]
  /** Shows pages of 10 rows, in forms and dialogs, which have nothing in the URL; elsewhere lists scroll. */
  isPaged?: boolean
  /** Controls next to the filters, such as a button that creates an object. */
  toolbar?: ReactNode
  /** Shown in place of the table when there is nothing yet. */
  empty: ReactNode
  /** Prefix of the table's parameters in the URL, for two tables that share a page. */
  urlKey?: string
  /** Remembers the chosen order, and the chosen columns of a table with more than six. */
  preferences?: TablePreferences
  /** Lets users save filters and orders under names (`savedViews`). */
  views?: SavedViews
  /** Of the dialog that manages the columns, if it says more than 'Manage columns'. */
  columnsTitle?: string
  /** The default order; by the first sortable column without it. */
  firstSort?: Sort
  /** The order of the rows in the source, including rows that are not loaded yet; it is also the default order. */
  sourceSort?: Sort
}

type ResourceTableProps<T extends object, A> = TableProps<T, A> & (void extends A ? { at?: A } : { at: A })

/**
 * A list in all its states. The table takes a *source* and not its rows, so that it handles every state itself and
 * pages do nothing for it: loading, failed, forbidden, empty, no matches, partly missing, incomplete, stale, offline,
 * and how fresh it is.
 * @param at what the cells need besides their rows, compared field by field
 */
export const ResourceTable = <T extends object, A = void>(props: ResourceTableProps<T, A>) => (
  // Here and not around the whole console, since the landing page has no state in its URL.
  <NuqsAdapter>
    <LastKnownScope freshness={props.source.freshness}>
      {/* Only a table whose cells need nothing has no `at`. */}
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
  details,
  bulkActions,
  selection: ownSelection,
  isPaged = false,
  toolbar,
  empty,
  urlKey,
  preferences = noPreferences,
  views,
  columnsTitle,
  sourceSort,
  firstSort = sourceSort,
  at,
}: TableProps<T, A> & { at: A }) {
  const { rows: all, kind, error, missing, retry, more } = source
  const [chosen] = useStored(preferences.columns)
  const columns = visibleColumns(allColumns, chosen, useNarrowFor())
  const [sort, setSort] = useSort(allColumns, { urlKey, preferences, firstSort, isInUrl: !isPaged })
  const filtersInUrl = useFiltersInUrl(isPaged ? none : filters, urlKey)
  const filterState = useFilterState()
  const [filterValues, setFilterValues] = isPaged ? filterState : filtersInUrl
  const clearAll = () => {
    setFilterValues({})
    // The button disappears with the filters. In a dialog, the heading of the page cannot have the focus.
    if (!isPaged) focusHeading()
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
  const linkTo = allColumns.find((column) => column.linkTo)?.linkTo
  const onOpen = useLatest((row: T) => {
    const opened = linkTo?.(row, at)
    if (!linkTo || !opened || isPaged) return
    const urls = arranged.rows.flatMap((each) => linkTo(each, at) ?? none)
    rememberList({ label, url: pagePath() + location.search }, urls, opened)
  })
  const [expanded, setExpanded] = useState(noIds)
  const localSelection = useState(noIds)
  const [selected, setSelected] = ownSelection ?? localSelection
  const isSelectable = Boolean(bulkActions ?? ownSelection)
  const [chosenPage, setPage] = useState(1)
  const isOverdue = useIsOverdue(!rows && !error)
  const { handlers, tooltip } = useRowTooltip()
  const isFiltered = Object.values(filterValues).some((value) => value && value.length > 0)
  // Earlier rows stay if they merely could not be read again, but not if the user may no longer see them.
  if (error && (!rows || isForbidden(error))) {
    return <ListFailure label={label} source={source} />
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
  const selection = selectionOf(selected, { all: all ?? none, matching: rows ?? none, kind })
  const deselect = () => setSelected(noIds)
  // Rows may have been removed since the page was selected.
  const page = Math.min(chosenPage, Math.ceil((rows?.length ?? 0) / pageSize))
  const items = withDetails(isPaged ? arranged.rows.slice((page - 1) * pageSize, page * pageSize) : arranged.rows, {
    kind,
    expanded,
    details,
    at,
  })
  const renderFilters = (some: readonly Filter<T>[]) =>
    all
      ? (all.length > 0 ? some : none).map((filter) => (
          <TableFilter
            key={filter.id}
            filter={filter}
            filters={filters}
            rows={all}
            filterValues={filterValues}
            onChange={setFilterValues}
          />
        ))
      : some.map((filter) => <LoadingFilter key={filter.id} isNarrow={!('text' in filter)} />)
  // A count alone says nothing that the rows do not.
  const hasToolbar = filters.length > 0 || Boolean(toolbar ?? views) || isSelectable || isPartial || Boolean(more)
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
          // If nothing matches, the same button is shown in place of the rows.
          customLabelGroupContent={rows?.length === 0 ? <></> : undefined}
          collapseListedFiltersBreakpoint={neverCollapse}
        >
          <ToolbarContent alignItems="center">
            {isSelectable && rows && !isEmpty && (
              <SelectAll
                shownCount={rows.length}
                selectedCount={selection.rows.length}
                onSelect={(isSelected) => setSelected(withIds(rows.map(kind.idOf), isSelected))}
              />
            )}
            {renderFilters(filters.slice(0, 1))}
            {filters.length > 1 && all?.length !== 0 && <FilterFold>{renderFilters(filters.slice(1))}</FilterFold>}
            {!isEmpty && views && (
              <SavedViewsMenu
                saved={views}
                query={serializeTable({ columns: allColumns, filters, urlKey }, { filterValues, sort })}
                isFiltered={isFiltered}
                onChoose={(query) => {
                  const chosenView = parseTable({ columns: allColumns, filters, urlKey }, query)
                  setFilterValues(chosenView.filterValues)
                  setSort(chosenView.sort ?? firstSort ?? '')
                }}
              />
            )}
            {!isEmpty && toolbar && <ToolbarItem>{toolbar}</ToolbarItem>}
            {!isEmpty && preferences !== noPreferences && columnCount > mostUnmanaged && (
              <ManageColumns
                columns={allColumns}
                visible={columns}
                preference={preferences.columns}
                title={columnsTitle}
              />
            )}
            {isSelectable && selection.rows.length + selection.hiddenCount > 0 && (
              <SelectionActions
                // A form uses all that are selected, actions only those that are shown.
                selectedCount={selection.rows.length + (ownSelection ? selection.hiddenCount : 0)}
                hiddenCount={ownSelection ? 0 : selection.hiddenCount}
                actions={bulkActions?.(selection.rows, deselect) ?? none}
                onClear={() => {
                  deselect()
                  if (!isPaged) focusHeading()
                }}
              />
            )}
            <ToolbarGroup align={{ default: 'alignEnd' }} alignItems="center">
              {all && all.length > 1 && <SortMenu columns={columns} sort={sort} onSort={setSort} />}
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
      {isPartial && <PartialAlert label={label} missing={missing} isEmpty={!all?.length} onRetry={retry} />}
      {body === 'empty' && empty}
      {body === 'failure' && <ListFailure label={label} source={source} />}
      {body === 'no matches' && <NothingMatches onClear={clearAll} />}
      {body === 'no loaded matches' && <NothingMatches unread={isPartial ? 'failed' : 'more'} onClear={clearAll} />}
      {(body === 'rows' || body === 'loading') && (
        <div
          className={hasChoice(allColumns, chosen) ? 'slipway-table__chosen' : undefined}
          style={{ '--slipway-table-least-width': `${tableWidths(columns).leastRem}rem` } as CSSProperties}
        >
          <Table
            aria-label={label}
            aria-rowcount={body === 'rows' ? items.length + 1 : undefined}
            aria-busy={body === 'loading'}
            role="table"
            isStickyHeader
            variant="compact"
            className="slipway-table"
            {...handlers}
          >
            <TableHead
              columns={columns}
              sort={sort}
              onSort={setSort}
              hasDetails={Boolean(details)}
              isSelectable={isSelectable}
              hasActions={Boolean(actions)}
            />
            {body === 'rows' ? (
              <TableRows
                items={items}
                kind={kind}
                columns={columns}
                at={at}
                actions={actions && rowActions}
                onOpen={onOpen}
                details={details}
                expanded={expanded}
                setExpanded={setExpanded}
                selected={selected}
                setSelected={isSelectable ? setSelected : undefined}
              />
            ) : (
              <LoadingRows
                label={label}
                columnCount={columns.length + [actions, details, isSelectable].filter(Boolean).length}
              />
            )}
          </Table>
        </div>
      )}
      {isPaged && rows && rows.length > pageSize && (
        <TablePages label={label} rowCount={rows.length} page={page} onPage={setPage} />
      )}
      {tooltip}
      {more && rows && (
        // A filter that hides rows brings the end near, which must not load more by itself. Nor does scrolling load
        // rows that would be sorted in elsewhere.
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

/** Never collapses the chips: PatternFly does that for falsy values other than `undefined`, which its types lack. */
const neverCollapse = null as unknown as undefined

interface SortOptions {
  urlKey: string | undefined
  preferences: TablePreferences
  firstSort: Sort | undefined
  isInUrl: boolean
}

/** The order of a table: the one selected, which is in the URL, else the one chosen last, else the default. */
function useSort<T, A>(
  columns: readonly Column<T, A>[],
  { urlKey, preferences, firstSort, isInUrl }: SortOptions,
): [Sort, (sort: Sort) => void] {
  const sortInUrl = useSortInUrl(isInUrl ? columns : none, urlKey)
  const sortState = useState<Sort | null>(null)
  const [selected, setSelected] = isInUrl ? sortInUrl : sortState
  const [remembered] = useStored(preferences.sort)
  const isKnown = columns.some(({ id, sortBy }) => sortBy && id === sortedColumn(remembered ?? ''))
  const first = firstSort ?? columns.find(({ sortBy }) => sortBy)?.id ?? ''
  const choose = (sort: Sort) => {
    if (sort === first) preferences.sort.clear()
    else preferences.sort.set(sort)
    setSelected(sort === first ? null : sort)
  }
  return [selected ?? (isKnown && remembered ? remembered : first), choose]
}

/** In place of the rows. The page around a list that does not exist is there all the same. */
const ListFailure = ({
  label,
  source,
}: {
  label: string
  source: Pick<Source<object>, 'error' | 'isFetching' | 'retry'>
}) => (
  <LoadFailure
    noun={label.toLowerCase()}
    missingTitle="404: Not Found"
    error={source.error}
    isRetrying={source.isFetching}
    onRetry={source.retry}
  />
)
