import type { LoaderFunctionArgs } from 'react-router'
import { prefetchAccess } from '../../api/access/access'
import { runActionChecks } from '../../resources/rights'
import { commitRuns } from '../../ui/commits/use-commit'
import { PipelineRunTable } from '../../ui/pipeline-runs/PipelineRunTable'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { tablePreferences } from '../../ui/table/columns'

export async function loader({ params }: LoaderFunctionArgs) {
  await prefetchAccess(runActionChecks(paramsOf(params, 'namespace').namespace))
  return null
}

export { CommitPipelineRunsTab as Component }
function CommitPipelineRunsTab() {
  const { namespace, application, commit } = useRequiredParams('namespace', 'application', 'commit')
  return (
    <PipelineRunTable
      namespace={namespace}
      history={commitRuns({ namespace, application, commit })}
      preferences={tablePreferences(`commit-pipeline-runs-columns-${application}-${commit}`)}
    />
  )
}
