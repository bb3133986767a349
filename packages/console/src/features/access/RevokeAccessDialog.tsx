import { Content, List, ListItem } from '@patternfly/react-core'
import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { subjectTexts, usernamesOf } from '@slipway/model/access/user-access'
import { useQuery } from '@tanstack/react-query'
import { userQuery } from '../../api/session/session'
import { remove } from '../../api/writes/writes'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog'

interface RevokeAccessDialogProps {
  binding: RoleBinding
  /** The display name of the role. */
  role: string
  onClose: () => void
}

export function RevokeAccessDialog({ binding, role, onClose }: RevokeAccessDialogProps) {
  const { data: user } = useQuery(userQuery)
  const subjects = subjectTexts(binding)
  const isOwn = usernamesOf(binding).some((name) => name === user?.email)
  const { resourceVersion } = binding.metadata
  return (
    <ConfirmDialog
      title="Revoke access?"
      confirmLabel="Revoke"
      isDanger
      writes={[
        remove(
          roleBindingType,
          { namespace: namespaceOf(binding), name: nameOf(binding) },
          // Do not delete a new binding of the same name, or subjects that were added since and are not shown here.
          { preconditions: { uid: uidOf(binding), resourceVersion } },
        ),
      ]}
      onClose={onClose}
    >
      <Content component="p">
        {subjects.length > 1 ? 'All of these' : 'This user'} will lose the <strong>{role}</strong> role in{' '}
        <strong>{namespaceOf(binding)}</strong>:
      </Content>
      <List>
        {subjects.map((each) => (
          <ListItem key={each}>{each}</ListItem>
        ))}
      </List>
      {isOwn && (
        <Content component="p">
          <strong>This is your own access.</strong> Only another admin can restore it.
        </Content>
      )}
    </ConfirmDialog>
  )
}
