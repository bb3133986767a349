import { Button, Content, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core'
import { useId, useState } from 'react'
import type { Command } from './commands'

interface ConfirmCommandProps {
  command: Command
  onConfirm: () => void
  /** Returns to the palette. */
  onBack: () => void
  onClose: () => void
}

/** Confirms a command that changes something at once. The focus is on Back, so that Enter pressed twice changes nothing. */
export function ConfirmCommand({ command, onConfirm, onBack, onClose }: ConfirmCommandProps) {
  const id = useId()
  // The page behind the dialog names what the command acts on.
  const [subject] = useState(() => document.querySelector('main h1')?.textContent ?? '')
  return (
    <Modal
      isOpen
      variant="small"
      position="top"
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      elementToFocus={`#${CSS.escape(`${id}-back`)}`}
    >
      <ModalHeader title={`${command.label}?`} labelId={`${id}-title`} />
      <ModalBody id={`${id}-body`}>
        <Content component="p">
          {command.label} applies to <strong>{subject}</strong> at once.
        </Content>
        {command.disabledReason && <Content component="p">{command.disabledReason}</Content>}
      </ModalBody>
      <ModalFooter>
        <Button isAriaDisabled={Boolean(command.disabledReason)} onClick={onConfirm}>
          {command.label}
        </Button>
        <Button id={`${id}-back`} variant="link" onClick={onBack}>
          Back
        </Button>
      </ModalFooter>
    </Modal>
  )
}
