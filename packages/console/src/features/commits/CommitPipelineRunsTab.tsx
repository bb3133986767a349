import { actionChecks } from '../../ui/actions/defined-action'
import { runActions } from '../../ui/pipeline-runs/run-actions'
import { commitRuns } from '../../ui/commits/use-commit'
import { PipelineRunTable } from '../../ui/pipeline-runs/PipelineRunTable'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { tablePreferences } from '../../ui/table/columns'

export const loader = createLoader(['namespace'], ({ namespace }) => ({
  check: actionChecks(namespace, ...runActions.list),
}))

export { CommitPipelineRunsTab as Component }
function CommitPipelineRunsTab() {
  const { namespace, application, commit } = useRequiredParams('namespace', 'application', 'commit')
  return (
    <PipelineRunTable
      namespace={namespace}
      history={commitRuns({ namespace, application, commit })}
      preferences={tablePreferences(`commit-pipeline-runs-columns-${namespace}/${application}/${commit}`)}
    />
  )
}
