import { SkipToContent } from '@patternfly/react-core'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { useMediaQuery } from '../ui/media-query'
import { AppMasthead } from './AppMasthead'
import { AppSidebar } from './AppSidebar'
import { NavigationProgress } from './NavigationProgress'
import { RouteAnnouncer } from './RouteAnnouncer'
import { SessionDialog } from './SessionDialog'
import './shell.css'

const contentId = 'content'

/**
 * The frame of every screen: skip link, header, sidebar and the page itself. Its elements are those of PatternFly's
 * `Page`, whose own component would bring a drawer and a focus trap (8 KiB of script, 5 of style) into the first load.
 */
export function AppLayout() {
  // Wide screens start with the sidebar beside the page, narrow ones with none over it.
  const isWide = useMediaQuery('(min-width: 75rem)')
  const [isShownWide, setIsShownWide] = useState(true)
  const [isShownNarrow, setIsShownNarrow] = useState(false)
  const isSidebarOpen = isWide ? isShownWide : isShownNarrow
  const setIsSidebarOpen = isWide ? setIsShownWide : setIsShownNarrow
  return (
    <>
      <div
        className="pf-v6-c-page"
        onKeyDown={(event) => {
          if (event.key === 'Escape') setIsShownNarrow(false)
        }}
      >
        <SkipToContent
          href={`#${contentId}`}
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(contentId)?.focus()
          }}
        >
          Skip to content
        </SkipToContent>
        <AppMasthead isSidebarOpen={isSidebarOpen} onSidebarToggle={() => setIsSidebarOpen(!isSidebarOpen)} />
        <AppSidebar isOpen={isSidebarOpen} isOverlay={!isWide} onNavigate={() => setIsShownNarrow(false)} />
        <div className="pf-v6-c-page__main-container pf-m-fill">
          <main id={contentId} tabIndex={-1} className="pf-v6-c-page__main">
            <Outlet />
          </main>
        </div>
      </div>
      <SessionDialog />
      <NavigationProgress />
      <RouteAnnouncer />
    </>
  )
}
