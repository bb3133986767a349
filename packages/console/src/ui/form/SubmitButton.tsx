import { Button, type ButtonProps } from '@patternfly/react-core'
import type { FieldValues } from 'react-hook-form'
import { WriteButton } from '../WriteButton'
import type { ResourceForm } from './resource-form'

interface SubmitButtonProps<Input extends FieldValues, Output> {
  form: ResourceForm<Input, Output>
  formId: string
  label: string
  variant?: ButtonProps['variant']
  /** In place of the usual reason for which an invalid form cannot be submitted. */
  invalidReason?: string
}

/** Submits the form, or says why that is not possible now and leads to the first field that has to change. */
export function SubmitButton<Input extends FieldValues, Output>({
  form: { blocked, isSubmitting, showErrors },
  formId,
  label,
  variant,
  invalidReason = 'Some fields are incomplete or invalid.',
}: SubmitButtonProps<Input, Output>) {
  const reasons = { unchanged: 'Nothing has been changed yet.', invalid: invalidReason }
  return (
    <>
      <WriteButton
        type="submit"
        form={formId}
        variant={variant}
        isLoading={isSubmitting}
        isAriaDisabled={isSubmitting}
        disabledReason={blocked && reasons[blocked]}
      >
        {label}
      </WriteButton>
      {blocked === 'invalid' && (
        <Button variant="link" isInline onClick={showErrors}>
          Go to the first one
        </Button>
      )}
    </>
  )
}
