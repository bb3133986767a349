import { nameOf } from '@slipway/kube/object'
import { type ReleasePlan, releasePlanType } from '@slipway/model/releases/release-plan'
import { permission } from '../../api/access/permission'
import { paths } from '../../paths'
import { editReleasePlanPermission, triggerReleasePermission } from '../../resources/release-plans'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { deletingReason } from '../../ui/actions/deleting-reason'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'

const whyNot = (plan: ReleasePlan) => deletingReason(plan, 'release plan')

/** What can be done with any release plan. */
export const releasePlanActions: readonly DefinedAction<ReleasePlan>[] = [
  {
    label: 'Trigger release plan',
    needs: triggerReleasePermission,
    disabledReason: whyNot,
    to: (plan, { namespace }) => paths.triggerReleaseOf({ namespace, releasePlan: nameOf(plan) }),
  },
  {
    label: 'Edit release plan',
    needs: editReleasePlanPermission,
    disabledReason: whyNot,
    to: (plan, { namespace }) => paths.editReleasePlan({ namespace, releasePlan: nameOf(plan) }),
  },
  {
    label: 'Delete release plan',
    isDanger: true,
    needs: permission("You don't have access to delete this release plan", ['delete', releasePlanType]),
    disabledReason: whyNot,
    dialog: (plan, { onClose }) => (
      <LazyConfirmDeleteDialog type={releasePlanType} object={plan} noun="Release plan" onClose={onClose}>
        Snapshots are no longer released by it, neither automatically nor by hand. Its releases are kept. This cannot be
        undone.
      </LazyConfirmDeleteDialog>
    ),
  },
]
