import { fieldsOf } from '../../ui/form/fields'
import { ContextsField } from './ContextsField'
import type { IntegrationTestInput } from './integration-test-form'
import { ParamsField } from './ParamsField'
import { SourceFields } from './SourceFields'

const { CheckboxField } = fieldsOf<IntegrationTestInput>()

interface TestFieldsProps {
  suggestedName?: string
  namespace: string
  application: string
  /** The contexts that the form starts with. */
  contexts: readonly string[]
}

/** What can be changed of a test that exists. */
export const TestFields = ({ namespace, application, contexts, suggestedName }: TestFieldsProps) => (
  <>
    <SourceFields suggestedName={suggestedName} />
    <CheckboxField
      name="isOptional"
      label="Mark as optional for release"
      description="If this test fails, snapshots can be released all the same."
    />
    <ContextsField namespace={namespace} application={application} stored={contexts} />
    <ParamsField />
  </>
)
