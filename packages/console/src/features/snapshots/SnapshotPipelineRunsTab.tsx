import { paths } from '../../paths'
import { actionChecks } from '../../ui/actions/defined-action'
import { route } from '../../ui/page/route'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { PipelineRunTable } from '../../parts/pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'

export const page = route(paths.snapshotPipelineRuns, (at) => ({
  check: actionChecks(at.namespace, ...runActions.list),
}))

export { SnapshotPipelineRunsTab as Component }
function SnapshotPipelineRunsTab() {
  const at = page.useParams()
  return (
    <PipelineRunTable
      runs={at}
      preferences={tablePreferences(`snapshot-pipeline-runs-columns-${at.namespace}/${at.application}`)}
    />
  )
}
