import { nameOf } from '@slipway/kube/object'
import { type ReleasePlan, releasePlanType } from '@slipway/model/releases/release-plan'
import { permission } from '../../api/access/permission'
import { isBeingDeleted } from '../../api/archive/origin'
import { paths } from '../../paths'
import { editReleasePlanPermission, triggerReleasePermission } from '../../resources/release-plans'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { ConfirmDeleteDialog } from '../../ui/dialogs/ConfirmDeleteDialog'

const deletingReason = (plan: ReleasePlan) => isBeingDeleted(plan) && 'This release plan is being deleted'

/** What can be done with any release plan. */
export const releasePlanActions: readonly DefinedAction<ReleasePlan>[] = [
  {
    label: 'Trigger release plan',
    needs: triggerReleasePermission,
    disabledReason: deletingReason,
    to: (plan, { namespace }) => paths.triggerReleaseOf({ namespace, releasePlan: nameOf(plan) }),
  },
  {
    label: 'Edit release plan',
    needs: editReleasePlanPermission,
    disabledReason: deletingReason,
    to: (plan, { namespace }) => paths.editReleasePlan({ namespace, releasePlan: nameOf(plan) }),
  },
  {
    label: 'Delete release plan',
    isDanger: true,
    needs: permission("You don't have access to delete this release plan", ['delete', releasePlanType]),
    disabledReason: deletingReason,
    dialog: (plan, { onClose }) => (
      <ConfirmDeleteDialog type={releasePlanType} object={plan} noun="Release plan" onClose={onClose}>
        Snapshots are no longer released by it, neither automatically nor by hand. Its releases are kept. This cannot be
        undone.
      </ConfirmDeleteDialog>
    ),
  },
]
