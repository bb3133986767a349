import { Nav, NavItem, NavList, PageSidebar, PageSidebarBody, Tooltip } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { Link, useMatch, useParams } from 'react-router'
import { useStored } from '../lib/stored'
import { paths } from '../paths'
import { insideMain } from '../ui/floating'
import { lastUsedNamespace } from './last-used-namespace'
import { screensOf } from './screens'

interface AppSidebarProps {
  isOpen: boolean
  /** It covers the page instead of standing beside it. */
  isOverlay: boolean
  /** A link was followed; a sidebar that covers the page should go away. */
  onNavigate: () => void
}

export function AppSidebar({ isOpen, isOverlay, onNavigate }: AppSidebarProps) {
  const [lastUsed] = useStored(lastUsedNamespace)
  const namespace = useParams().namespace ?? lastUsed
  const screens = screensOf(namespace)
  return (
    // A closed sidebar is only moved out of sight by its style, so it is taken out of the tab order here.
    <PageSidebar
      id="sidebar"
      isSidebarOpen={isOpen}
      inert={!isOpen}
      className={isOpen && isOverlay ? 'pf-m-expanded' : undefined}
    >
      <PageSidebarBody>
        <Nav aria-label="Main" onSelect={onNavigate}>
          <NavList>
            {screens.map(({ label, to, isAlone, isCurrentAlsoOn }) => (
              <SidebarLink key={label} to={to} end={isAlone} alsoOn={isCurrentAlsoOn}>
                {label}
              </SidebarLink>
            ))}
          </NavList>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  )
}

interface SidebarLinkProps {
  /** Without an address the link is disabled: no namespace has been selected. */
  to: string | undefined
  /** Current only on exactly this path, not below it. */
  end: boolean
  /** The pattern of another path on which it is current too. */
  alsoOn: string | undefined
  children: ReactNode
}

function SidebarLink({ to, end, alsoOn, children }: SidebarLinkProps) {
  const isOnIt = useMatch({ path: to ?? paths.overview(), end }) !== null && to !== undefined
  const isOnOther = useMatch(alsoOn ?? paths.overview()) !== null && alsoOn !== undefined
  if (to) {
    return (
      <NavItem isActive={isOnIt || isOnOther}>
        <Link to={to}>{children}</Link>
      </NavItem>
    )
  }
  return (
    <li className="pf-v6-c-nav__item">
      <Tooltip content="Select a namespace first" position="right" appendTo={insideMain}>
        <a role="link" aria-disabled="true" tabIndex={0} className="pf-v6-c-nav__link slipway-nav__link-disabled">
          {children}
        </a>
      </Tooltip>
    </li>
  )
}
