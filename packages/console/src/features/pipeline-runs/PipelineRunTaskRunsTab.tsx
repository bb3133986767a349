import TasksIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-task-icon'
import { nameOf } from '@slipway/kube/object'
import { isCustomRun } from '@slipway/model/runs/custom-run'
import { isOtherChild, otherChildrenOf } from '@slipway/model/runs/other-children'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { runStatuses } from '@slipway/model/runs/run-status'
import { definedTaskOf, type TaskRun } from '@slipway/model/runs/task-run'
import { startTimeOf } from '@slipway/model/runs/tekton'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
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
  const taskRuns = useTaskRuns(run)
  const rows = useMemo(() => taskRuns.rows && [...taskRuns.rows, ...otherChildrenOf(run)], [taskRuns.rows, run])
  return (
    <ListTable
      label="Task runs"
      source={{ ...taskRuns, rows }}
      sourceSort="-started"
      at={{ namespace, application, pipelineRun }}
      columns={columns}
      filters={filters}
      empty={<MessagePanel titleText="No task runs found" icon={TasksIcon} />}
    />
  )
}

function taskOf(run: TaskRun): string {
  const task = definedTaskOf(run) ?? '-'
  return isOtherChild(run) ? `${task} (${run.kind})` : task
}

/** What has no page of its own: the graph of its pipeline run shows all that is known about it. */
function pathOf(row: TaskRun, at: PipelineRunParams): string {
  const name = nameOf(row)
  const inGraph = (selected: string) => `${paths.pipelineRun(at)}?${new URLSearchParams({ selected }).toString()}`
  if (isCustomRun(row)) return inGraph(name)
  if (!isOtherChild(row)) return paths.taskRun({ ...at, taskRun: name })
  return row.kind === pipelineRunType.kind
    ? paths.pipelineRun({ ...at, pipelineRun: name })
    : inGraph(definedTaskOf(row) ?? name)
}

const columns: Column<TaskRun, PipelineRunParams>[] = [
  statusColumn('longWord', (row) => <TaskRunStatus taskRun={row} />, { sortBy: displayTaskStatus }),
  nameColumn(nameOf, { width: 40, linkTo: pathOf }),
  { id: 'task', label: 'Task', sortBy: taskOf, cell: taskOf },
  ageColumn('started', 'Started', startTimeOf, { sortBy: newestStart }),
]

const filters: Filter<TaskRun>[] = [
  byName((row) => `${nameOf(row)} ${taskOf(row)}`),
  byStatus(displayTaskStatus, runStatuses),
]
