import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import type { AppliedWrite, Performer } from '../../api/writes/perform-writes'
import type { Write } from '../../api/writes/writes'
import { FormDialog } from './FormDialog'
import { useResourceForm } from './resource-form'

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  /** Label of the button that closes the dialog without a write. */
  cancelLabel?: string
  isDanger?: boolean
  writes: Write[]
  /** `inOrder` by default. */
  perform?: Performer
  /** Called before `onClose`. */
  onDone?: (applied: AppliedWrite[]) => void
  onClose: () => void
  /** Says what will happen. */
  children: ReactNode
}

const noFields = z.object({})

/** Asks for confirmation before writes that need no input. */
export function ConfirmDialog({
  title,
  confirmLabel,
  cancelLabel,
  isDanger,
  writes,
  perform,
  onDone,
  onClose,
  children,
}: ConfirmDialogProps) {
  const form = useResourceForm({
    schema: noFields,
    defaults: {},
    toWrites: () => writes,
    perform,
    isConfirmation: true,
    onDone: (applied) => {
      onDone?.(applied)
      onClose()
    },
    onCancel: onClose,
  })
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      cancelLabel={cancelLabel}
      isDanger={isDanger}
      form={form}
      hasFields={false}
    >
      {children}
    </FormDialog>
  )
}
