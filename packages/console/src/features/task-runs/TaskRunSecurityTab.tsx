import { useSuspenseQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { taskRuns } from '../../resources/task-runs'
import { route } from '../../ui/page/route'
import { SecurityReport } from '../../parts/security/SecurityReport'

export const page = route(paths.taskRunSecurity)

export { TaskRunSecurityTab as Component }
function TaskRunSecurityTab() {
  const { namespace, taskRun: name } = page.useParams()
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(namespace, name))
  return <SecurityReport taskRun={taskRun} />
}
