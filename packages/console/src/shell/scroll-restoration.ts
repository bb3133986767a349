import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { stored } from '../lib/stored'

/** How long to wait for the rows of a page when returning to it. Any input of the user ends the wait. */
const timeoutMs = 15_000
const maxPositions = 100

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
 * Scrolls on navigation as a browser does, for a page that scrolls in an element and not in the document: a new page
 * starts at the top, and returning to a page restores its position.
 */
export function useScrollRestoration(scroller: RefObject<HTMLElement | null>): void {
  const { key, pathname } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  // The first entry of every document has the same key.
  const entry = `${key} ${pathname}`
  const positions = useRef<Map<string, number>>(undefined)
  useLayoutEffect(() => {
    const current = (positions.current ??= new Map(remembered.get()))
    const save = () => remembered.set([...current].slice(-maxPositions))
    globalThis.addEventListener('pagehide', save)
    return () => globalThis.removeEventListener('pagehide', save)
  }, [])
  // A layout effect, since after the paint the page's first scroll event would be saved for the previous page.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const savePosition = () => {
      positions.current?.delete(entry)
      positions.current?.set(entry, element.scrollTop)
    }
    element.addEventListener('scroll', savePosition, { passive: true })
    return () => element.removeEventListener('scroll', savePosition)
  }, [scroller, entry])
  const last = useRef<string>(undefined)
  useLayoutEffect(() => {
    // Filters and other changes to the query do not count as navigation.
    if (!scroller.current || last.current === pathname) return
    const isFirst = last.current === undefined
    last.current = pathname
    const mayReturn = isFirst ? isRestoredDocument() : isReturn
    return scrollTo(scroller.current, (mayReturn && positions.current?.get(entry)) || 0)
  }, [scroller, entry, pathname, isReturn])
}

/** Whether the browser has reloaded this document or returned to it, rather than opened it. */
const isRestoredDocument = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => ['reload', 'back_forward'].includes((entry as PerformanceNavigationTiming).type))
/** Scrolls again after each render until the page is high enough or the user acts. Returns a function that stops it. */
function scrollTo(element: HTMLElement, top: number): () => void {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const attempt = () => {
    element.scrollTop = top
    if (element.scrollTop >= top - 1) stop()
  }
  attempt()
  if (!stopping.signal.aborted) {
    const renders = new MutationObserver(attempt)
    renders.observe(element, { childList: true, subtree: true })
    const timer = setTimeout(stop, timeoutMs)
    stopping.signal.addEventListener('abort', () => {
      renders.disconnect()
      clearTimeout(timer)
    })
    for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
      element.addEventListener(type, stop, { passive: true, signal: stopping.signal })
    }
  }
  return stop
}
