import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How long rows may take to be drawn again on the way back. */
const patienceMs = 2_000

/**
 * A change of page as a browser would scroll it, were the page and not an element of it what scrolls: a new page begins
 * at its top, and one that is come back to is where it was left.
 */
export function useScrollPlace(scroller: RefObject<HTMLElement | null>): void {
  const { key, pathname } = useLocation()
  const isComeBack = useNavigationType() === 'POP'
  const places = useRef(new Map<string, number>())
  // Not after the page is painted: its first scrolling would be noted for the one before it.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const note = () => void places.current.set(key, element.scrollTop)
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [scroller, key])
  const last = useRef(pathname)
  useLayoutEffect(() => {
    // Filters and other changes of the query are no change of page.
    if (!scroller.current || last.current === pathname) return
    last.current = pathname
    return scrollTo(scroller.current, (isComeBack && places.current.get(key)) || 0)
  }, [scroller, key, pathname, isComeBack])
}

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
