import type { createBrowserRouter } from 'react-router'
import { matchRoutes } from 'react-router'
import { basePath } from '../lib/base-path'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'routes' | 'state' | 'subscribe'>

/** How often to look whether the page has its data: until then, the browser has something better to do. */
const settlingMs = 1_000
const pending = 'main :is([aria-busy="true"], .pf-v6-c-skeleton)'
/** Links of a page beyond the first are to screens that others lead to as well. */
const mostLinks = 20
/** All rows of a table lead to the same screens. */
const isOfFirstRow = (link: Element): boolean => !link.closest('tbody tr:not(:first-child)')

/**
 * Loads the code of a screen before its link is followed: when it is pointed at or focused, and for the first links of a
 * page once the browser has nothing else to do. No data is read ahead, since most links are never followed. Returns a
 * function that stops it.
 */
export function startPrefetch(router: Router): () => void {
  let stopWaiting = () => {}

  function load(target: EventTarget | null): void {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')
    if (!link || link.origin !== location.origin || link.target) return
    for (const { route } of matchRoutes(router.routes, link.pathname, basePath || '/') ?? []) {
      // A failure is reported by the navigation.
      if (typeof route.lazy === 'function') route.lazy().catch(() => undefined)
    }
  }
  const onTarget = ({ target }: Event) => load(target)
  for (const event of targetEvents) document.addEventListener(event, onTarget, { passive: true })

  function loadWhenIdle(): void {
    stopWaiting()
    if (isSavingData()) return
    const timer = setTimeout(() => {
      if (document.querySelector(pending)) return loadWhenIdle()
      const links = [...document.querySelectorAll('main a')].filter(isOfFirstRow).slice(0, mostLinks)
      const next = () => {
        const link = links.shift()
        if (!link) return
        load(link)
        stopWaiting = whenIdle(next)
      }
      stopWaiting = whenIdle(next)
    }, settlingMs)
    stopWaiting = () => clearTimeout(timer)
  }
  let shown = router.state.location
  loadWhenIdle()
  const unsubscribe = router.subscribe(({ location, navigation }) => {
    if (navigation.state !== 'idle' || location.pathname === shown.pathname) return
    shown = location
    loadWhenIdle()
  })

  return () => {
    unsubscribe()
    stopWaiting()
    for (const event of targetEvents) document.removeEventListener(event, onTarget)
  }
}

const targetEvents = ['pointerover', 'focusin'] as const

/** Not in every browser. */
const isSavingData = (): boolean => {
  const { connection } = navigator as { connection?: object }
  return connection !== undefined && 'saveData' in connection && connection.saveData === true
}

/** Returns a function that cancels it. */
function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(work)
  return () => cancelIdleCallback(id)
}
