import { Content } from '@patternfly/react-core'
import { type KubeObject, nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { remove } from '../../api/writes/writes'
import { fieldsOf } from './fields'
import { FormDialog } from './FormDialog'
import { useResourceForm } from './resource-form'

interface ConfirmDeleteDialogProps {
  type: ResourceType
  object: KubeObject
  /** What users call the kind, if it is not the name of the kind; `Integration test`. */
  noun?: string
  onClose: () => void
  /** Called before `onClose`, once the object is deleted. */
  onDeleted?: () => void
  /** What else is deleted with the object. */
  children?: ReactNode
}

/** The typed name must match exactly. */
const schemaFor = (noun: string, name: string) =>
  z.object({
    name: z.string().check(
      z.minLength(1, { error: `${noun} name missing`, abort: true }),
      z.refine((typed) => typed === name, { error: `${noun} name does not match` }),
    ),
  })

const { TextField } = fieldsOf<z.input<ReturnType<typeof schemaFor>>>()

/** Deletes an object once its name has been typed. A failure is shown in the dialog, and can be retried. */
export function ConfirmDeleteDialog({
  type,
  object,
  noun = type.kind,
  onClose,
  onDeleted,
  children,
}: ConfirmDeleteDialogProps) {
  const name = nameOf(object)
  const form = useResourceForm({
    schema: schemaFor(noun, name),
    defaults: { name: '' },
    // The uid keeps a new object of the same name from being deleted in place of this one.
    toWrites: () => [remove(type, { name, namespace: namespaceOf(object) }, { preconditions: { uid: uidOf(object) } })],
    isConfirmation: true,
    onDone: () => {
      onDeleted?.()
      onClose()
    },
    onCancel: onClose,
  })
  return (
    <FormDialog
      title={`Delete ${noun.toLowerCase()}?`}
      submitLabel="Delete"
      isDanger
      form={form}
      invalidReason="Type the name to confirm."
    >
      <Content component="p">
        The {noun.toLowerCase()} <strong>{name}</strong> will be deleted. {children}
      </Content>
      <TextField name="name" label={`Type ${name} to confirm`} />
    </FormDialog>
  )
}
