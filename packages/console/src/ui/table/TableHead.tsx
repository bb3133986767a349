import { Th, Thead, Tr } from '@patternfly/react-table'
import { columnClass } from './columns'
import { type Column, isDescending, type Sort, sortedColumn } from './rows'

interface TableHeadProps<T, A> {
  columns: readonly Column<T, A>[]
  sort: Sort
  onSort: (sort: Sort) => void
  hasDetails: boolean
  isSelectable: boolean
  hasActions: boolean
}

/** The widths of the columns, and their headers. */
export const TableHead = <T, A>({
  columns,
  sort,
  onSort,
  hasDetails,
  isSelectable,
  hasActions,
}: TableHeadProps<T, A>) => (
  <>
    <colgroup>
      {hasDetails && <col className="slipway-table__control" />}
      {isSelectable && <col className="slipway-table__control" />}
      {columns.map((column) => (
        <col
          key={column.id}
          className={columnClass(column, columns.length)}
          style={column.width && { width: `${column.width}%` }}
        />
      ))}
      {hasActions && <col className="slipway-table__actions" />}
    </colgroup>
    <Thead>
      <Tr aria-rowindex={1}>
        {hasDetails && <Th screenReaderText="Details" />}
        {isSelectable && <Th screenReaderText="Selection" />}
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
                onSort: (_event, _index, direction) => onSort(direction === 'desc' ? `-${column.id}` : column.id),
              }
            }
          >
            {column.label}
          </Th>
        ))}
        {hasActions && <Th screenReaderText="Actions" />}
      </Tr>
    </Thead>
  </>
)
