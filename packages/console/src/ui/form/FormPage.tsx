import { Form } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { FailureAlert } from '../failures/FailureAlert'
import { type Crumb, Page } from '../page/Page'
import { FormActions } from './FormActions'
import { LeaveGuard } from './LeaveGuard'
import type { ResourceForm } from './resource-form'
import { ShowChange } from './ShowChange'

interface FormPageProps<Input extends FieldValues, Output> {
  title: string
  description?: ReactNode
  breadcrumbs?: Crumb[]
  submitLabel: string
  /** Buttons after the one that submits. */
  actions?: ReactNode
  form: ResourceForm<Input, Output>
  /** The fields. */
  children: ReactNode
}

/** A page that is one form. Failures appear in the footer, next to the button that caused them. */
export function FormPage<Input extends FieldValues, Output>({
  form,
  submitLabel,
  actions,
  children,
  ...page
}: FormPageProps<Input, Output>) {
  const id = useId()
  const { fields, failure, isCleared, isUnsaved, isSettled, submit, cancel } = form
  return (
    <FormProvider {...fields}>
      <Page
        {...page}
        footer={
          <>
            {failure && <FailureAlert {...failure} />}
            <FormActions form={form} formId={id} submitLabel={submitLabel} onCancel={cancel}>
              {actions}
            </FormActions>
          </>
        }
      >
        {isCleared ? (
          <p role="status">Saved. What you entered is no longer on this page.</p>
        ) : (
          <>
            <Form id={id} isWidthLimited maxWidth="40rem" onSubmit={submit}>
              {form.notice}
              {children}
            </Form>
            <ShowChange form={form} />
          </>
        )}
      </Page>
      {isUnsaved && <LeaveGuard isSettled={isSettled} />}
    </FormProvider>
  )
}
