import '@patternfly/react-styles/css/components/Masthead/masthead.css'
import { Link } from 'react-router'
import { paths } from '../paths'
import { productName } from '../product'
import { FlagsButton } from './flags/FlagsButton'
import { FrameButton } from '../ui/actions/FrameButton'
import { lazyComponent } from '../ui/page/lazy-component'
import { Logo } from './Logo'
import { PaletteButton } from './palette/PaletteButton'
import type { Bell } from './notifications/bell'
import { ThemeMenu } from './ThemeMenu'
import { UserMenu } from './UserMenu'

interface AppMastheadProps {
  isSidebarOpen: boolean
  onSidebarToggle: () => void
  /** Opens the notification drawer, if it is enabled. */
  bell: Bell | false
}

const HelpMenu = lazyComponent(() => import('./HelpMenu'), 'HelpMenu')
const NotificationBell = lazyComponent(() => import('./notifications/NotificationBell'), 'NotificationBell')

/** Uses the elements of PatternFly's `Masthead`. */
export const AppMasthead = ({ isSidebarOpen, onSidebarToggle, bell }: AppMastheadProps) => (
  <header className="pf-v6-c-masthead pf-m-display-inline">
    <div className="pf-v6-c-masthead__main">
      <span className="pf-v6-c-masthead__toggle">
        <FrameButton
          id="nav-toggle"
          variant="plain"
          className="pf-m-hamburger"
          icon={<HamburgerIcon />}
          aria-label={isSidebarOpen ? 'Hide navigation' : 'Show navigation'}
          title={isSidebarOpen ? 'Hide navigation' : 'Show navigation'}
          aria-controls="sidebar"
          aria-expanded={isSidebarOpen}
          onClick={onSidebarToggle}
        />
      </span>
      <div className="pf-v6-c-masthead__brand">
        <Link to={paths.overview()} aria-label={`${productName}, overview`} className="pf-v6-c-masthead__logo">
          <Logo />
        </Link>
      </div>
    </div>
    <div className="pf-v6-c-masthead__content slipway-masthead__content">
      <PaletteButton />
      <FlagsButton />
      {bell && <NotificationBell {...bell} />}
      <span className="slipway-help">
        <HelpMenu />
      </span>
      <ThemeMenu />
      <UserMenu />
    </div>
  </header>
)

/** The style sheet draws its lines, and bends them to an arrow on hover. */
const HamburgerIcon = () => (
  <svg viewBox="0 0 10 10" width="1em" height="1em" className="pf-v6-c-button--hamburger-icon pf-v6-svg">
    <path className="pf-v6-c-button--hamburger-icon--top" d="M1,1 L9,1" />
    <path className="pf-v6-c-button--hamburger-icon--middle" d="M1,5 L9,5" />
    <path className="pf-v6-c-button--hamburger-icon--arrow" d="M1,5 L1,5 L1,5" />
    <path className="pf-v6-c-button--hamburger-icon--bottom" d="M9,9 L1,9" />
  </svg>
)
