import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Lists up to this length are rendered completely, so that searching in the page and printing include every row. */
export const renderAllUpTo = 100
const overscanRows = 10

interface VirtualRowsOptions {
  count: number
  keyOf: (index: number) => string
  /** An estimate; rows are measured when they are rendered. */
  rowHeightPx: number
}

interface VirtualRows<E extends HTMLElement> {
  /** The element around the rows. */
  container: RefObject<E | null>
  /** The rows on screen and a few around them. */
  rendered: readonly Pick<VirtualItem, 'key' | 'index'>[]
  /** Height of the rows above and below those, which empty rows stand for. */
  abovePx: number
  belowPx: number
  /** Observes the height of a row, which has its index as `data-index`. */
  measure: (row: HTMLElement | null) => void
}

/** Which rows of a long list within a page are on screen. */
export function useVirtualRows<E extends HTMLElement>({
  count,
  keyOf,
  rowHeightPx,
}: VirtualRowsOptions): VirtualRows<E> {
  const container = useRef<E>(null)
  const [position, setPosition] = useState<ScrollPosition>()
  const offsetPx = position?.offsetPx ?? 0
  // The virtualizer renders its caller again by itself; nothing here is cached between renders.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    // It scrolls its element to the initial offset: the current position, which may just have been restored.
    enabled: position !== undefined,
    initialOffset: () => position?.scroller.scrollTop ?? 0,
    getScrollElement: () => position?.scroller ?? null,
    estimateSize: () => rowHeightPx,
    getItemKey: keyOf,
    overscan: overscanRows,
    scrollMargin: offsetPx,
    useFlushSync: false,
  })
  // What is above the list may grow or shrink at any time, so its position is read after every render, and set only if
  // it has changed. Not while scrolling: reading it makes the browser lay out the page in each frame.
  const { isScrolling } = virtualizer
  const locate = () => {
    if (container.current && !isScrolling) setPosition(keepIfEqual(scrollPositionOf(container.current)))
  }
  useLayoutEffect(locate)
  const rendered = virtualizer.getVirtualItems()
  return {
    container,
    rendered,
    abovePx: (rendered[0]?.start ?? offsetPx) - offsetPx,
    belowPx: virtualizer.getTotalSize() - ((rendered.at(-1)?.end ?? offsetPx) - offsetPx),
    measure: virtualizer.measureElement,
  }
}

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
