import { ToolbarItem } from '@patternfly/react-core'
import SortIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-sort-down-large-to-small-icon'
import { MenuButton } from '../actions/MenuButton'
import { useMediaQuery } from '../page/media-query'
import type { Column, Sort } from './rows'

interface SortMenuProps<T, A> {
  columns: readonly Column<T, A>[]
  sort: Sort
  onSort: (sort: Sort) => void
}

/** The order of the rows on a phone, where they are cards and there are no headers to press. */
export function SortMenu<T, A>({ columns, sort, onSort }: SortMenuProps<T, A>) {
  // As in ListTable.css.
  const isCards = useMediaQuery('(width < 48rem)')
  const sortable = columns.filter(({ sortBy }) => sortBy)
  if (!isCards || sortable.length < 2) return null
  const choices = sortable.flatMap(({ id, label, firstDirection }) => {
    const orders = [
      { label: `${label}, ascending`, order: id },
      { label: `${label}, descending`, order: `-${id}` },
    ]
    return firstDirection === 'desc' ? orders.reverse() : orders
  })
  return (
    <ToolbarItem>
      <MenuButton
        label="Sort"
        title="Sort"
        className="slipway-table__sort"
        icon={<SortIcon />}
        menuLabel="Order of the rows"
        choices={choices.map(({ label, order }) => ({
          label,
          isSelected: order === sort,
          onSelect: () => onSort(order),
        }))}
      />
    </ToolbarItem>
  )
}
