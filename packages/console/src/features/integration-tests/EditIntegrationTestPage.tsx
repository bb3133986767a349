import { Alert } from '@patternfly/react-core'
import { nameOf, namespaceOf, specOf, uidOf } from '@slipway/kube/object'
import { hasSameDefinition } from '@slipway/model/builds/definition'
import { uneditableReason } from '@slipway/model/snapshots/integration-test-edit'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from 'react-router'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { editIntegrationTestPermission, integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { notFoundError } from '../../resources/not-found'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { useEditForm } from '../../ui/form/edit-form'
import { FormPage } from '../../ui/form/FormPage'
import { Details } from '../../ui/page/Details'
import { loadNeeds } from '../../ui/page/needs'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { editDefaults, editSchema, editTestWrites, testErrorFields } from './integration-test-form'
import { TestFields } from './TestFields'

export const page = route(paths.editIntegrationTest)

/** Always fetches the test again, so that the form starts from its current version. */
export async function loader({ params }: LoaderFunctionArgs): Promise<IntegrationTestScenario> {
  const { namespace, application, integrationTest: name } = page.paramsOf(params)
  await loadNeeds({ require: editIntegrationTestPermission.checks(namespace), read: [components.names(namespace)] })
  const test = await queryClient.fetchQuery({ ...integrationTestScenarios.get(namespace, name), staleTime: 0 })
  if (specOf(test).application === application && !test.metadata.deletionTimestamp) return test
  throw notFoundError(
    integrationTestScenarioType,
    { namespace, name },
    `The application ${application} has no integration test ${name}.`,
  )
}

export { EditIntegrationTestPage as Component }
function EditIntegrationTestPage() {
  const test = useLoaderData<typeof loader>()
  const reason = uneditableReason(test)
  return reason ? (
    <UneditableTest test={test} reason={reason} />
  ) : (
    // Another version needs a new form, as after leaving and returning.
    <EditForm key={`${uidOf(test)}/${test.metadata.resourceVersion}`} test={test} />
  )
}

const title = 'Edit integration test'

const paramsFor = (test: IntegrationTestScenario) => ({
  namespace: namespaceOf(test) ?? '',
  application: test.spec.application ?? '',
  integrationTest: nameOf(test),
})

function headingOf(test: IntegrationTestScenario) {
  const at = paramsFor(test)
  return {
    title,
    description: at.integrationTest,
    breadcrumbs: [
      ...applicationCrumbs(at),
      { label: 'Integration tests', to: paths.integrationTests(at) },
      { label: at.integrationTest, to: paths.integrationTest(at) },
      { label: title },
    ],
  }
}

/** @param test the version that the form starts from */
function EditForm({ test }: { test: IntegrationTestScenario }) {
  const at = paramsFor(test)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const leave = () => navigate(paths.integrationTest(at))
  const defaults = editDefaults(test)
  const form = useEditForm({
    noun: 'integration test',
    original: test,
    query: integrationTestScenarios.get(at.namespace, at.integrationTest),
    schema: editSchema,
    defaults,
    toWrites: (version, values) => editTestWrites(version, test, values),
    isSame: hasSameDefinition,
    onReload: () => void revalidate(),
    isComparable: true,
    errorFields: testErrorFields,
    doneMessage: 'Integration test saved.',
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage {...headingOf(test)} submitLabel="Save changes" form={form}>
      <TestFields namespace={at.namespace} application={at.application} contexts={defaults.contexts} />
    </FormPage>
  )
}

function UneditableTest({ test, reason }: { test: IntegrationTestScenario; reason: string }) {
  const { resolver, params = [] } = specOf(test).resolverRef ?? {}
  return (
    <Page
      {...headingOf(test)}
      footer={
        <ButtonLink variant="link" to={paths.integrationTest(paramsFor(test))}>
          Back to the integration test
        </ButtonLink>
      }
    >
      <Alert isInline variant="info" component="p" title="This integration test cannot be edited">
        {reason}
      </Alert>
      <Details
        label="Resolver"
        items={[['Resolver', resolver ?? null], ...params.map(({ name, value }) => [name, value] as const)]}
      />
    </Page>
  )
}
