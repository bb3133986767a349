import TasksIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-task-icon'
import { nameOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { runStatuses } from '@slipway/model/runs/run-status'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { Link } from 'react-router'
import { useHistory } from '../../api/archive/history'
import { type ApplicationParams, paths } from '../../paths'
import { newestStart } from '../../resources/run-order'
import { taskRuns } from '../../resources/task-runs'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { useRequiredParams } from '../../ui/page/route-params'
import { displayTaskStatus } from '../../ui/status/display-status'
import { TaskRunStatus } from '../../ui/task-runs/TaskRunStatus'
import { ResourceTable } from '../../ui/table/ResourceTable'
import type { Column, Filter } from '../../ui/table/rows'
import { statusWidthsRem } from '../../ui/status/status-widths'

export { PipelineRunTaskRunsTab as Component }
function PipelineRunTaskRunsTab() {
  const { namespace, application, pipelineRun } = useRequiredParams('namespace', 'application', 'pipelineRun')
  return (
    <ResourceTable
      label="Task runs"
      source={useHistory(taskRuns.historyOf(namespace, pipelineRun))}
      sourceSort="-started"
      at={{ namespace, application }}
      columns={columns}
      filters={filters}
      empty={<MessagePanel titleText="No task runs found" icon={TasksIcon} />}
    />
  )
}

const taskOf = (run: TaskRun): string =>
  run.metadata.labels?.[labels.pipelineTask] ?? run.metadata.labels?.[labels.task] ?? specOf(run).taskRef?.name ?? '-'

const columns: Column<TaskRun, ApplicationParams>[] = [
  {
    id: 'status',
    label: 'Status',
    widthRem: statusWidthsRem.longWord,
    sortBy: displayTaskStatus,
    cell: (row) => <TaskRunStatus taskRun={row} />,
  },
  {
    id: 'name',
    label: 'Name',
    isRowHeader: true,
    width: 40,
    sortBy: nameOf,
    linkTo: (row, at) => paths.taskRun({ ...at, taskRun: nameOf(row) }),
    cell: (row, at) => <Link to={paths.taskRun({ ...at, taskRun: nameOf(row) })}>{nameOf(row)}</Link>,
  },
  { id: 'task', label: 'Task', sortBy: taskOf, cell: taskOf },
  {
    id: 'started',
    label: 'Started',
    width: 15,
    sortBy: newestStart,
    firstDirection: 'desc',
    cell: (row) => <RelativeTime time={row.status?.startTime} />,
  },
]

const filters: Filter<TaskRun>[] = [
  { id: 'name', label: 'name', text: (row) => `${nameOf(row)} ${taskOf(row)}` },
  { id: 'status', label: 'Status', choices: displayTaskStatus, values: runStatuses },
]
