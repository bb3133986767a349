import AscendingIcon from '@patternfly/react-icons/dist/esm/icons/long-arrow-alt-up-icon'
import DescendingIcon from '@patternfly/react-icons/dist/esm/icons/long-arrow-alt-down-icon'
import UnsortedIcon from '@patternfly/react-icons/dist/esm/icons/arrows-alt-v-icon'
import type { ReactNode } from 'react'
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
      <thead className="pf-v6-c-table__thead">
        <tr className="pf-v6-c-table__tr" aria-rowindex={1}>
          {hasDetails && <UnseenHeader>Details</UnseenHeader>}
          {isSelectable && <UnseenHeader>Selection</UnseenHeader>}
          {columns.map((column) => (
            <ColumnHeader key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
          {hasActions && <UnseenHeader>Actions</UnseenHeader>}
        </tr>
      </thead>
    </>
  )
}

/** The header of a column of controls. */
const UnseenHeader = ({ children }: { children: ReactNode }) => (
  <th tabIndex={-1} scope="col" className="pf-v6-c-table__th">
    <span className="pf-v6-screen-reader">{children}</span>
  </th>
)

const orderIcons = { ascending: AscendingIcon, descending: DescendingIcon }

interface ColumnHeaderProps<T, A> extends Pick<TableHeadProps<T, A>, 'sort' | 'onSort'> {
  column: Column<T, A>
}

/** The elements of PatternFly's `Th`, whose own component brings tooltips, favorites and more: a label is never cut. */
function ColumnHeader<T, A>({
  column: { id, label, sortBy, firstDirection, isRowHeader },
  sort,
  onSort,
}: ColumnHeaderProps<T, A>) {
  const names = isRowHeader ? ' slipway-table__names' : ''
  if (!sortBy) {
    return (
      <th tabIndex={-1} scope="col" className={`pf-v6-c-table__th${names}`}>
        {label}
      </th>
    )
  }
  const direction = isDescending(sort) ? 'descending' : 'ascending'
  const order = sortedColumn(sort) === id ? direction : undefined
  const OrderIcon = order ? orderIcons[order] : UnsortedIcon
  const isNextDescending = order ? order === 'ascending' : firstDirection === 'desc'
  return (
    <th
      tabIndex={-1}
      scope="col"
      className={`pf-v6-c-table__th${names} pf-v6-c-table__sort${order ? ' pf-m-selected' : ''}`}
      aria-sort={order}
    >
      <button type="button" className="pf-v6-c-table__button" onClick={() => onSort(isNextDescending ? `-${id}` : id)}>
        <div className="pf-v6-c-table__button-content">
          <span className="pf-v6-c-table__text">{label}</span>
          <span className="pf-v6-c-table__sort-indicator">
            <OrderIcon />
          </span>
        </div>
      </button>
    </th>
  )
}
