import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { editContexts, editParameters, integrationTestActions } from './integration-test-actions'
import { TestMarks } from '../../parts/integration-tests/TestMarks'
import { route } from '../../ui/page/route'
import { useLatestRuns } from './use-tests-with-runs'

export const page = route(paths.integrationTest, (at) => ({
  require: [{ verb: 'get', type: integrationTestScenarioType, namespace: at.namespace }],
  check: actionChecks(at.namespace, ...integrationTestActions, editContexts, editParameters),
  read: [integrationTestScenarios.get(at.namespace, at.integrationTest)],
}))

export { IntegrationTestLayout as Component }
function IntegrationTestLayout() {
  const at = page.useParams()
  const { actionsOf, dialog } = useActions(integrationTestActions, at, { afterDelete: paths.integrationTests(at) })
  const latestOf = useLatestRuns(at)
  return (
    <>
      <DetailLayout
        kind="Integration test"
        name={at.integrationTest}
        source={useObject(integrationTestScenarios.ofApplication(at.namespace, at.application, at.integrationTest))}
        breadcrumbs={[
          ...applicationCrumbs(at),
          { label: 'Integration tests', to: paths.integrationTests(at) },
          { label: at.integrationTest },
        ]}
        label={(test) => <TestMarks test={test} />}
        actions={(test) => actionsOf({ test, ...latestOf(at.integrationTest) })}
        tabs={[
          { label: 'Overview', to: paths.integrationTest(at) },
          { label: 'Pipeline runs', to: paths.integrationTestPipelineRuns(at) },
        ]}
      />
      {dialog}
    </>
  )
}
