import { Nav, NavItem, NavList, PageSidebar, PageSidebarBody, Tooltip } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { Link, useMatch, useParams } from 'react-router'
import { useStored } from '../lib/stored'
import { paths, pattern } from '../paths'
import { insideMain } from '../ui/floating'
import { lastUsedNamespace } from './last-used-namespace'

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
  const isImporting = useMatch(pattern(paths.createApplication)) !== null
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
            <SidebarLink to={paths.overview()} end>
              Overview
            </SidebarLink>
            <SidebarLink to={paths.namespaces()} end>
              Namespaces
            </SidebarLink>
            <SidebarLink to={namespace && paths.applications({ namespace })} isActive={isImporting}>
              Applications
            </SidebarLink>
            <SidebarLink to={namespace && paths.access({ namespace })}>User Access</SidebarLink>
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
  end?: boolean
  /** Current on other paths too. */
  isActive?: boolean
  children: ReactNode
}

function SidebarLink({ to, end = false, isActive = false, children }: SidebarLinkProps) {
  const isCurrent = useMatch({ path: to ?? paths.overview(), end }) !== null && to !== undefined
  if (to) {
    return (
      <NavItem isActive={isCurrent || isActive}>
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
