import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Modal,
  ModalBody,
  ModalHeader,
  Switch,
} from '@patternfly/react-core'
import { useId } from 'react'
import { useStored } from '../../lib/stored'
import { isMac, singleKeys } from './keys'
import './palette.css'

const keys = (): [keys: string[], does: string][] => [
  [[isMac() ? '⌘' : 'Ctrl', 'K'], 'Go to a screen, namespace or application, or run an action of the page'],
  [['/'], 'Filter the list'],
  [['?'], 'Show these keys'],
  [['Esc'], 'Close what is open'],
]

/** Every key of the console, and the choice to do without those that are a single letter. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [isOn, setIsOn] = useStored(singleKeys)
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`}>
      <ModalHeader title="Keyboard shortcuts" labelId={`${id}-title`} />
      <ModalBody id={`${id}-body`}>
        <DescriptionList isHorizontal isCompact>
          {keys().map(([pressed, does]) => (
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
      </ModalBody>
    </Modal>
  )
}
