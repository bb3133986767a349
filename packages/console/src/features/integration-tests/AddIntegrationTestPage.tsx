import { nameOf } from '@slipway/kube/object'
import { enterpriseContractTestName } from '@slipway/model/snapshots/integration-test-edit'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { addIntegrationTestPermission, integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { route } from '../../ui/page/route'
import {
  addSchema,
  addWrites,
  emptyTest,
  type IntegrationTestInput,
  nameTaken,
  testErrorFields,
} from './integration-test-form'
import { TestFields } from './TestFields'

export const page = route(paths.addIntegrationTest, ({ namespace }) => ({
  require: addIntegrationTestPermission.checks(namespace),
  // The names that are taken, for early feedback, and the contexts of components.
  read: [integrationTestScenarios.listed(namespace), components.names(namespace)],
}))

const { TextField } = fieldsOf<IntegrationTestInput>()

export { AddIntegrationTestPage as Component }
function AddIntegrationTestPage() {
  const at = page.useParams()
  const navigate = useNavigate()
  const list = paths.integrationTests(at)
  const leave = () => navigate(list)
  const taken = useQuery(integrationTestScenarios.listed(at.namespace)).data?.items.map(nameOf) ?? []
  const suggestedName = enterpriseContractTestName(at.application)
  const form = useResourceForm({
    schema: addSchema(taken),
    defaults: emptyTest,
    toWrites: (values) => addWrites(at.namespace, at.application, values),
    errorFields: testErrorFields,
    takenMessage: () => nameTaken,
    doneMessage: 'Integration test added.',
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage
      title="Add integration test"
      description="A pipeline that runs for each new snapshot of this application."
      breadcrumbs={[
        ...applicationCrumbs(at),
        { label: 'Integration tests', to: list },
        { label: 'Add integration test' },
      ]}
      submitLabel="Add integration test"
      form={form}
    >
      <TextField name="name" label="Integration test name" isRequired />
      <TestFields
        {...at}
        contexts={emptyTest.contexts}
        suggestedName={taken.includes(suggestedName) ? undefined : suggestedName}
      />
    </FormPage>
  )
}
