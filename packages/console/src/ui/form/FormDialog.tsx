import { Form } from '@patternfly/react-core'
import { type ReactNode, useId, useState } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { Dialog } from '../dialogs/Dialog'
import { FailureAlert } from '../failures/FailureAlert'
import { DiscardDialog } from './DiscardDialog'
import { FormActions } from './FormActions'
import { LeaveGuard } from './LeaveGuard'
import type { ResourceForm } from './resource-form'
import { ShowChange } from './ShowChange'

export interface FormDialogProps<Input extends FieldValues, Output> {
  title: string
  submitLabel: string
  cancelLabel?: string
  /** Its width until the change is shown; small by default. */
  variant?: 'small' | 'medium'
  /** Whether it deletes or revokes something. */
  isDanger?: boolean
  form: ResourceForm<Input, Output>
  /** Why it cannot be submitted while it is invalid. */
  invalidReason?: string
  /** Whether there are fields; the first one is focused when the dialog opens. */
  hasFields?: boolean
  /** Text and fields. */
  children: ReactNode
}

/**
 * A dialog that consists of one form. The page behind it closes it in `onDone` and `onCancel` of the form. Failures appear
 * in the footer, next to the button that caused them, however far the form is scrolled.
 */
export function FormDialog<Input extends FieldValues, Output>({
  title,
  submitLabel,
  cancelLabel,
  variant = 'small',
  isDanger,
  form,
  invalidReason,
  hasFields = true,
  children,
}: FormDialogProps<Input, Output>) {
  const id = useId()
  const [isChangeShown, setIsChangeShown] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const { fields, failure, isCleared, isUnsaved, isSettled, submit, cancel } = form
  const close = () => (isUnsaved ? setIsAsking(true) : cancel())
  return (
    <FormProvider {...fields}>
      <Dialog
        title={title}
        isWarning={isDanger}
        variant={isChangeShown ? 'large' : variant}
        focus={hasFields ? `#${CSS.escape(id)} :is(input, textarea, button)` : undefined}
        onClose={close}
        footer={
          <div className="slipway-form__footer">
            {failure && <FailureAlert {...failure} />}
            <FormActions
              form={form}
              formId={id}
              submitLabel={submitLabel}
              cancelLabel={cancelLabel}
              isDanger={isDanger}
              invalidReason={invalidReason}
              onCancel={close}
            />
          </div>
        }
      >
        {!isCleared && (
          <>
            <Form id={id} onSubmit={submit}>
              {form.notice}
              {children}
            </Form>
            <ShowChange form={form} onToggle={setIsChangeShown} />
          </>
        )}
      </Dialog>
      {isUnsaved && <LeaveGuard isSettled={isSettled} />}
      {isAsking && <DiscardDialog leaveLabel="Close anyway" onStay={() => setIsAsking(false)} onLeave={cancel} />}
    </FormProvider>
  )
}
