import { ActionList, ActionListGroup, ActionListItem, Button, Form } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { FailureAlert } from '../FailureAlert'
import { type Crumb, Page } from '../Page'
import { LeaveGuard } from './LeaveGuard'
import type { ResourceForm } from './resource-form'
import { ShowChange } from './ShowChange'
import { SubmitButton } from './SubmitButton'
import './form.css'

interface FormPageProps<Input extends FieldValues, Output> {
  title: string
  description?: ReactNode
  breadcrumbs?: Crumb[]
  submitLabel: string
  form: ResourceForm<Input, Output>
  /** The fields. */
  children: ReactNode
}

/** A page that is one form. Failures appear in the footer, beside the button that caused them. */
export function FormPage<Input extends FieldValues, Output>({
  form,
  submitLabel,
  children,
  ...page
}: FormPageProps<Input, Output>) {
  const id = useId()
  const { fields, failure, isUnsaved, isSettled, submit, cancel } = form
  return (
    <FormProvider {...fields}>
      <Page
        {...page}
        footer={
          <>
            {failure && <FailureAlert {...failure} />}
            <ActionList className="slipway-form__actions">
              <ActionListGroup>
                <ActionListItem>
                  <SubmitButton form={form} formId={id} label={submitLabel} />
                </ActionListItem>
                <ActionListItem>
                  <Button variant="link" onClick={cancel}>
                    Cancel
                  </Button>
                </ActionListItem>
              </ActionListGroup>
            </ActionList>
          </>
        }
      >
        <Form
          id={id}
          isWidthLimited
          maxWidth="40rem"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          {children}
        </Form>
        <ShowChange form={form} />
      </Page>
      {isUnsaved && <LeaveGuard isSettled={isSettled} />}
    </FormProvider>
  )
}
