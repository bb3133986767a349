import { Th, Thead, Tr } from '@patternfly/react-table'
import { tableWidths } from './columns'
import { type Column, isDescending, type Sort, sortedColumn } from './rows'

interface TableHeadProps<T, A> {
  columns: readonly Column<T, A>[]
  sort: Sort
  onSort: (sort: Sort) => void
  hasDetails: boolean
  isSelectable: boolean
  hasActions: boolean
}

function widthOf<T, A>({ width, widthRem }: Column<T, A>, scale: number): string | undefined {
  if (widthRem) return `${widthRem}rem`
  return width && `${width * scale}%`
}

/** The widths of the columns, and their headers. */
export const TableHead = <T, A>({
  columns,
  sort,
  onSort,
  hasDetails,
  isSelectable,
  hasActions,
}: TableHeadProps<T, A>) => {
  const { scale } = tableWidths(columns)
  return (
    <>
      <colgroup>
        {hasDetails && <col className="slipway-table__control" />}
        {isSelectable && <col className="slipway-table__control" />}
        {columns.map((column) => (
          <col key={column.id} style={{ width: widthOf(column, scale) }} />
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
              className={column.isRowHeader ? 'slipway-table__names' : undefined}
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
}
