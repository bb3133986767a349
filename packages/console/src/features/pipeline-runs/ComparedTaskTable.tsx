import type { ComparedTask, TaskState } from '@slipway/model/comparison/run-comparison'
import type { RowKind, Source } from '../../api/source'
import { formatDuration } from '../../lib/dates'
import { paths, type PipelineRunParams } from '../../paths'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'

export const comparedTaskRows: RowKind<ComparedTask> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

interface ComparedTaskTableProps {
  source: Source<ComparedTask>
  at: PipelineRunParams
}

/** The tasks of two runs side by side: first those whose outcome changed, then those whose duration changed most. */
export const ComparedTaskTable = ({ source, at }: ComparedTaskTableProps) => (
  <ListTable
    label="Tasks"
    urlKey="tasks"
    source={source}
    at={{ namespace: at.namespace, application: at.application }}
    firstSort="-change"
    columns={columns}
    filters={filters}
    empty={<MessagePanel titleText="No tasks found" />}
  />
)

type Place = Pick<PipelineRunParams, 'namespace' | 'application'>

/** `undefined` unless both are known. */
function changeMs({ before, after }: ComparedTask): number | undefined {
  if (before?.durationMs === undefined || after?.durationMs === undefined) return undefined
  return after.durationMs - before.durationMs
}

const hasOtherOutcome = ({ before, after }: ComparedTask): boolean => before?.status !== after?.status

const columns: Column<ComparedTask, Place>[] = [
  nameColumn(comparedTaskRows.nameOf, {
    label: 'Task',
    linkTo: ({ before, after }, at) => {
      const taskRun = after?.taskRun ?? before?.taskRun
      return taskRun && paths.taskRun({ ...at, taskRun })
    },
  }),
  { id: 'before', label: 'Before', cell: ({ before }) => <State state={before} /> },
  { id: 'after', label: 'After', cell: ({ after }) => <State state={after} /> },
  {
    id: 'duration',
    label: 'Duration',
    width: 20,
    visibleFrom: 'lg',
    cell: ({ before, after }) => `${durationText(before)} → ${durationText(after)}`,
  },
  {
    id: 'change',
    label: 'Difference',
    width: 15,
    firstDirection: 'desc',
    sortBy: (task) => (hasOtherOutcome(task) ? Number.MAX_SAFE_INTEGER : Math.abs(changeMs(task) ?? 0)),
    cell: differenceText,
  },
]

const filters: Filter<ComparedTask>[] = [byName(comparedTaskRows.nameOf)]

const State = ({ state }: { state: TaskState | undefined }) =>
  state ? <StatusLabel status={state.status} /> : 'Not in the pipeline'

const durationText = (state: TaskState | undefined): string =>
  state?.durationMs === undefined ? '-' : formatDuration(state.durationMs)

function differenceText(task: ComparedTask): string {
  const ms = changeMs(task)
  if (ms === undefined) return '-'
  // Below a second, nothing is shown of a duration.
  if (Math.abs(ms) < 1_000) return 'None'
  return `${ms > 0 ? '+' : '−'}${formatDuration(Math.abs(ms))}`
}
