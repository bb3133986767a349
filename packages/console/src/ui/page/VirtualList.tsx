import { Fragment, type ReactNode } from 'react'
import { renderAllUpTo, useVirtualRows } from './virtual-rows'

interface VirtualListProps<T> {
  items: readonly T[]
  idOf: (item: T) => string
  /** An estimate; rows are measured when they are rendered. */
  rowHeightPx: number
  /** @param props of its `<li>` */
  renderRow: (item: T, props: RowProps) => ReactNode
  tag?: 'ol' | 'ul'
  className?: string
  /** Accessible name of the list. */
  label?: string
}

/** What a row that is rendered without all the others needs to be measured, and to say where it is. */
export interface RowProps {
  ref?: (element: HTMLElement | null) => void
  'data-index'?: number
  'aria-setsize'?: number
  'aria-posinset'?: number
}

/** A list of any length within a page: of a long one, only the rows on screen and a few around them are rendered. */
export const VirtualList = <T,>(props: VirtualListProps<T>) =>
  props.items.length > renderAllUpTo ? <RowsOnScreen {...props} /> : <AllRows {...props} />

const noProps: RowProps = {}

const AllRows = <T,>({ items, idOf, renderRow, tag: Tag = 'ol', className, label }: VirtualListProps<T>) => (
  <Tag className={className} aria-label={label}>
    {items.map((item) => (
      <Fragment key={idOf(item)}>{renderRow(item, noProps)}</Fragment>
    ))}
  </Tag>
)

function RowsOnScreen<T>({
  items,
  idOf,
  rowHeightPx,
  renderRow,
  tag: Tag = 'ol',
  className,
  label,
}: VirtualListProps<T>) {
  const { container, rendered, abovePx, belowPx, measure } = useVirtualRows<HTMLOListElement & HTMLUListElement>({
    count: items.length,
    keyOf: (index) => idOf(items[index] as T),
    rowHeightPx,
  })
  return (
    <Tag ref={container} className={className} aria-label={label}>
      <Gap heightPx={abovePx} />
      {rendered.map(({ key, index }) => (
        <Fragment key={key}>
          {renderRow(items[index] as T, {
            ref: measure,
            'data-index': index,
            'aria-setsize': items.length,
            'aria-posinset': index + 1,
          })}
        </Fragment>
      ))}
      <Gap heightPx={belowPx} />
    </Tag>
  )
}

const Gap = ({ heightPx }: { heightPx: number }) =>
  heightPx > 0 && <li aria-hidden style={{ height: heightPx, gridColumn: '1 / -1', border: 0 }} />
