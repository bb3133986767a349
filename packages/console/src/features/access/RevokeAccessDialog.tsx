import { Button, Content, List, ListItem, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core'
import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { writeFailure } from '../../api/write-messages'
import { userQuery } from '../../api/session'
import { performWrites, remove } from '../../api/writes'
import { FailureAlert } from '../../ui/FailureAlert'
import { WriteButton } from '../../ui/WriteButton'

interface RevokeAccessDialogProps {
  binding: RoleBinding
  /** The name of the role, for people. */
  role: string
  onClose: () => void
}

export function RevokeAccessDialog({ binding, role, onClose }: RevokeAccessDialogProps) {
  const id = useId()
  const { data: user } = useQuery(userQuery)
  const revocation = useMutation({
    mutationFn: () =>
      performWrites([
        remove(
          roleBindingType,
          { namespace: namespaceOf(binding), name: nameOf(binding) },
          // Not a new binding of the same name, made meanwhile.
          { preconditions: { uid: uidOf(binding) } },
        ),
      ]),
    onSuccess: onClose,
  })
  const failure = revocation.error && writeFailure(revocation.error)
  const subjects = binding.subjects ?? []
  const isOwn = subjects.some(({ kind, name }) => kind === 'User' && name === user?.email)
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`}>
      <ModalHeader title="Revoke access?" titleIconVariant="warning" labelId={`${id}-title`} />
      <ModalBody id={`${id}-body`}>
        <Content component="p">
          {subjects.length > 1 ? 'All of these will lose' : 'The following will lose'} the role <strong>{role}</strong>{' '}
          in the namespace <strong>{namespaceOf(binding)}</strong>:
        </Content>
        <List>
          {subjects.map(({ kind, name }) => (
            <ListItem key={`${kind} ${name}`}>{kind === 'User' ? name : `${name} (${kind})`}</ListItem>
          ))}
        </List>
        {isOwn && (
          <Content component="p">
            <strong>This is your own access.</strong> Only somebody else can give it back.
          </Content>
        )}
        {failure && <FailureAlert {...failure} />}
      </ModalBody>
      <ModalFooter>
        <WriteButton
          variant="danger"
          isLoading={revocation.isPending}
          isAriaDisabled={revocation.isPending}
          onClick={() => {
            if (!revocation.isPending) revocation.mutate()
          }}
        >
          Revoke
        </WriteButton>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  )
}
