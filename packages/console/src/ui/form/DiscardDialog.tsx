import { Button } from '@patternfly/react-core'
import { useId } from 'react'
import { Dialog } from '../dialogs/Dialog'

interface DiscardDialogProps {
  leaveLabel: string
  onStay: () => void
  onLeave: () => void
}

/** Asks before unsaved input is lost. The focus is on staying, so that Enter pressed twice loses nothing. */
export function DiscardDialog({ leaveLabel, onStay, onLeave }: DiscardDialogProps) {
  const id = useId()
  return (
    <Dialog
      title="Discard unsaved changes?"
      isWarning
      onClose={onStay}
      focus={`#${CSS.escape(id)}`}
      footer={
        <>
          <Button id={id} onClick={onStay}>
            Go back
          </Button>
          <Button variant="link" onClick={onLeave}>
            {leaveLabel}
          </Button>
        </>
      }
    >
      Your changes will be lost!
    </Dialog>
  )
}
