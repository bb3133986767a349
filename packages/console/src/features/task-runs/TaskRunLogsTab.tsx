import { useSuspenseQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { taskRuns } from '../../resources/task-runs'
import { TaskLog } from '../../parts/logs/TaskLog'
import { route } from '../../ui/page/route'

export const page = route(paths.taskRunLogs)

export { TaskRunLogsTab as Component }
function TaskRunLogsTab() {
  const { namespace, taskRun: name } = page.useParams()
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(namespace, name))
  return <TaskLog taskRun={taskRun} />
}
