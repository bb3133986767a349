import { secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { ObservedSecret } from '@slipway/model/secrets/secret-concerns'
import { permission } from '../../api/access/permission'
import { paths } from '../../paths'
import { editSecretPermission } from '../../resources/secrets'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { deletingReason } from '../../ui/actions/deleting-reason'
import { DeleteSecretDialog } from './DeleteSecretDialog'

const whyNot = ({ secret }: ObservedSecret) => deletingReason(secret, 'secret')

/** What can be done with any secret. */
export const secretActions: readonly DefinedAction<ObservedSecret>[] = [
  {
    label: 'Edit secret',
    isAddition: true,
    needs: editSecretPermission,
    disabledReason: whyNot,
    to: ({ secret }, { namespace }) => paths.editSecret({ namespace, secret: nameOf(secret) }),
  },
  {
    label: 'Delete',
    isDanger: true,
    needs: permission("You don't have access to delete this secret", ['delete', secretType]),
    disabledReason: whyNot,
    dialog: (row, { onClose }) => <DeleteSecretDialog {...row} onClose={onClose} />,
  },
]
