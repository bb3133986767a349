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
import { Logo } from './Logo'
import { ThemeMenu } from './ThemeMenu'
import { UserMenu } from './UserMenu'

interface AppMastheadProps {
  isSidebarOpen: boolean
  onSidebarToggle: () => void
}

export const AppMasthead = ({ isSidebarOpen, onSidebarToggle }: AppMastheadProps) => (
  <Masthead display={{ default: 'inline' }}>
    <MastheadMain>
      <MastheadToggle>
        <PageToggleButton
          isHamburgerButton
          aria-label={isSidebarOpen ? 'Hide navigation' : 'Show navigation'}
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
      <ThemeMenu />
      <UserMenu />
    </MastheadContent>
  </Masthead>
)
