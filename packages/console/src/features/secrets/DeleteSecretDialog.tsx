import { type Secret, secretType } from '@slipway/kube/core-types'
import { isLinkable } from '@slipway/model/secrets/secret'
import type { ObservedSecret } from '@slipway/model/secrets/secret-concerns'
import type { SecretLinks } from '@slipway/model/secrets/secret-links'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'

interface DeleteSecretDialogProps extends Pick<ObservedSecret, 'secret' | 'links'> {
  onClose: () => void
}

export const DeleteSecretDialog = ({ secret, links, onClose }: DeleteSecretDialogProps) => (
  <LazyConfirmDeleteDialog type={secretType} object={secret} onClose={onClose}>
    The secret and its value will be deleted from all environments it is attached to. {effectText(secret, links)}
  </LazyConfirmDeleteDialog>
)

/** More names would hide the field. */
const mostNamed = 10

/** What the deletion means for builds. The cluster leaves the name of a deleted secret on service accounts. */
function effectText(secret: Secret, links: SecretLinks | undefined): string {
  if (!links) return isLinkable(secret) ? 'Which components it is linked to could not be checked.' : ''
  const users = [
    ...links.components.map(({ name }) => name),
    ...links.otherAccounts.map((account) => `service account ${account}`),
  ]
  if (users.length === 0) return ''
  const more = users.length > mostNamed ? ` and ${users.length - mostNamed} more` : ''
  return (
    `It is linked to ${users.slice(0, mostNamed).join(', ')}${more}: builds that need it will fail. ` +
    'The links stay, and a new secret of the same name would be used in its place.'
  )
}
