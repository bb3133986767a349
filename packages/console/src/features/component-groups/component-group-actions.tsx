import { nameOf } from '@slipway/kube/object'
import { type ComponentGroup, componentGroupType } from '@slipway/model/builds/component-group'
import { permission } from '../../api/access/permission'
import { paths } from '../../paths'
import { createComponentGroupPermission, editComponentGroupPermission } from '../../resources/component-groups'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { deletingReason } from '../../ui/actions/deleting-reason'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'

const whyNot = (group: ComponentGroup) => deletingReason(group, 'component group')

export const createComponentGroup: DefinedAction = {
  label: 'Create component group',
  needs: createComponentGroupPermission,
  to: (_, at) => paths.createComponentGroup(at),
}

/** What can be done with any component group. */
export const componentGroupActions: readonly DefinedAction<ComponentGroup>[] = [
  {
    label: 'Edit',
    needs: editComponentGroupPermission,
    disabledReason: whyNot,
    to: (group, { namespace }) => paths.editComponentGroup({ namespace, componentGroup: nameOf(group) }),
  },
  {
    label: 'Delete',
    isDanger: true,
    needs: permission("You don't have access to delete this component group", ['delete', componentGroupType]),
    disabledReason: whyNot,
    dialog: (group, { onClose, onDeleted }) => (
      <LazyConfirmDeleteDialog
        type={componentGroupType}
        object={group}
        noun="Component group"
        onClose={onClose}
        onDeleted={onDeleted}
      >
        Its components and integration tests are kept, but get no more snapshots of this group. Groups, release plans
        and integration tests that name it no longer find it. This cannot be undone.
      </LazyConfirmDeleteDialog>
    ),
  },
]
