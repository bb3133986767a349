import { useSuspenseQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { RunLogs } from '../../parts/logs/RunLogs'
import { useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { LoadFailure } from '../../ui/failures/LoadFailure'
import { route } from '../../ui/page/route'

export const page = route(paths.pipelineRunLogs)

export { PipelineRunLogsTab as Component }
function PipelineRunLogsTab() {
  const { namespace, pipelineRun } = page.useParams()
  const { data: run } = useSuspenseQuery(pipelineRuns.get(namespace, pipelineRun))
  const { rows, isComplete, error, isFetching, retry } = useTaskRuns(run)
  if (!rows && error) {
    return <LoadFailure noun="task runs" error={error} isRetrying={isFetching} onRetry={retry} />
  }
  return <RunLogs run={run} taskRuns={rows} isComplete={isComplete} />
}
