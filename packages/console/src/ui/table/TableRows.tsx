import { Button, Checkbox, Label, Skeleton } from '@patternfly/react-core'
import OpenIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-caret-down-icon'
import { ExpandableRowContent, Tbody, Td, Tr } from '@patternfly/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type RefObject, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react'
import type { RowKind } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import type { Action } from '../action'
import { ActionMenu } from '../actions/ActionMenu'
import { focusHeading } from '../page/focus-heading'
import { columnClass } from './columns'
import { Detail, noIds, type RowDetails, type RowIds, type SetRowIds, type TableItem, withIds } from './row-ids'
import type { Column } from './rows'

/** Shorter lists are drawn whole: searching in the page and printing then see every row. */
const renderAllUpTo = 100
/** As many as the highest screens show. */
const initialRowCount = 25
const overscanRows = 10
/** First guess only; rows are measured when they are drawn. */
const rowHeightPx = 44

/** What rows can do, read when a menu opens: another function does not render the rows again. */
export type RowActions<T> = RefObject<((row: T) => Action[]) | undefined>

/** What is the same for every row. */
interface RowSettings<T, A> {
  kind: RowKind<T>
  columns: readonly Column<T, A>[]
  at: A
  /** `undefined` for a table without menus. */
  actions: RowActions<T> | undefined
  details?: RowDetails<T, A> | undefined
  setExpanded?: SetRowIds
  /** `undefined` for a table whose rows cannot be selected. */
  setSelected?: SetRowIds | undefined
}

interface TableRowsProps<T, A> extends RowSettings<T, A> {
  /** The rows, and below those that are expanded their details. */
  items: readonly TableItem<T>[]
  expanded?: RowIds
  selected?: RowIds
}

export const TableRows = <T extends object, A>(props: TableRowsProps<T, A>) =>
  props.items.length > renderAllUpTo ? <VirtualRows {...props} /> : <AllRows {...props} />

function AllRows<T extends object, A>({ items, ...props }: TableRowsProps<T, A>) {
  // Those in sight first: the others are drawn while the page already answers. Only at first, or each row that comes
  // later would push the last one out for a moment, and whoever stands on it with it.
  const isWhole = useDeferredValue(true, false)
  return (
    <Tbody>
      {items.slice(0, isWhole ? items.length : initialRowCount).map((item, index) => (
        <Item key={keyOf(item, props.kind)} item={item} index={index} {...props} />
      ))}
    </Tbody>
  )
}

/** The rows in sight and a few around them, between two empty rows as high as all the others. */
function VirtualRows<T extends object, A>({ items, ...props }: TableRowsProps<T, A>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [place, setPlace] = useState<ScrollPosition>()
  const offsetPx = place?.offsetPx ?? 0
  // The virtualizer draws its caller again by itself; nothing here is kept from one drawing to the next.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    // It scrolls its element to where it begins: that is where the page is, which may just have been returned to.
    enabled: place !== undefined,
    initialOffset: () => place?.scroller.scrollTop ?? 0,
    getScrollElement: () => place?.scroller ?? null,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => keyOf(items[index] as TableItem<T>, props.kind),
    overscan: overscanRows,
    scrollMargin: offsetPx,
    useFlushSync: false,
  })
  // What is above the table may grow or shrink at any time, so its place is looked up after every drawing; it is set
  // only when it has changed. While one scrolls it can wait: to look has the browser lay out the page for each frame.
  const { isScrolling } = virtualizer
  const locate = () => {
    if (body.current && !isScrolling) setPlace(keepIfEqual(scrollPositionOf(body.current)))
  }
  useLayoutEffect(locate)
  const drawn = virtualizer.getVirtualItems()
  const above = (drawn[0]?.start ?? offsetPx) - offsetPx
  const below = virtualizer.getTotalSize() - ((drawn.at(-1)?.end ?? offsetPx) - offsetPx)
  return (
    <Tbody ref={body}>
      <Gap heightPx={above} />
      {drawn.map(({ key, index }) => (
        <Item
          key={key}
          item={items[index] as TableItem<T>}
          index={index}
          {...props}
          measure={virtualizer.measureElement}
        />
      ))}
      <Gap heightPx={below} />
    </Tbody>
  )
}

const Gap = ({ heightPx }: { heightPx: number }) =>
  heightPx > 0 && <tr aria-hidden className="slipway-table__gap" style={{ height: heightPx }} />

interface ScrollPosition {
  /** The element that scrolls the table. */
  scroller: HTMLElement
  /** From the start of what it scrolls. */
  offsetPx: number
}

function scrollPositionOf(element: HTMLElement): ScrollPosition {
  const scroller = scrollParentOf(element)
  const offsetPx = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
  return { scroller, offsetPx }
}

const keepIfEqual = (next: ScrollPosition) => (before: ScrollPosition | undefined) =>
  before?.scroller === next.scroller && before.offsetPx === next.offsetPx ? before : next

function scrollParentOf(element: HTMLElement): HTMLElement {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return document.documentElement
}

const keyOf = <T extends object>(item: TableItem<T>, kind: RowKind<T>): string =>
  item instanceof Detail ? `${kind.idOf(item.row)} details` : kind.idOf(item)

interface ItemProps<T, A> extends Omit<TableRowsProps<T, A>, 'items'> {
  item: TableItem<T>
  /** Place in the whole table, not only among the items that are drawn. */
  index: number
  measure?: Measure
}

type Measure = (element: HTMLTableRowElement | null) => void

function Item<T extends object, A>({ item, expanded = noIds, selected = noIds, ...props }: ItemProps<T, A>) {
  const { kind, index, at, details, measure, columns, actions, setSelected } = props
  if (item instanceof Detail) {
    return (
      <MeasuredRow index={index} measure={measure} className="slipway-table__details" isExpanded>
        <Td colSpan={columns.length + [details, setSelected, actions].filter(Boolean).length}>
          <ExpandableRowContent>{details?.(item.row, at)}</ExpandableRowContent>
        </Td>
      </MeasuredRow>
    )
  }
  const id = kind.idOf(item)
  return <MemoRow row={item} {...props} isExpanded={expanded.has(id)} isSelected={selected.has(id)} />
}

interface MeasuredRowProps extends Pick<ItemProps<object, unknown>, 'index' | 'measure'> {
  className: string
  isExpanded?: boolean
  isRowSelected?: boolean
  children: ReactNode
}

function MeasuredRow({ index, measure, ...props }: MeasuredRowProps) {
  const element = useRef<HTMLTableRowElement>(null)
  // Move focus to the heading when the focused row unmounts, whoever removed it.
  useLayoutEffect(() => {
    const drawn = element.current
    return () => {
      if (drawn?.contains(document.activeElement)) focusHeading()
    }
  }, [])
  return (
    <Tr
      ref={(drawn: HTMLTableRowElement | null) => {
        element.current = drawn
        measure?.(drawn)
      }}
      data-index={index}
      // The header is row 1.
      aria-rowindex={index + 2}
      {...props}
    />
  )
}

interface RowProps<T, A> extends RowSettings<T, A> {
  row: T
  index: number
  measure?: Measure
  isExpanded: boolean
  isSelected: boolean
}

function Row<T extends object, A>({
  row,
  kind,
  index,
  columns,
  at,
  actions,
  measure,
  details,
  isExpanded,
  setExpanded,
  isSelected,
  setSelected,
}: RowProps<T, A>) {
  const checkboxId = useId()
  return (
    <MeasuredRow index={index} measure={measure} className="slipway-table__row" isRowSelected={isSelected}>
      {details && (
        <Td className="pf-v6-c-table__toggle">
          {details(row, at) && (
            <Button
              variant="plain"
              size="sm"
              aria-label={`Details of ${kind.nameOf(row)}`}
              aria-expanded={isExpanded}
              className={isExpanded ? 'pf-m-expanded' : undefined}
              icon={
                <div className="pf-v6-c-table__toggle-icon">
                  <OpenIcon />
                </div>
              }
              onClick={() => setExpanded?.(withIds([kind.idOf(row)], !isExpanded))}
            />
          )}
        </Td>
      )}
      {setSelected && (
        <Td className="pf-v6-c-table__check">
          <Checkbox
            id={checkboxId}
            aria-label={`Select ${kind.nameOf(row)}`}
            isChecked={isSelected}
            onChange={(_, isChecked) => setSelected(withIds([kind.idOf(row)], isChecked))}
          />
        </Td>
      )}
      {columns.map((column) => (
        <Td
          key={column.id}
          className={columnClass(column, columns.length)}
          dataLabel={column.label}
          component={column.isRowHeader ? 'th' : 'td'}
          scope={column.isRowHeader ? 'row' : undefined}
        >
          {column.cell(row, at)}
          {column.isRowHeader && kind.isBeingDeleted(row) && (
            <>
              {' '}
              <Label isCompact status="warning">
                Being deleted
              </Label>
            </>
          )}
        </Td>
      ))}
      {actions && (
        <Td isActionCell>
          <ActionMenu label={`Actions for ${kind.nameOf(row)}`} actions={() => actions.current?.(row) ?? []} />
        </Td>
      )}
    </MeasuredRow>
  )
}

// An object that no event named keeps its identity, so one event renders one row again. `memo` loses the type parameters.
const MemoRow = memo(
  Row,
  ({ at: a, ...before }: RowProps<object, unknown>, { at: b, ...after }: RowProps<object, unknown>) =>
    isShallowEqual(before, after) && isShallowEqual({ ...Object(a) }, { ...Object(b) }),
) as typeof Row

const loadingRowCount = 5

/** Stands in for rows that are on their way, as high as they will be. */
export const LoadingRows = ({ label, columnCount }: { label: string; columnCount: number }) => (
  <Tbody>
    {Array.from({ length: loadingRowCount }, (_, row) => (
      <Tr key={row} className="slipway-table__row">
        {Array.from({ length: columnCount }, (_, column) => (
          <Td key={column}>
            <Skeleton width="60%" screenreaderText={row + column === 0 ? `Loading ${label}` : undefined} />
          </Td>
        ))}
      </Tr>
    ))}
  </Tbody>
)
