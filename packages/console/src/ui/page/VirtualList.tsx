import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'

/** Lists up to this length are rendered completely, so that searching in the page and printing include every row. */
const renderAllUpTo = 100
const overscanRows = 10

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
  const list = useRef<HTMLOListElement & HTMLUListElement>(null)
  const [position, setPosition] = useState<ScrollPosition>()
  const offsetPx = position?.offsetPx ?? 0
  // The virtualizer renders its caller again by itself; nothing here is cached between renders.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    // It scrolls its element to the initial offset: the current position.
    enabled: position !== undefined,
    initialOffset: () => position?.scroller.scrollTop ?? 0,
    getScrollElement: () => position?.scroller ?? null,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => idOf(items[index] as T),
    overscan: overscanRows,
    scrollMargin: offsetPx,
    useFlushSync: false,
  })
  // What is above the list may grow or shrink at any time. Reading the position while the page scrolls would make the
  // browser lay out the page in each frame.
  const { isScrolling } = virtualizer
  const locate = () => {
    if (list.current && !isScrolling) setPosition(keepIfEqual(scrollPositionOf(list.current)))
  }
  useLayoutEffect(locate)
  const rendered = virtualizer.getVirtualItems()
  return (
    <Tag ref={list} className={className} aria-label={label}>
      <Gap heightPx={(rendered[0]?.start ?? offsetPx) - offsetPx} />
      {rendered.map(({ key, index }) => (
        <Fragment key={key}>
          {renderRow(items[index] as T, {
            ref: virtualizer.measureElement,
            'data-index': index,
            'aria-setsize': items.length,
            'aria-posinset': index + 1,
          })}
        </Fragment>
      ))}
      <Gap heightPx={virtualizer.getTotalSize() - ((rendered.at(-1)?.end ?? offsetPx) - offsetPx)} />
    </Tag>
  )
}

const Gap = ({ heightPx }: { heightPx: number }) =>
  heightPx > 0 && <li aria-hidden style={{ height: heightPx, gridColumn: '1 / -1', border: 0 }} />

interface ScrollPosition {
  /** The element that scrolls the list. */
  scroller: HTMLElement
  /** From the start of the scrolled content. */
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
