import { ToolbarItem } from '@patternfly/react-core'
import { Table } from '@patternfly/react-table'
import { isTimeout } from '@slipway/kube/status'
import type { CSSProperties, ReactNode } from 'react'
import type { Source } from '../../api/source'
import { useLatest } from '../../lib/use-latest'
import type { Action } from '../action'
import { LoadFailure } from '../failures/LoadFailure'
import { FreshnessReporter } from '../freshness-scope'
import { NoResponse } from '../status/NoResponse'
import { StaleAlert } from '../status/StaleAlert'
import { tableWidths } from './columns'
import { type RowDetails, withDetails } from './row-ids'
import { useRowTooltip } from './row-tooltip'
import type { Column, Filter, Sort } from './rows'
import { TableHead } from './TableHead'
import { LoadingRows, type OnOpen, TableRows } from './TableRows'
import { NothingMatches, PartialAlert } from './TableState'
import { TableToolbar } from './TableToolbar'
import type { TableModel } from './use-table'
import './ListTable.css'

/** What every table gets. */
export interface TableProps<T extends object, A> {
  /** Accessible name of the table; in lower case also the noun in `Unable to load {noun}`. */
  label: string
  /** The rows, and everything known about them. */
  source: Source<T>
  columns: readonly Column<T, A>[]
  filters?: readonly Filter<T>[]
  /** The entries of the menu at the end of a row, read when it opens. */
  actions?: (row: T) => Action[]
  /** Controls next to the filters, such as a button that creates an object. */
  toolbar?: ReactNode
  /** Shown in place of the table when there is nothing yet. */
  empty: ReactNode
  /** Rendered as well when no row matches the filters. */
  noMatches?: ReactNode
  /** What else it may mean that the user may not read the rows. */
  denied?: ReactNode
  /** The default order; by the first sortable column without it. */
  firstSort?: Sort
}

/** @typeParam A what the cells need besides their rows, compared field by field; only a table whose cells need nothing has no `at` */
export type WithCellParams<A> = void extends A ? { at?: A } : { at: A }

interface TableFrameProps<T extends object, A> extends Omit<TableProps<T, A>, 'columns' | 'filters' | 'firstSort'> {
  table: TableModel<T>
  /** The visible ones. */
  columns: readonly Column<T, A>[]
  at: A
  /** The rows of the current page; all of them without it. */
  page?: readonly T[] | undefined
  details?: RowDetails<T, A> | undefined
  onOpen?: OnOpen<T> | undefined
  /** The user has chosen the columns, so that they keep their widths. */
  hasChosenColumns?: boolean
  /** In the toolbar, in front of `toolbar`. */
  views?: ReactNode
  /** In the toolbar, behind `toolbar`. */
  columnsMenu?: ReactNode
  /** The selected rows and what can be done with them, of a table whose rows can be selected. */
  selectionActions?: ReactNode
  isSelectable: boolean
  /** Called after all filters are cleared with a button that disappears with them. */
  onCleared?: (() => void) | undefined
  /** Below the rows. */
  children?: ReactNode
}

/** Every state of a table: loading, failed, forbidden, empty, no matches, partly missing, incomplete, stale, offline. */
export function TableFrame<T extends object, A>({ children, ...props }: TableFrameProps<T, A>) {
  const { label, source, table, columns, toolbar, views, columnsMenu, isSelectable, selectionActions } = props
  const { total, body } = table
  const failure = <ListFailure label={label} source={source} error={table.failure} denied={props.denied} />
  if (table.hasFailed) return failure
  const { missing, retry, more } = source
  const isPartial = missing.length > 0
  const clearAll = () => {
    table.setFilterValues({})
    props.onCleared?.()
  }
  // A count alone says nothing that the rows do not.
  const hasToolbar = table.filters.length > 0 || Boolean(toolbar ?? views) || isSelectable || isPartial || Boolean(more)
  return (
    <>
      {hasToolbar && (
        <TableToolbar table={table} source={source} columns={columns} isSelectable={isSelectable} onClearAll={clearAll}>
          {body !== 'empty' && (
            <>
              {views}
              {toolbar && <ToolbarItem>{toolbar}</ToolbarItem>}
              {columnsMenu}
            </>
          )}
          {selectionActions}
        </TableToolbar>
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
      {isTimeout(source.error) && body !== 'failure' && <StaleAlert />}
      {isPartial && <PartialAlert label={label} missing={missing} isEmpty={!total} onRetry={retry} />}
      {body === 'empty' && props.empty}
      {body === 'failure' && failure}
      {body === 'no matches' && <NothingMatches onClear={clearAll} />}
      {body === 'no matches' && props.noMatches}
      {body === 'no loaded matches' && <NothingMatches unread={isPartial ? 'failed' : 'more'} onClear={clearAll} />}
      {/* In place of the rows only: a dialog of the toolbar may be open. */}
      {table.isOverdue ? (
        <NoResponse noun={label.toLowerCase()} />
      ) : (
        (body === 'rows' || body === 'loading') && <Grid {...props} />
      )}
      {children}
    </>
  )
}

/** The header and the rows. */
function Grid<T extends object, A>({
  label,
  source: { kind },
  table,
  columns,
  at,
  page = table.rows ?? none,
  actions,
  details,
  onOpen,
  isSelectable,
  hasChosenColumns,
}: TableFrameProps<T, A>) {
  const { sort, setSort, expanded, setExpanded, selected, setSelected } = table
  const isLoading = table.body === 'loading'
  const rowActions = useLatest(actions)
  const { handlers, tooltip } = useRowTooltip()
  const items = withDetails(page, { kind, expanded, details, at })
  return (
    <>
      <div
        className={hasChosenColumns ? 'slipway-table__chosen' : undefined}
        style={{ '--slipway-table-least-width': `${tableWidths(columns).leastRem}rem` } as CSSProperties}
      >
        <Table
          aria-label={label}
          aria-rowcount={isLoading ? undefined : items.length + 1}
          aria-busy={isLoading}
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
          {isLoading ? (
            <LoadingRows
              label={label}
              columnCount={columns.length + [actions, details, isSelectable].filter(Boolean).length}
            />
          ) : (
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
          )}
        </Table>
      </div>
      {tooltip}
    </>
  )
}

const none: never[] = []

/** In place of the rows. The page around a list that does not exist is there all the same. */
const ListFailure = ({
  label,
  source,
  error,
  denied,
}: {
  label: string
  source: Pick<Source<object>, 'isFetching' | 'retry'>
  error: Error | null
  denied: ReactNode
}) => (
  <LoadFailure
    noun={label.toLowerCase()}
    missingTitle="404: Not Found"
    error={error}
    isRetrying={source.isFetching}
    onRetry={source.retry}
    denied={denied}
  />
)
