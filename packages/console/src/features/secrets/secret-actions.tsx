import { secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { ObservedSecret } from '@slipway/model/secrets/secret-concerns'
import { permission } from '../../api/access/permission'
import { isBeingDeleted } from '../../api/archive/origin'
import { paths } from '../../paths'
import { editSecretPermission } from '../../resources/secrets'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { DeleteSecretDialog } from './DeleteSecretDialog'

const deletingReason = ({ secret }: ObservedSecret) => isBeingDeleted(secret) && 'This secret is being deleted'

/** What can be done with any secret. */
export const secretActions: readonly DefinedAction<ObservedSecret>[] = [
  {
    label: 'Edit secret',
    isAddition: true,
    needs: editSecretPermission,
    disabledReason: deletingReason,
    to: ({ secret }, { namespace }) => paths.editSecret({ namespace, secret: nameOf(secret) }),
  },
  {
    label: 'Delete',
    isDanger: true,
    needs: permission("You don't have access to delete this secret", ['delete', secretType]),
    disabledReason: deletingReason,
    dialog: (row, { onClose }) => <DeleteSecretDialog {...row} onClose={onClose} />,
  },
]
