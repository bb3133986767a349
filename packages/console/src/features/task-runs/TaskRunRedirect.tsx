import { taskRunStatus } from '@slipway/model/runs/run-status'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { paths } from '../../paths'
import { taskRuns } from '../../resources/task-runs'
import { route } from '../../ui/page/route'

export const page = route(paths.taskRun)

/** A task run without a tab opens on its details if it succeeded, otherwise on its logs, which show why. */
export { TaskRunRedirect as Component }
function TaskRunRedirect() {
  const params = page.useParams()
  const { search, hash } = useLocation()
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(params.namespace, params.taskRun))
  const to = taskRunStatus(taskRun) === 'Succeeded' ? paths.taskRunDetails(params) : paths.taskRunLogs(params)
  return <Navigate replace to={{ pathname: to, search, hash }} />
}
