import { type Application, applicationType } from '@slipway/model/supply-chain/application'
import { type Access, disabledReason } from '../../api/access/access'
import type { Action } from '../../ui/action'
import { ConfirmDeleteDialog } from '../../ui/dialogs/ConfirmDeleteDialog'

export const deleteApplicationAction = (application: Application, mayDelete: Access, open: () => void): Action => ({
  label: 'Delete application',
  isDanger: true,
  disabledReason:
    disabledReason(mayDelete, "You don't have access to delete this application") ||
    (application.metadata.deletionTimestamp !== undefined && 'This application is being deleted'),
  onSelect: open,
})

interface DeleteApplicationDialogProps {
  application: Application
  onClose: () => void
  onDeleted?: () => void
}

export const DeleteApplicationDialog = ({ application, ...handlers }: DeleteApplicationDialogProps) => (
  <ConfirmDeleteDialog type={applicationType} object={application} {...handlers}>
    Its components, snapshots, integration tests and releases are deleted with it. This cannot be undone.
  </ConfirmDeleteDialog>
)
