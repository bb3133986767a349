import TasksIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-task-icon'
import { nameOf } from '@slipway/kube/object'
import { isCustomRun } from '@slipway/model/runs/custom-run'
import { runStatuses } from '@slipway/model/runs/run-status'
import { definedTaskOf, type TaskRun } from '@slipway/model/runs/task-run'
import { startTimeOf } from '@slipway/model/runs/tekton'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type PipelineRunParams, paths } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { newestStart } from '../../api/archive/origin'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { displayTaskStatus } from '../../parts/status/display-status'
import { TaskRunStatus } from '../../parts/task-runs/TaskRunStatus'
import { ageColumn, byName, byStatus, nameColumn, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'

export const page = route(paths.pipelineRunTaskRuns)

export { PipelineRunTaskRunsTab as Component }
function PipelineRunTaskRunsTab() {
  const { namespace, application, pipelineRun } = page.useParams()
  const { data: run } = useSuspenseQuery(pipelineRuns.get(namespace, pipelineRun))
  return (
    <ListTable
      label="Task runs"
      source={useTaskRuns(run)}
      sourceSort="-started"
      at={{ namespace, application, pipelineRun }}
      columns={columns}
      filters={filters}
      empty={<MessagePanel titleText="No task runs found" icon={TasksIcon} />}
    />
  )
}

const taskOf = (run: TaskRun): string => definedTaskOf(run) ?? '-'

/** A custom run has no page of its own: the graph of its pipeline run shows all that is known about it. */
function pathOf(row: TaskRun, at: PipelineRunParams): string {
  const taskRun = nameOf(row)
  return isCustomRun(row)
    ? `${paths.pipelineRun(at)}?${new URLSearchParams({ selected: taskRun }).toString()}`
    : paths.taskRun({ ...at, taskRun })
}

const columns: Column<TaskRun, PipelineRunParams>[] = [
  statusColumn('longWord', (row) => <TaskRunStatus taskRun={row} />, { sortBy: displayTaskStatus }),
  nameColumn(nameOf, { width: 40, linkTo: pathOf }),
  { id: 'task', label: 'Task', sortBy: taskOf, cell: taskOf },
  ageColumn('started', 'Started', startTimeOf, { width: 15, sortBy: newestStart }),
]

const filters: Filter<TaskRun>[] = [
  byName((row) => `${nameOf(row)} ${taskOf(row)}`),
  byStatus(displayTaskStatus, runStatuses),
]
