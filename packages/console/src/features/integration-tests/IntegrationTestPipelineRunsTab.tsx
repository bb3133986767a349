import { paths } from '../../paths'
import { actionChecks } from '../../ui/actions/defined-action'
import { route } from '../../ui/page/route'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { PipelineRunTable } from '../../parts/pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'

export const page = route(paths.integrationTestPipelineRuns, ({ namespace }) => ({
  check: actionChecks(namespace, ...runActions.list),
}))

export { IntegrationTestPipelineRunsTab as Component }
function IntegrationTestPipelineRunsTab() {
  const { namespace, application, integrationTest } = page.useParams()
  return (
    <PipelineRunTable
      runs={{ namespace, application, integrationTest }}
      preferences={tablePreferences(
        `integration-test-pipeline-runs-columns-${namespace}/${application}/${integrationTest}`,
      )}
    />
  )
}
