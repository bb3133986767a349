import { Page, SkipToContent } from '@patternfly/react-core'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { useMediaQuery } from '../ui/media-query'
import { AppMasthead } from './AppMasthead'
import { AppSidebar } from './AppSidebar'
import { RouteAnnouncer } from './RouteAnnouncer'
import './shell.css'

const contentId = 'content'

/** The frame of every screen: skip link, header, sidebar and the page itself. */
export function AppLayout() {
  // Wide screens start with the sidebar beside the page, narrow ones with none over it.
  const isWide = useMediaQuery('(min-width: 75rem)')
  const [isShownWide, setIsShownWide] = useState(true)
  const [isShownNarrow, setIsShownNarrow] = useState(false)
  const isSidebarOpen = isWide ? isShownWide : isShownNarrow
  const setIsSidebarOpen = isWide ? setIsShownWide : setIsShownNarrow
  return (
    <NuqsAdapter>
      <Page
        mainContainerId={contentId}
        skipToContent={
          <SkipToContent
            href={`#${contentId}`}
            onClick={(event) => {
              event.preventDefault()
              document.getElementById(contentId)?.focus()
            }}
          >
            Skip to content
          </SkipToContent>
        }
        masthead={
          <AppMasthead isSidebarOpen={isSidebarOpen} onSidebarToggle={() => setIsSidebarOpen(!isSidebarOpen)} />
        }
        sidebar={<AppSidebar isOpen={isSidebarOpen} onNavigate={() => setIsShownNarrow(false)} />}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setIsShownNarrow(false)
        }}
      >
        <Outlet />
      </Page>
      <RouteAnnouncer />
    </NuqsAdapter>
  )
}
