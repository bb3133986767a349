import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Switch,
} from '@patternfly/react-core'
import { useId } from 'react'
import { useStored } from '../../lib/stored'
import { Dialog } from '../../ui/Dialog'
import { type PageKey, pageKeys } from '../../ui/page-keys'
import { isMac, singleKeys } from './keys'
import './palette.css'

const keys = (): PageKey[] => [
  {
    keys: [isMac() ? '⌘' : 'Ctrl', 'K'],
    does: 'Go to a screen, namespace or application, or run an action of the page',
  },
  { keys: ['/'], does: 'Filter the list' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Esc'], does: 'Close what is open' },
  ...pageKeys(),
]

/** Every key of the console, and the choice to do without those that are a single letter. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [isOn, setIsOn] = useStored(singleKeys)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <DescriptionList isHorizontal isCompact>
        {keys().map(({ keys: pressed, does }) => (
          <DescriptionListGroup key={does}>
            <DescriptionListTerm>
              {pressed.map((key) => (
                <kbd key={key} className="slipway-key">
                  {key}
                </kbd>
              ))}
            </DescriptionListTerm>
            <DescriptionListDescription>{does}</DescriptionListDescription>
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
