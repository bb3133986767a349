import { Button, Content, List, ListItem, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core'
import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { subjectTexts, usernamesOf } from '@slipway/model/user-access'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { writeFailure } from '../../api/write-messages'
import { userQuery } from '../../api/session'
import { performWrites } from '../../api/perform-writes'
import { remove } from '../../api/writes'
import { FailureAlert } from '../../ui/FailureAlert'
import { useFocusAfterwards } from '../../ui/focus-heading'
import { WriteButton } from '../../ui/WriteButton'

interface RevokeAccessDialogProps {
  binding: RoleBinding
  /** The name of the role, for people. */
  role: string
  onClose: () => void
}

export function RevokeAccessDialog({ binding, role, onClose }: RevokeAccessDialogProps) {
  const id = useId()
  useFocusAfterwards()
  const { data: user } = useQuery(userQuery)
  const revocation = useMutation({
    mutationFn: () =>
      performWrites([
        remove(
          roleBindingType,
          { namespace: namespaceOf(binding), name: nameOf(binding) },
          // Neither a new binding of the same name, nor whom somebody has added meanwhile and nobody sees here.
          { preconditions: { uid: uidOf(binding), resourceVersion: binding.metadata.resourceVersion } },
        ),
      ]),
  })
  const failure = revocation.error && writeFailure(revocation.error)
  const subjects = subjectTexts(binding)
  const isOwn = usernamesOf(binding).some((name) => name === user?.email)
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`}>
      <ModalHeader title="Revoke access?" titleIconVariant="warning" labelId={`${id}-title`} />
      <ModalBody id={`${id}-body`}>
        <Content component="p">
          {subjects.length > 1 ? 'All of these will lose' : 'The following will lose'} the role <strong>{role}</strong>{' '}
          in the namespace <strong>{namespaceOf(binding)}</strong>:
        </Content>
        <List>
          {subjects.map((each) => (
            <ListItem key={each}>{each}</ListItem>
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
          // Of the call, not of the mutation: whoever has closed the dialog meanwhile may have opened it for another one.
          onClick={() => revocation.mutate(undefined, { onSuccess: onClose })}
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
