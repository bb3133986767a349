import { Alert, Toolbar, ToolbarContent, ToolbarGroup, ToolbarItem } from '@patternfly/react-core'
import { Table, Th, Thead, Tr } from '@patternfly/react-table'
import type { KubeObject } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { useQuery } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { type ReactNode, useMemo } from 'react'
import type { listQuery } from '../../api/queries'
import type { Action } from '../ActionMenu'
import { FreshnessBadge } from '../FreshnessBadge'
import { FilterField } from './FilterField'
import { type Column, type Filter, filterRows, isDescending, sortedColumn, sortRows } from './rows'
import { LoadingRows, TableRows } from './TableRows'
import { LoadFailure, NothingMatches } from './TableState'
import { useFiltersInUrl, useSortInUrl } from './table-url'
import './ResourceTable.css'

interface ResourceTableProps<T extends KubeObject> {
  /** Accessible name of the table; in lower case the thing of `Unable to load {thing}`. */
  label: string
  query: ReturnType<typeof listQuery<T>>
  columns: Column<T>[]
  filters?: Filter<T>[]
  /** What the menu at the end of a row offers. */
  actions?: (row: T) => Action[]
  /** Controls beside the filters, such as a button that creates one more. */
  toolbar?: ReactNode
  /** Shown in place of the table when there is nothing yet. */
  empty: ReactNode
}

/**
 * A list of objects, from first byte to last. The table takes the *query* and not its rows, so that everything a list
 * can be belongs to it and no page does anything for it: loading, failed, not allowed, empty, nothing that matches,
 * stale, offline, and how fresh it is. It also keeps a page from being drawn again with every event of a watch.
 */
export const ResourceTable = <T extends KubeObject>(props: ResourceTableProps<T>) => (
  // Here and not around the whole console, since the landing page has nothing to keep in its URL.
  <NuqsAdapter>
    <TableOfQuery {...props} />
  </NuqsAdapter>
)

function TableOfQuery<T extends KubeObject>({
  label,
  query,
  columns,
  filters = none,
  actions,
  toolbar,
  empty,
}: ResourceTableProps<T>) {
  const { data, error, isFetching, refetch } = useQuery(query)
  const [sort, setSort] = useSortInUrl(columns)
  const [wanted, setWanted] = useFiltersInUrl(filters)
  // Measured with 10,000 rows: without this, every drawing (a keystroke, an opened menu) costs 20 ms.
  const all = data?.items
  const rows = useMemo(
    () => all && sortRows(filterRows(all, filters, wanted), columns, sort ?? ''),
    [all, filters, wanted, columns, sort],
  )
  const retry = () => void refetch()

  if (!rows && error) {
    return <LoadFailure thing={label.toLowerCase()} error={error} isRetrying={isFetching} onRetry={retry} />
  }
  const isEmpty = all?.length === 0
  return (
    <>
      <Toolbar hasNoPadding className="slipway-table__toolbar">
        <ToolbarContent alignItems="center">
          {!isEmpty &&
            filters.map((filter) => (
              <ToolbarItem key={filter.id}>
                <FilterField
                  label={filter.label}
                  value={wanted[filter.id] ?? ''}
                  onChange={(text) => setWanted({ [filter.id]: text })}
                />
              </ToolbarItem>
            ))}
          {!isEmpty && toolbar && <ToolbarItem>{toolbar}</ToolbarItem>}
          <ToolbarGroup align={{ default: 'alignEnd' }} alignItems="center">
            {rows && all && !isEmpty && (
              <ToolbarItem alignSelf="center">
                <RowCount shown={rows.length} total={all.length} />
              </ToolbarItem>
            )}
            <ToolbarItem alignSelf="center">
              <FreshnessBadge query={query} onRetry={retry} />
            </ToolbarItem>
          </ToolbarGroup>
        </ToolbarContent>
      </Toolbar>
      {isTimeout(error) && (
        <Alert isInline variant="warning" component="p" title="Timed out fetching new data. The data below is stale." />
      )}
      {isEmpty && empty}
      {rows?.length === 0 && !isEmpty && <NothingMatches onClear={() => setWanted({})} />}
      {rows?.length !== 0 && (
        <Table
          aria-label={label}
          aria-rowcount={rows && rows.length + 1}
          aria-busy={!rows}
          role="table"
          isStickyHeader
          className="slipway-table"
        >
          <colgroup>
            {columns.map(({ id, width }) => (
              <col key={id} style={width && { width: `${width}%` }} />
            ))}
            {actions && <col className="slipway-table__actions" />}
          </colgroup>
          <Thead>
            <Tr aria-rowindex={1}>
              {columns.map(({ id, label, sortBy }, columnIndex) => (
                <Th
                  key={id}
                  sort={
                    sortBy && {
                      columnIndex,
                      sortBy: {
                        index: columns.findIndex((column) => column.id === sortedColumn(sort ?? '')),
                        direction: isDescending(sort ?? '') ? 'desc' : 'asc',
                      },
                      onSort: (_event, _index, direction) => setSort(direction === 'desc' ? `-${id}` : id),
                    }
                  }
                >
                  {label}
                </Th>
              ))}
              {actions && <Th screenReaderText="Actions" />}
            </Tr>
          </Thead>
          {rows ? (
            <TableRows rows={rows} columns={columns} actions={actions} />
          ) : (
            <LoadingRows label={label} columnCount={columns.length + (actions ? 1 : 0)} />
          )}
        </Table>
      )}
    </>
  )
}

const none: never[] = []

const isTimeout = (error: unknown): boolean => error instanceof ApiError && [408, 504].includes(error.code)

/** How many rows are shown of how many: `1,200 total`, or `3 of 1,200` while a filter is set. */
const RowCount = ({ shown, total }: { shown: number; total: number }) => (
  <span role="status" className="slipway-table__count">
    {shown === total ? `${number(total)} total` : `${number(shown)} of ${number(total)}`}
  </span>
)

const number = (value: number): string => value.toLocaleString('en-US')
