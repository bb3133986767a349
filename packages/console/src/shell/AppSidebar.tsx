import '@patternfly/react-styles/css/components/Nav/nav.css'
import '@patternfly/react-styles/css/components/Page/page.css'
import { type ReactNode, useRef, useState } from 'react'
import { Link, matchPath, useLocation, useParams } from 'react-router'
import { useFlag } from '../api/flags/flags'
import { useStored } from '../lib/stored'
import { lazyComponent } from '../ui/page/lazy-component'
import { lastUsedNamespace } from '../lib/last-used-namespace'
import { screensOf } from './screens'

interface AppSidebarProps {
  isOpen: boolean
  /** It covers the page instead of being next to it. */
  isOverlay: boolean
  /** Called when a link is clicked, to close a sidebar that covers the page. */
  onNavigate: () => void
}

const FailingCount = lazyComponent(() => import('../parts/health/FailingCount'), 'FailingCount')
const NoNamespaceHint = lazyComponent(() => import('./NoNamespaceHint'), 'NoNamespaceHint')

/** Uses the elements of PatternFly's `PageSidebar` and `Nav`, whose own component would bring flyouts into the first load. */
export function AppSidebar({ isOpen, isOverlay, onNavigate }: AppSidebarProps) {
  const [lastUsed] = useStored(lastUsedNamespace)
  const namespace = useParams().namespace ?? lastUsed
  const screens = screensOf(namespace, useFlag('release-monitor'))
  return (
    // The style sheet only moves a closed sidebar out of view, so it is removed from the tab order here.
    <div
      id="sidebar"
      inert={!isOpen}
      aria-hidden={!isOpen}
      className={`pf-v6-c-page__sidebar${isOpen ? (isOverlay ? ' pf-m-expanded' : '') : ' pf-m-collapsed'}`}
    >
      <div className="pf-v6-c-page__sidebar-main">
        <div className="pf-v6-c-page__sidebar-body">
          <nav className="pf-v6-c-nav" aria-label="Main">
            <ul className="pf-v6-c-nav__list" role="list">
              {screens.map(({ label, to, isAlone, isCurrentAlsoOn, hasFailures }) => (
                <li key={label} className="pf-v6-c-nav__item">
                  {to ? (
                    <SidebarLink to={to} end={isAlone} alsoOn={isCurrentAlsoOn} onClick={onNavigate}>
                      {label}
                    </SidebarLink>
                  ) : (
                    <DisabledLink>{label}</DisabledLink>
                  )}
                  {hasFailures && namespace && <FailingCount namespace={namespace} onNavigate={onNavigate} />}
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </div>
    </div>
  )
}

interface SidebarLinkProps {
  to: string
  /** Current only on exactly this path, not below it. */
  end: boolean
  /** The patterns of other paths on which it is current too. */
  alsoOn: readonly string[] | undefined
  onClick: () => void
  children: ReactNode
}

function SidebarLink({ to, end, alsoOn = [], onClick, children }: SidebarLinkProps) {
  const { pathname } = useLocation()
  const isCurrent = [{ path: to, end }, ...alsoOn].some((pattern) => matchPath(pattern, pathname))
  return (
    <Link
      to={to}
      onClick={onClick}
      className={`pf-v6-c-nav__link${isCurrent ? ' pf-m-current' : ''}`}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

/** The link to a screen of a namespace while none is selected; a tooltip says so on hover and focus. */
function DisabledLink({ children }: { children: ReactNode }) {
  const link = useRef<HTMLAnchorElement>(null)
  const [attention, setAttention] = useState<'none' | 'active' | 'past'>('none')
  const onEnter = () => setAttention('active')
  const onLeave = () => setAttention('past')
  return (
    <>
      <a
        ref={link}
        role="link"
        aria-disabled="true"
        tabIndex={0}
        className="pf-v6-c-nav__link slipway-nav__link-disabled"
        onMouseEnter={onEnter}
        onMouseLeave={onLeave}
        onFocus={onEnter}
        onBlur={onLeave}
      >
        {children}
      </a>
      {attention !== 'none' && <NoNamespaceHint triggerRef={link} isVisible={attention === 'active'} />}
    </>
  )
}
