import { labels } from '@slipway/model/labels'
import { type SnapshotParams, paths } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { actionChecks } from '../../ui/actions/defined-action'
import { route } from '../../ui/page/route'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { PipelineRunTable } from '../../parts/pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'

/** The runs of a snapshot, out of those of the application, which other screens have read already. */
const snapshotRuns = ({ namespace, application, snapshot }: SnapshotParams) =>
  pipelineRuns.history({ namespace, labels: { [labels.application]: application }, snapshot })

export const page = route(paths.snapshotPipelineRuns, (at) => ({
  check: actionChecks(at.namespace, ...runActions.list),
  read: [snapshotRuns(at).live],
}))

export { SnapshotPipelineRunsTab as Component }
function SnapshotPipelineRunsTab() {
  const at = page.useParams()
  return (
    <PipelineRunTable
      namespace={at.namespace}
      history={snapshotRuns(at)}
      preferences={tablePreferences(`snapshot-pipeline-runs-columns-${at.namespace}/${at.application}`)}
    />
  )
}
