import { labels } from '@slipway/model/labels'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { actionChecks } from '../../ui/actions/defined-action'
import { runActions } from '../../ui/pipeline-runs/run-actions'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { PipelineRunTable } from '../../ui/pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'

export const loader = createLoader(['namespace'], ({ namespace }) => ({
  check: actionChecks(namespace, ...runActions.list),
}))

export { IntegrationTestPipelineRunsTab as Component }
function IntegrationTestPipelineRunsTab() {
  const { namespace, application, integrationTest } = useRequiredParams('namespace', 'application', 'integrationTest')
  return (
    <PipelineRunTable
      namespace={namespace}
      integrationTest={integrationTest}
      history={pipelineRuns.history({
        namespace,
        labels: { [labels.application]: application, [labels.scenario]: integrationTest },
      })}
      preferences={tablePreferences(
        `integration-test-pipeline-runs-columns-${namespace}/${application}/${integrationTest}`,
      )}
    />
  )
}
