import { Button, Content } from '@patternfly/react-core'
import { useId, useState } from 'react'
import { Dialog } from '../../ui/dialogs/Dialog'
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
    <Dialog
      title={`${command.label}?`}
      position="top"
      onClose={onClose}
      focus={`#${CSS.escape(id)}`}
      footer={
        <>
          <Button isAriaDisabled={Boolean(command.disabledReason)} onClick={onConfirm}>
            {command.label}
          </Button>
          <Button id={id} variant="link" onClick={onBack}>
            Back
          </Button>
        </>
      }
    >
      <Content component="p">
        {command.label} applies to <strong>{subject}</strong> at once.
      </Content>
      {command.disabledReason && <Content component="p">{command.disabledReason}</Content>}
    </Dialog>
  )
}
