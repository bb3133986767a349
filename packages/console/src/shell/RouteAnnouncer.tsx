import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { focusHeading } from '../ui/page/focus-heading'

/**
 * A change of page as a browser would do it without us: the title is read out, and the focus starts anew at the
 * heading. Filters and other changes of the query are no change of page.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation()
  const announcement = useRef<HTMLDivElement>(null)
  const lastPathname = useRef(pathname)
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    if (announcement.current) announcement.current.textContent = document.title
    focusHeading()
  }, [pathname])
  return <div ref={announcement} role="status" aria-live="polite" className="pf-v6-screen-reader" />
}
