import { Skeleton } from '@patternfly/react-core'
import { verifyTaskRunOf } from '@slipway/model/supply-chain/enterprise-contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { useTaskRuns } from '../../ui/pipeline-runs/use-task-runs'
import { useRequiredParams } from '../../ui/page/route-params'
import { isSettled } from '../../ui/status/display-status'
import { SecurityReport } from '../../ui/security/SecurityReport'
import { LoadFailure } from '../../ui/table/TableState'

export { PipelineRunSecurityTab as Component }
function PipelineRunSecurityTab() {
  const { namespace, pipelineRun } = useRequiredParams('namespace', 'pipelineRun')
  const { data: run } = useSuspenseQuery(pipelineRuns.get(namespace, pipelineRun))
  const { items, isComplete: areAll, error, partial, isFetching, retry } = useTaskRuns(run)
  const taskRun = items && verifyTaskRunOf(items)
  // While a run goes on, an archive has nothing of it.
  if (taskRun || (items && (areAll || !isSettled(run)))) return <SecurityReport taskRun={taskRun} />
  const failure = error ?? partial
  return failure ? (
    <LoadFailure noun="task runs" error={failure} isRetrying={isFetching} onRetry={retry} />
  ) : (
    <Skeleton height="10rem" screenreaderText="Loading task runs" />
  )
}
