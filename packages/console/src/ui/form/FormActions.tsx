import { Button } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { WriteButton } from '../actions/WriteButton'
import type { ResourceForm } from './resource-form'
import './form.css'

interface FormActionsProps<Input extends FieldValues, Output> {
  form: ResourceForm<Input, Output>
  formId: string
  submitLabel: string
  /** Default `Cancel`; another word where that would be ambiguous. */
  cancelLabel?: string
  isDanger?: boolean
  /** Replaces the usual reason in a form whose only field is obvious. */
  invalidReason?: string
  onCancel: () => void
  /** Buttons between the one that submits and the one that cancels. */
  children?: ReactNode
}

/** The buttons of a form. If it cannot be submitted, they say why and lead to the first invalid field. */
export function FormActions<Input extends FieldValues, Output>({
  form: { blocked, isSubmitting, showErrors },
  formId,
  submitLabel,
  cancelLabel = 'Cancel',
  isDanger,
  invalidReason,
  onCancel,
  children,
}: FormActionsProps<Input, Output>) {
  const id = useId()
  const reasons = {
    unchanged: 'Nothing has been changed yet.',
    invalid: invalidReason ?? 'Some fields are incomplete or invalid.',
  }
  return (
    <div className="slipway-form__actions">
      <WriteButton
        type="submit"
        form={formId}
        variant={isDanger ? 'danger' : 'primary'}
        isLoading={isSubmitting}
        isAriaDisabled={isSubmitting || blocked !== undefined}
        aria-describedby={blocked && id}
      >
        {submitLabel}
      </WriteButton>
      {children}
      <Button variant="link" onClick={onCancel}>
        {cancelLabel}
      </Button>
      <div className="slipway-form__blocked">
        <span id={id} role="status">
          {blocked && reasons[blocked]}
        </span>
        {blocked === 'invalid' && !invalidReason && (
          <Button variant="link" isInline onClick={showErrors}>
            Go to the first one
          </Button>
        )}
      </div>
    </div>
  )
}
