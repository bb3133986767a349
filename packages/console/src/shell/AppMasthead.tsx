import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
  PageToggleButton,
} from '@patternfly/react-core'
import { Link } from 'react-router'
import { paths } from '../paths'
import { productName } from '../product'
import { FlagsButton } from './flags/FlagsButton'
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

export const AppMasthead = ({ isSidebarOpen, onSidebarToggle, bell }: AppMastheadProps) => (
  <Masthead display={{ default: 'inline' }}>
    <MastheadMain>
      <MastheadToggle>
        <PageToggleButton
          isHamburgerButton
          aria-label={isSidebarOpen ? 'Hide navigation' : 'Show navigation'}
          title={isSidebarOpen ? 'Hide navigation' : 'Show navigation'}
          aria-controls="sidebar"
          isSidebarOpen={isSidebarOpen}
          onSidebarToggle={onSidebarToggle}
        />
      </MastheadToggle>
      <MastheadBrand>
        <MastheadLogo
          component={(props) => <Link {...props} to={paths.overview()} aria-label={`${productName}, overview`} />}
        >
          <Logo />
        </MastheadLogo>
      </MastheadBrand>
    </MastheadMain>
    <MastheadContent className="slipway-masthead__content">
      <PaletteButton />
      <FlagsButton />
      {bell && <NotificationBell {...bell} />}
      <span className="slipway-help">
        <HelpMenu />
      </span>
      <ThemeMenu />
      <UserMenu />
    </MastheadContent>
  </Masthead>
)
