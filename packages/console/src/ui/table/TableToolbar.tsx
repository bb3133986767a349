import { Toolbar, ToolbarContent, ToolbarGroup, ToolbarItem } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import type { RowWindow, Source } from '../../api/source'
import { FilterFold } from './FilterFold'
import { withIds } from './row-ids'
import type { Column, Filter } from './rows'
import { SelectAll } from './SelectionToolbar'
import { SortMenu } from './SortMenu'
import { LoadingFilter, TableFilter } from './TableFilter'
import { RowCount } from './TableState'
import type { TableModel } from './use-table'

interface TableToolbarProps<T extends object, A> {
  table: TableModel<T>
  source: Source<T>
  columns: readonly Column<T, A>[]
  isSelectable: boolean
  onClearAll: () => void
  /** Behind the filters. */
  children: ReactNode
}

/** Filters, order and number of the rows. */
export function TableToolbar<T extends object, A>({
  table,
  source: { kind, missing, more, window },
  columns,
  isSelectable,
  onClearAll,
  children,
}: TableToolbarProps<T, A>) {
  const { total, rows, filters, sort, setSort, selection, setSelected, isSourceSort, isWindow } = table
  return (
    <Toolbar
      hasNoPadding
      className="slipway-table__toolbar"
      clearAllFilters={onClearAll}
      clearFiltersButtonText="Clear all filters"
      // If nothing matches, the same button is shown in place of the rows.
      customLabelGroupContent={rows?.length === 0 ? <></> : undefined}
      collapseListedFiltersBreakpoint={neverCollapse}
    >
      <ToolbarContent alignItems="center">
        {isSelectable && rows && table.body !== 'empty' && (
          <SelectAll
            shownCount={rows.length}
            selectedCount={selection.rows.length}
            onSelect={(isSelected) => setSelected(withIds(rows.map(kind.idOf), isSelected))}
          />
        )}
        <Filters table={table} window={window} some={filters.slice(0, 1)} />
        {filters.length > 1 && total !== 0 && (
          <FilterFold>
            <Filters table={table} window={window} some={filters.slice(1)} />
          </FilterFold>
        )}
        {children}
        <ToolbarGroup align={{ default: 'alignEnd' }} alignItems="center">
          {total !== undefined && total > 1 && <SortMenu columns={columns} sort={sort} onSort={setSort} />}
          {rows && total !== undefined && total > 0 && (
            <ToolbarItem alignSelf="center">
              <RowCount
                shown={rows.length}
                total={total}
                isAll={(isWindow ? !window?.isArriving : !more) && missing.length === 0}
                isClusterOnly={window?.archive === 'after'}
                isSortedInPart={Boolean(more) && !isSourceSort}
              />
            </ToolbarItem>
          )}
        </ToolbarGroup>
      </ToolbarContent>
    </Toolbar>
  )
}

/** Never collapses the chips: PatternFly does that for falsy values other than `undefined`, which its types lack. */
const neverCollapse = null as unknown as undefined

/** Some of the filters: all that are in the toolbar, or those that a narrow window folds. */
function Filters<T extends object>({
  table,
  window,
  some,
}: {
  table: TableModel<T>
  window: RowWindow | undefined
  some: readonly Filter<T>[]
}) {
  const { all, total, filters, filterValues, setFilterValues } = table
  if (!all) return some.map((filter) => <LoadingFilter key={filter.id} isNarrow={!('text' in filter)} />)
  if (total === 0) return null
  return some.map((filter) => (
    <TableFilter
      key={filter.id}
      filter={filter}
      filters={filters}
      rows={all}
      window={window}
      filterValues={filterValues}
      onChange={setFilterValues}
    />
  ))
}
