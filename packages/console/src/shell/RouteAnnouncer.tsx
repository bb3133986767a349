import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { pageTitle } from '../ui/page/document-title'
import { focusHeading, focusStays } from '../ui/page/focus-heading'
import { rememberPage } from '../ui/page/recent-pages'

/** A page that is left sooner was only passed. */
const rememberAfterMs = 2_000

/**
 * Handles navigation as a browser does for documents: announces the title, and moves the focus to the heading. Filters
 * and other changes to the query do not count as navigation. A step of the tour keeps the focus.
 */
export function RouteAnnouncer() {
  const { pathname, state } = useLocation()
  const announcement = useRef<HTMLDivElement>(null)
  const lastPathname = useRef(pathname)
  useEffect(() => {
    // Pages name themselves when their object has been read.
    const timer = setTimeout(() => rememberPage(pathname, pageTitle()), rememberAfterMs)
    return () => clearTimeout(timer)
  }, [pathname])
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    if (announcement.current) announcement.current.textContent = document.title
    if (state !== focusStays) focusHeading()
  }, [pathname, state])
  return <div ref={announcement} role="status" aria-live="polite" className="pf-v6-screen-reader" />
}
