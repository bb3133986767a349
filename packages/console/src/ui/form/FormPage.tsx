import { ActionList, ActionListGroup, ActionListItem, Button, Form } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { FailureAlert } from '../FailureAlert'
import { type Crumb, Page } from '../Page'
import { WriteButton } from '../WriteButton'
import type { ResourceForm } from './resource-form'

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
  const { fields, maySubmit, isSubmitting, failure, submit, cancel } = form
  return (
    <FormProvider {...fields}>
      <Page
        {...page}
        footer={
          <>
            {failure && <FailureAlert {...failure} />}
            <ActionList>
              <ActionListGroup>
                <ActionListItem>
                  <WriteButton type="submit" form={id} isLoading={isSubmitting} isAriaDisabled={!maySubmit}>
                    {submitLabel}
                  </WriteButton>
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
      </Page>
    </FormProvider>
  )
}
