import { Skeleton } from '@patternfly/react-core'
import { verifyTaskRunOf } from '@slipway/model/snapshots/enterprise-contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { isSettled } from '../../parts/status/display-status'
import { SecurityReport } from '../../parts/security/SecurityReport'
import { LoadFailure } from '../../ui/failures/LoadFailure'
import { route } from '../../ui/page/route'

export const page = route(paths.pipelineRunSecurity)

export { PipelineRunSecurityTab as Component }
function PipelineRunSecurityTab() {
  const { namespace, pipelineRun } = page.useParams()
  const { data: run } = useSuspenseQuery(pipelineRuns.get(namespace, pipelineRun))
  const { rows, isComplete, error, missing, isFetching, retry } = useTaskRuns(run)
  const taskRun = rows && verifyTaskRunOf(rows)
  // An archive has nothing of a run that is still running.
  if (taskRun || (rows && (isComplete || !isSettled(run)))) return <SecurityReport taskRun={taskRun} />
  const failure = error ?? missing[0]?.error
  return failure ? (
    <LoadFailure noun="task runs" error={failure} isRetrying={isFetching} onRetry={retry} />
  ) : (
    <Skeleton height="10rem" screenreaderText="Loading task runs" />
  )
}
