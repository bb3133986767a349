import '@patternfly/react-styles/css/components/Button/button.css'
import '@patternfly/react-styles/css/components/Page/page.css'
import '@patternfly/react-styles/css/components/SkipToContent/skip-to-content.css'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation, useNavigationType, useOutlet } from 'react-router'
import { noteFlagsInUrl, ownChange, useFlag } from '../api/flags/flags'
import { isFarOff, useClockOffset } from '../lib/server-clock'
import { useStore } from '../lib/store'
import { namespaceInPath } from '../paths'
import { hasLinkTasks } from '../resources/link-task-store'
import { focusHeading } from '../ui/page/focus-heading'
import { useMediaQuery } from '../ui/page/media-query'
import { LocationStart } from '../ui/page/Page'
import { useObjectActions } from '../ui/actions/object-actions'
import { AppMasthead } from './AppMasthead'
import { AppSidebar } from './AppSidebar'
import { lazyComponent, ChunkLoadAlert } from '../ui/page/lazy-component'
import { fetchErrorPage } from './errors/RouteErrorPage'
import { FirstLoad } from './FirstLoad'
import { NavigationProgress } from './NavigationProgress'
import { focusBell } from './notifications/bell'
import { RouteAnnouncer } from './RouteAnnouncer'
import { useScrollRestoration } from './scroll-restoration'
import { SessionDialog } from './SessionDialog'
import { useNamespaceLoss } from './use-namespace-loss'
import './shell.css'

const contentId = 'content'
const focusToggle = () => document.querySelector<HTMLElement>('[aria-controls="sidebar"]')?.focus()

const NamespaceSwitcher = lazyComponent(() => import('../parts/namespaces/NamespaceSwitcher'), 'NamespaceSwitcher')
const Overlays = lazyComponent(() => import('./Overlays'), 'Overlays')
const BannerRegion = lazyComponent(() => import('./banner/BannerRegion'), 'BannerRegion')
const ActionToasts = lazyComponent(() => import('./ActionToasts'), 'ActionToasts', { Missing: ChunkLoadAlert })
const NotificationPanel = lazyComponent(() => import('./notifications/NotificationPanel'), 'NotificationPanel', {
  Missing: ChunkLoadAlert,
})

/**
 * The frame of every screen: banner, skip link, header, sidebar, notification drawer and the page itself. Its elements
 * are those of PatternFly's `Page`, whose own component would bring a drawer and a focus trap (8 KiB of script, 5 of style) into the first load.
 */
export function AppLayout() {
  const isBusy = useNavigation().state !== 'idle'
  // Undefined until the first page has loaded.
  const page = useOutlet()
  // On wide screens the sidebar starts open next to the page, on narrow ones closed.
  const isWide = useMediaQuery('(min-width: 75rem)')
  const [isShownWide, setIsShownWide] = useState(true)
  const [isShownNarrow, setIsShownNarrow] = useState(false)
  const isSidebarOpen = isWide ? isShownWide : isShownNarrow
  const setIsSidebarOpen = isWide ? setIsShownWide : setIsShownNarrow
  const hasNotifications = useFlag('system-notifications')
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const { pathname, search, state } = useLocation()
  const namespace = namespaceInPath(pathname)
  const hasActions = useObjectActions().length > 0
  const isClockFarOff = isFarOff(useClockOffset())
  const isLinking = useStore(hasLinkTasks)
  const main = useRef<HTMLElement>(null)
  useScrollRestoration(main)
  useNamespaceLoss()
  const hasPage = page !== null
  useEffect(() => {
    if (hasPage) fetchErrorPage()
  }, [hasPage])
  // After Back or Forward, the flags in the URL apply even if this page put them there.
  const isReturn = useNavigationType() === 'POP'
  useEffect(() => {
    if (state !== ownChange || isReturn) noteFlagsInUrl(search)
  }, [search, state, isReturn])
  return (
    <>
      {/* The first tab stop, even before the links of a banner. */}
      <div className="pf-v6-c-skip-to-content">
        <a
          href={`#${contentId}`}
          className="pf-v6-c-button pf-m-primary"
          onClick={(event) => {
            event.preventDefault()
            main.current?.focus()
          }}
        >
          <span className="pf-v6-c-button__text">Skip to content</span>
        </a>
      </div>
      <BannerRegion />
      <div
        className="pf-v6-c-page slipway-frame"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isWide || !isShownNarrow) return
          setIsShownNarrow(false)
          // The focused link is about to become inert.
          if (event.target instanceof Element && event.target.closest('#sidebar')) focusToggle()
        }}
      >
        <AppMasthead
          isSidebarOpen={isSidebarOpen}
          onSidebarToggle={() => setIsSidebarOpen(!isSidebarOpen)}
          bell={hasNotifications && { isExpanded: isDrawerOpen, onToggle: () => setIsDrawerOpen(!isDrawerOpen) }}
        />
        <AppSidebar
          isOpen={isSidebarOpen}
          isOverlay={!isWide}
          onNavigate={() => {
            setIsShownNarrow(false)
            // A link to the current page does not navigate, and so would not move the focus.
            if (!isWide) focusHeading()
          }}
        />
        <div className="pf-v6-c-page__main-container pf-m-fill slipway-frame__main">
          <main ref={main} id={contentId} tabIndex={-1} aria-busy={isBusy} className="pf-v6-c-page__main">
            <LocationStart value={namespace && <NamespaceSwitcher namespace={namespace} />}>
              {page ?? <FirstLoad />}
            </LocationStart>
          </main>
          {hasNotifications && isDrawerOpen && (
            <NotificationPanel
              onClose={() => {
                setIsDrawerOpen(false)
                focusBell()
              }}
            />
          )}
        </div>
      </div>
      <SessionDialog />
      {(hasActions || isLinking || isClockFarOff) && <ActionToasts />}
      <Overlays />
      <NavigationProgress />
      <RouteAnnouncer />
    </>
  )
}
