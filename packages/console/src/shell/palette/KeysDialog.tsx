import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Switch,
} from '@patternfly/react-core'
import { useId } from 'react'
import { useStored } from '../../lib/stored'
import { Dialog } from '../../ui/dialogs/Dialog'
import { type PageShortcut, pageShortcuts } from '../../ui/page/page-shortcuts'
import { isMac, singleKeys } from '../../ui/page/keys'
import { dailyKeys } from './daily-keys'
import './palette.css'

const keys = (): PageShortcut[] => [
  {
    keys: [isMac() ? '⌘' : 'Ctrl', 'K'],
    description: 'Search pages and objects, or run a command',
  },
  { keys: ['/'], description: 'Filter the list' },
  { keys: ['?'], description: 'Show keyboard shortcuts' },
  { keys: ['Esc'], description: 'Close' },
  ...dailyKeys,
  ...pageShortcuts(),
]

/** Lists every keyboard shortcut, with a switch that turns off the single-key ones. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [isOn, setIsOn] = useStored(singleKeys)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <DescriptionList isHorizontal isCompact>
        {keys().map(({ keys: pressed, description }) => (
          <DescriptionListGroup key={description}>
            <DescriptionListTerm>
              {pressed.map((key) => (
                <kbd key={key} className="slipway-key">
                  {key}
                </kbd>
              ))}
            </DescriptionListTerm>
            <DescriptionListDescription>{description}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
      </DescriptionList>
      <Switch
        id={`${id}-single`}
        className="slipway-keys__switch"
        label="Enable single-key shortcuts"
        isChecked={isOn}
        onChange={(_, next) => setIsOn(next)}
      />
    </Dialog>
  )
}
