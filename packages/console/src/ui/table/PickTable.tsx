import { useState } from 'react'
import { LastKnownScope } from '../status/last-known'
import { useNarrowFor, visibleColumns } from './columns'
import { useFilterState } from './filter-state'
import { noIds, type RowIds, type SetRowIds } from './row-ids'
import { SelectionActions } from './SelectionToolbar'
import { TableFrame, type TableProps, type WithCellParams } from './TableFrame'
import { pageSize, TablePages } from './TablePages'
import { defaultSort, useTable } from './use-table'

interface PickTableProps<T extends object, A> extends TableProps<T, A> {
  /** Makes rows selectable for a form, which has the selection as a value; rows that a filter hides stay selected. */
  selection?: readonly [RowIds, SetRowIds]
}

/** A table in a form or a dialog: pages of 10 rows, and nothing in the URL. */
export const PickTable = <T extends object, A = void>(props: PickTableProps<T, A> & WithCellParams<A>) => (
  <LastKnownScope freshness={props.source.freshness}>
    {/* Only a table whose cells need nothing has no `at`. */}
    <PagedTable {...props} at={props.at as A} />
  </LastKnownScope>
)

function PagedTable<T extends object, A>({
  columns,
  filters = none,
  selection: selecting,
  firstSort,
  ...props
}: PickTableProps<T, A> & { at: A }) {
  const { label, source } = props
  const filtering = useFilterState()
  const order = useState(defaultSort(columns, firstSort))
  const table = useTable({ source, columns, filters, filtering, order, selecting })
  const [chosenPage, setPage] = useState(1)
  const shownColumns = visibleColumns(columns, undefined, useNarrowFor())
  const { rows, selection } = table
  const rowCount = rows?.length ?? 0
  // Rows may have been removed since the page was selected.
  const page = Math.min(chosenPage, Math.ceil(rowCount / pageSize))
  return (
    <TableFrame
      {...props}
      table={table}
      columns={shownColumns}
      page={rows?.slice((page - 1) * pageSize, page * pageSize)}
      isSelectable={selecting !== undefined}
      selectionActions={
        selecting &&
        selection.rows.length + selection.hiddenCount > 0 && (
          <SelectionActions
            // A form uses all that are selected, also those that a filter hides.
            selectedCount={selection.rows.length + selection.hiddenCount}
            hiddenCount={0}
            actions={none}
            onClear={() => table.setSelected(noIds)}
          />
        )
      }
    >
      {rowCount > pageSize && <TablePages label={label} rowCount={rowCount} page={page} onPage={setPage} />}
    </TableFrame>
  )
}

const none: never[] = []
