import { Button, Checkbox, Label, Skeleton } from '@patternfly/react-core'
import OpenIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-caret-down-icon'
import {
  memo,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import type { RowKind } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import type { Action } from '../action'
import { ActionMenu } from '../actions/ActionMenu'
import { FailureBoundary } from '../failures/FailureBoundary'
import { focusHeading } from '../page/focus-heading'
import { useMediaQuery } from '../page/media-query'
import { renderAllUpTo, useVirtualRows } from '../page/virtual-rows'
import { Detail, noIds, type RowDetails, type RowIds, type SetRowIds, type TableItem, withIds } from './row-ids'
import { addTabStop } from './row-tooltip'
import type { Column } from './rows'

/** As many as the tallest screens show. */
const initialRowCount = 25
/** Only an estimate: text may be larger than usual. */
const rowHeightPx = 44

/** The actions of a row, read when its menu opens, so that a new function does not render the rows again. */
export type RowActions<T> = RefObject<((row: T) => Action[]) | undefined>

/** Called when the page of a row is opened from the table; always the same ref, for the same reason. */
export type OnOpen<T> = RefObject<(row: T) => void>

/** Settings that are the same for every row. */
interface RowSettings<T, A> {
  kind: RowKind<T>
  columns: readonly Column<T, A>[]
  at: A
  /** `undefined` for a table without menus. */
  actions: RowActions<T> | undefined
  onOpen?: OnOpen<T>
  details?: RowDetails<T, A> | undefined
  setExpanded?: SetRowIds
  /** `undefined` for a table whose rows cannot be selected. */
  setSelected?: SetRowIds | undefined
}

interface TableRowsProps<T, A> extends RowSettings<T, A> {
  /** The rows, each followed by its details if it is expanded. */
  items: readonly TableItem<T>[]
  expanded?: RowIds
  selected?: RowIds
}

export const TableRows = <T extends object, A>(props: TableRowsProps<T, A>) => (
  <FailureBoundary
    noun="the rows"
    frame={(failure) => (
      <tbody role="rowgroup" className="pf-v6-c-table__tbody">
        <tr className="pf-v6-c-table__tr">
          <td className="pf-v6-c-table__td" colSpan={columnCountOf(props)}>
            {failure}
          </td>
        </tr>
      </tbody>
    )}
  >
    {props.items.length > renderAllUpTo ? <VirtualRows {...props} /> : <AllRows {...props} />}
  </FailureBoundary>
)

/** With those of the buttons and checkboxes of each row. */
const columnCountOf = <T, A>({ columns, details, setSelected, actions }: RowSettings<T, A>): number =>
  columns.length + [details, setSelected, actions].filter(Boolean).length

function AllRows<T extends object, A>({ items, ...props }: TableRowsProps<T, A>) {
  // First the visible rows: the others are rendered while the page is already responsive. Only on the first render, or
  // each row that is added later would briefly remove the last one, and the focus with it.
  const isComplete = useDeferredValue(true, false)
  return (
    <tbody role="rowgroup" className="pf-v6-c-table__tbody">
      {items.slice(0, isComplete ? items.length : initialRowCount).map((item, index) => (
        <Item key={keyOf(item, props.kind)} item={item} index={index} {...props} />
      ))}
    </tbody>
  )
}

/** The visible rows and a few around them, between two empty rows as high as all the others. */
function VirtualRows<T extends object, A>({ items, ...props }: TableRowsProps<T, A>) {
  const isUniform = useIsUniform(props.columns)
  const [uniformPx, setUniformPx] = useState<number>()
  const { container, rendered, abovePx, belowPx, measure } = useVirtualRows<HTMLTableSectionElement>({
    count: items.length,
    keyOf: (index) => keyOf(items[index] as TableItem<T>, props.kind),
    rowHeightPx: (isUniform && uniformPx) || rowHeightPx,
  })
  const hasRows = rendered.length > 0
  useLayoutEffect(() => {
    if (!isUniform || !hasRows) return
    setUniformPx(container.current?.querySelector<HTMLElement>('.slipway-table__row')?.offsetHeight)
  }, [container, isUniform, hasRows])
  return (
    <tbody ref={container} role="rowgroup" className="pf-v6-c-table__tbody">
      <Gap heightPx={abovePx} />
      {rendered.map(({ key, index }) => (
        <Item
          key={key}
          item={items[index] as TableItem<T>}
          index={index}
          {...props}
          measure={measure}
          isUniform={isUniform}
        />
      ))}
      <Gap heightPx={belowPx} />
    </tbody>
  )
}

/**
 * Whether all rows are one line, and so as high as the first one: measuring each row that appears would cost a layout in
 * each frame of scrolling. Below this width rows are cards.
 */
function useIsUniform<T, A>(columns: readonly Column<T, A>[]): boolean {
  const isCards = useMediaQuery('(width < 48rem)')
  return !isCards && !columns.some(({ wraps }) => wraps)
}

const Gap = ({ heightPx }: { heightPx: number }) =>
  heightPx > 0 && <tr aria-hidden className="slipway-table__gap" style={{ height: heightPx }} />

const keyOf = <T extends object>(item: TableItem<T>, kind: RowKind<T>): string =>
  item instanceof Detail ? `${kind.idOf(item.row)} details` : kind.idOf(item)

interface ItemProps<T, A> extends Omit<TableRowsProps<T, A>, 'items'> {
  item: TableItem<T>
  /** Index in the whole table, not only among the rendered items. */
  index: number
  measure?: Measure
  /** Only details can differ in height. */
  isUniform?: boolean
}

type Measure = (element: HTMLTableRowElement | null) => void

function Item<T extends object, A>(itemProps: ItemProps<T, A>) {
  const { item, expanded = noIds, selected = noIds, measure, isUniform, ...props } = itemProps
  const { kind, index, at, details } = props
  if (item instanceof Detail) {
    return (
      <MeasuredRow
        index={index}
        measure={measure}
        className="slipway-table__details pf-v6-c-table__expandable-row pf-m-expanded"
      >
        <td tabIndex={-1} className="pf-v6-c-table__td" colSpan={columnCountOf(props)}>
          <div className="pf-v6-c-table__expandable-row-content">{details?.(item.row, at)}</div>
        </td>
      </MeasuredRow>
    )
  }
  const id = kind.idOf(item)
  return (
    <MemoRow
      row={item}
      {...props}
      measure={isUniform ? undefined : measure}
      isExpanded={expanded.has(id)}
      isSelected={selected.has(id)}
    />
  )
}

interface MeasuredRowProps extends Pick<ItemProps<object, unknown>, 'index' | 'measure'> {
  className: string
  children: ReactNode
}

/**
 * A row, which like its cells has the element and classes of PatternFly's. Its components have states and effects for
 * what no table of ours does, and each cell would ask for its width: most of the time that the rows took.
 */
function MeasuredRow({ index, measure, className, children }: MeasuredRowProps) {
  const element = useRef<HTMLTableRowElement>(null)
  // Once: the virtualizer observes its height from then on, and caches it by the id of the row.
  useLayoutEffect(() => measure?.(element.current), [measure])
  // Move the focus to the heading when the focused row unmounts, for whatever reason.
  useLayoutEffect(() => {
    const rendered = element.current
    return () => {
      if (rendered?.contains(document.activeElement)) focusHeading()
    }
  }, [])
  useEffect(() => addTabStop(element.current))
  return (
    <tr
      ref={element}
      data-index={index}
      // The header is row 1.
      aria-rowindex={index + 2}
      className={`pf-v6-c-table__tr ${className}`}
    >
      {children}
    </tr>
  )
}

interface RowProps<T, A> extends RowSettings<T, A> {
  row: T
  index: number
  measure?: Measure | undefined
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
  onOpen,
  measure,
  details,
  isExpanded,
  setExpanded,
  isSelected,
  setSelected,
}: RowProps<T, A>) {
  const checkboxId = useId()
  return (
    <MeasuredRow index={index} measure={measure} className={`slipway-table__row${isSelected ? ' pf-m-selected' : ''}`}>
      {details && (
        <td tabIndex={-1} className="pf-v6-c-table__td pf-v6-c-table__toggle">
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
        </td>
      )}
      {setSelected && (
        <td tabIndex={-1} className="pf-v6-c-table__td pf-v6-c-table__check">
          <Checkbox
            id={checkboxId}
            aria-label={`Select ${kind.nameOf(row)}`}
            isChecked={isSelected}
            onChange={(_, isChecked) => setSelected(withIds([kind.idOf(row)], isChecked))}
          />
        </td>
      )}
      {columns.map((column) => {
        const Cell = column.isRowHeader ? 'th' : 'td'
        return (
          <Cell
            key={column.id}
            tabIndex={-1}
            data-label={column.label}
            className={`pf-v6-c-table__td${column.wraps ? ' slipway-table__wraps' : ''}`}
            scope={column.isRowHeader ? 'row' : undefined}
            // Not prevented: the browser follows the link, in another tab or to another site.
            onClick={column.linkTo && (({ defaultPrevented }) => defaultPrevented && onOpen?.current(row))}
          >
            <Content column={column} row={row} at={at} />
            {column.isRowHeader && kind.isBeingDeleted(row) && (
              <>
                {' '}
                <Label isCompact status="warning">
                  Being deleted
                </Label>
              </>
            )}
          </Cell>
        )
      })}
      {actions && (
        <td tabIndex={-1} className="pf-v6-c-table__td pf-v6-c-table__action">
          <ActionMenu label={`Actions for ${kind.nameOf(row)}`} actions={() => actions.current?.(row) ?? []} />
        </td>
      )}
    </MeasuredRow>
  )
}

function Content<T, A>({ column, row, at }: { column: Column<T, A>; row: T; at: A }) {
  const url = column.linkTo?.(row, at)
  const content = column.cell(row, at)
  return (
    <>
      {column.prefix?.(row, at)}
      {url ? <Link to={url}>{content}</Link> : content}
      {column.suffix?.(row, at)}
    </>
  )
}

// Unchanged objects keep their identity, so one event renders only one row again. `memo` loses the type parameters.
const MemoRow = memo(
  Row,
  ({ at: a, ...before }: RowProps<object, unknown>, { at: b, ...after }: RowProps<object, unknown>) =>
    isShallowEqual(before, after) && isShallowEqual({ ...Object(a) }, { ...Object(b) }),
) as typeof Row

const loadingRowCount = 5

/** Placeholders for rows that are loading, as high as the rows. */
export const LoadingRows = ({ label, columnCount }: { label: string; columnCount: number }) => (
  <tbody role="rowgroup" className="pf-v6-c-table__tbody">
    {Array.from({ length: loadingRowCount }, (_, row) => (
      <tr key={row} className="pf-v6-c-table__tr slipway-table__row">
        {Array.from({ length: columnCount }, (_, column) => (
          <td key={column} tabIndex={-1} className="pf-v6-c-table__td">
            <Skeleton width="60%" screenreaderText={row + column === 0 ? `Loading ${label}` : undefined} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
)
