import { useSuspenseQuery } from '@tanstack/react-query'
import { taskRuns } from '../../resources/task-runs'
import { TaskLog } from '../../ui/logs/TaskLog'
import { useRequiredParams } from '../../ui/page/route-params'

export { TaskRunLogsTab as Component }
function TaskRunLogsTab() {
  const { namespace, taskRun: name } = useRequiredParams('namespace', 'taskRun')
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(namespace, name))
  return <TaskLog taskRun={taskRun} />
}
