import { Button } from '@patternfly/react-core'
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-search-icon'
import { isMac } from './keys'
import { show } from './overlay'

/** Opens the palette for those who do not know its key, or have no keyboard. */
export const PaletteButton = () => (
  <Button
    variant="plain"
    icon={<SearchIcon />}
    aria-label="Go to or do"
    aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
    title={`Go to or do (${isMac() ? '⌘K' : 'Ctrl+K'})`}
    onClick={() => show('palette')}
  />
)
