import { useSuspenseQuery } from '@tanstack/react-query'
import { taskRuns } from '../../resources/task-runs'
import { useRequiredParams } from '../../ui/page/route-params'
import { SecurityReport } from '../../ui/security/SecurityReport'

export { TaskRunSecurityTab as Component }
function TaskRunSecurityTab() {
  const { namespace, taskRun: name } = useRequiredParams('namespace', 'taskRun')
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(namespace, name))
  return <SecurityReport taskRun={taskRun} />
}
