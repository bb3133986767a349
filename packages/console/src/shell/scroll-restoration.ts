import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { stored } from '../lib/stored'

/** How long the rows of a page that is returned to may take to arrive. A reader who acts first ends the wait. */
const patienceMs = 15_000
const mostRemembered = 100

/** Scroll positions in pixels, newest last: `[key of the history entry and path, position]`. They survive a reload of the tab. */
const remembered = stored(
  'slipway-scroll-positions',
  (value) => (Array.isArray(value) ? value.filter(isPosition) : []),
  {
    storage: 'session',
  },
)

const isPosition = (entry: unknown): entry is readonly [string, number] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'

/**
 * A change of page as a browser would scroll it, were the page and not an element of it what scrolls: a new page begins
 * at its top, and one that is come back to is where it was left.
 */
export function useScrollRestoration(scroller: RefObject<HTMLElement | null>): void {
  const { key, pathname } = useLocation()
  const isComeBack = useNavigationType() === 'POP'
  // The first entry of every document has the same key.
  const entry = `${key} ${pathname}`
  const places = useRef<Map<string, number>>(undefined)
  useLayoutEffect(() => {
    places.current ??= new Map(remembered.get())
    const positions = places.current
    const save = () => remembered.set([...positions].slice(-mostRemembered))
    globalThis.addEventListener('pagehide', save)
    return () => globalThis.removeEventListener('pagehide', save)
  }, [])
  // Not after the page is painted: its first scrolling would be noted for the one before it.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const note = () => {
      places.current?.delete(entry)
      places.current?.set(entry, element.scrollTop)
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [scroller, entry])
  const last = useRef<string>(undefined)
  useLayoutEffect(() => {
    // Filters and other changes of the query are no change of page.
    if (!scroller.current || last.current === pathname) return
    const isFirst = last.current === undefined
    last.current = pathname
    const mayReturn = isFirst ? isRestoredDocument() : isComeBack
    return scrollTo(scroller.current, (mayReturn && places.current?.get(entry)) || 0)
  }, [scroller, entry, pathname, isComeBack])
}

/** Whether the browser has reloaded this document or returned to it, rather than opened it anew. */
const isRestoredDocument = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => ['reload', 'back_forward'].includes((entry as PerformanceNavigationTiming).type))
/** Again with whatever is drawn, until there is enough of the page, or its reader goes elsewhere. Answers how to stop. */
function scrollTo(element: HTMLElement, top: number): () => void {
  const stops = new AbortController()
  const stop = () => stops.abort()
  const tryIt = () => {
    element.scrollTop = top
    if (element.scrollTop >= top - 1) stop()
  }
  tryIt()
  if (!stops.signal.aborted) {
    const drawing = new MutationObserver(tryIt)
    drawing.observe(element, { childList: true, subtree: true })
    const timer = setTimeout(stop, patienceMs)
    stops.signal.addEventListener('abort', () => {
      drawing.disconnect()
      clearTimeout(timer)
    })
    for (const sign of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
      element.addEventListener(sign, stop, { passive: true, signal: stops.signal })
    }
  }
  return stop
}
