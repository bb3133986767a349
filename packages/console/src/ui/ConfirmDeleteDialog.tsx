import {
  Button,
  Content,
  Form,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core'
import { type KubeObject, nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { writeFailure } from '../api/write-messages'
import { performWrites } from '../api/perform-writes'
import { remove } from '../api/writes'
import { FailureAlert } from './FailureAlert'
import { useFocusAfterwards } from './focus-heading'
import { WriteButton } from './WriteButton'

interface ConfirmDeleteDialogProps {
  type: ResourceType
  object: KubeObject
  onClose: () => void
  /** Comes before `onClose`, once it is done. */
  onDeleted?: () => void
  /** What else goes with the object. */
  children?: ReactNode
}

/** Deletes an object once its name has been typed. What fails is said here, and can be tried again. */
export function ConfirmDeleteDialog({ type, object, onClose, onDeleted, children }: ConfirmDeleteDialogProps) {
  const { kind } = type
  const name = nameOf(object)
  const id = useId()
  const [typed, setTyped] = useState<string>()
  useFocusAfterwards()
  const problem = typed === undefined ? undefined : nameProblem(kind, name, typed)
  const deletion = useMutation({
    mutationFn: () =>
      // The uid keeps a new object of the same name, made meanwhile, from being deleted in place of this one.
      performWrites([
        remove(type, { name, namespace: namespaceOf(object) }, { preconditions: { uid: uidOf(object) } }),
      ]),
  })
  const mayDelete = typed === name && !deletion.isPending
  const failure = deletion.error && writeFailure(deletion.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!mayDelete) return
    // Of the call, not of the mutation: whoever has closed the dialog meanwhile is somewhere else.
    deletion.mutate(undefined, {
      onSuccess: () => {
        onDeleted?.()
        onClose()
      },
    })
  }
  return (
    <Modal
      isOpen
      variant="small"
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      elementToFocus={`#${CSS.escape(`${id}-name`)}`}
    >
      <ModalHeader title={`Delete ${kind.toLowerCase()}?`} titleIconVariant="warning" labelId={`${id}-title`} />
      <ModalBody id={`${id}-body`}>
        <Content component="p">
          The {kind.toLowerCase()} <strong>{name}</strong> will be deleted. {children}
        </Content>
        <Form id={`${id}-form`} onSubmit={submit}>
          <FormGroup
            fieldId={`${id}-name`}
            label={
              <>
                Type <strong>{name}</strong> to confirm
              </>
            }
          >
            <TextInput
              id={`${id}-name`}
              value={typed ?? ''}
              onChange={(_, value) => setTyped(value)}
              onBlur={() => setTyped(typed ?? '')}
              validated={problem ? 'error' : 'default'}
              aria-describedby={`${id}-problem`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <FormHelperText>
              <HelperText id={`${id}-problem`} isLiveRegion>
                {problem && <HelperTextItem variant="error">{problem}</HelperTextItem>}
              </HelperText>
            </FormHelperText>
          </FormGroup>
          {failure && <FailureAlert {...failure} />}
        </Form>
      </ModalBody>
      <ModalFooter>
        <WriteButton
          type="submit"
          form={`${id}-form`}
          variant="danger"
          isLoading={deletion.isPending}
          isAriaDisabled={!mayDelete}
        >
          Delete
        </WriteButton>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  )
}

/** What is wrong with a typed name, compared letter by letter; `undefined` when it is the one. */
function nameProblem(kind: string, name: string, typed: string): string | undefined {
  if (!typed) return `${kind} name missing`
  return typed === name ? undefined : `${kind} name does not match`
}
