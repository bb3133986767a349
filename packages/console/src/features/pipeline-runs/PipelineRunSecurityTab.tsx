import { Skeleton } from '@patternfly/react-core'
import { verifyTaskRunOf } from '@slipway/model/enterprise-contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { useTaskRuns } from '../../ui/pipeline-runs/use-task-runs'
import { useRequiredParams } from '../../ui/route-params'
import { SecurityReport } from '../../ui/security/SecurityReport'
import { LoadFailure } from '../../ui/table/TableState'

export { PipelineRunSecurityTab as Component }
function PipelineRunSecurityTab() {
  const { namespace, pipelineRun } = useRequiredParams('namespace', 'pipelineRun')
  const { data: run } = useSuspenseQuery(pipelineRuns.get(namespace, pipelineRun))
  const { items, error, isFetching, retry } = useTaskRuns(run)
  if (items) return <SecurityReport taskRun={verifyTaskRunOf(items)} />
  return error ? (
    <LoadFailure thing="task runs" error={error} isRetrying={isFetching} onRetry={retry} />
  ) : (
    <Skeleton height="10rem" screenreaderText="Loading task runs" />
  )
}
