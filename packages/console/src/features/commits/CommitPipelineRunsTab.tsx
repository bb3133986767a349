import { actionChecks } from '../../ui/actions/defined-action'
import { paths } from '../../paths'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { route } from '../../ui/page/route'
import { PipelineRunTable } from '../../parts/pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'

export const page = route(paths.commitPipelineRuns, ({ namespace }) => ({
  check: actionChecks(namespace, ...runActions.list),
}))

export { CommitPipelineRunsTab as Component }
function CommitPipelineRunsTab() {
  const { namespace, application, commit } = page.useParams()
  return (
    <PipelineRunTable
      runs={{ namespace, application, commit }}
      preferences={tablePreferences(`commit-pipeline-runs-columns-${namespace}/${application}/${commit}`)}
    />
  )
}
