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
import { isMac, singleKeys } from './keys'
import './palette.css'

const keys = (): PageShortcut[] => [
  {
    keys: [isMac() ? '⌘' : 'Ctrl', 'K'],
    description: 'Go to a screen, namespace or application, or run an action of the page',
  },
  { keys: ['/'], description: 'Filter the list' },
  { keys: ['?'], description: 'Show these keys' },
  { keys: ['Esc'], description: 'Close what is open' },
  ...pageShortcuts(),
]

/** Every key of the console, and the choice to do without those that are a single letter. */
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
        label="Keys without Ctrl or ⌘ work"
        isChecked={isOn}
        onChange={(_, next) => setIsOn(next)}
      />
    </Dialog>
  )
}
