import { Button } from '@patternfly/react-core'
import type { Secret } from '@slipway/kube/core-types'
import { linkTaskOf, unknownLinkError } from '@slipway/model/secrets/secret'
import { Dialog } from '../../ui/dialogs/Dialog'
import './secrets.css'

interface LinkErrorDialogProps {
  secret: Secret
  onClose: () => void
}

/** Why a secret could not be linked, as recorded by the task. */
export const LinkErrorDialog = ({ secret, onClose }: LinkErrorDialogProps) => (
  <Dialog
    title="Secret link task failed:"
    onClose={onClose}
    footer={
      <Button variant="secondary" onClick={onClose}>
        Close
      </Button>
    }
  >
    <p className="slipway-link-error">{linkTaskOf(secret)?.error ?? unknownLinkError}</p>
  </Dialog>
)
