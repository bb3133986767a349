import SearchIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-search-icon'
import { FrameButton } from '../../ui/actions/FrameButton'
import { isMac } from '../../ui/page/keys'
import { show } from './overlay'

/** Opens the palette without its shortcut: a search box where there is room, else an icon. */
export function PaletteButton() {
  const key = isMac() ? '⌘ K' : 'Ctrl K'
  return (
    <FrameButton
      variant="tertiary"
      icon={<SearchIcon />}
      aria-label="Search or run a command"
      aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
      title={`Search or run a command (${key})`}
      className="slipway-palette-button"
      onClick={() => show('palette')}
    >
      <span>Search…</span> <kbd>{key}</kbd>
    </FrameButton>
  )
}
