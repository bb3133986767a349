import { FormSelect, FormSelectOption, Skeleton } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { type ReactNode, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { failureText } from '../../api/messages'
import { saveFile } from '../../lib/save-file'
import { logFile } from '../../resources/log-download'
import { useMediaQuery } from '../../ui/page/media-query'
import { VirtualList } from '../../ui/page/VirtualList'
import type { MenuChoice } from '../../ui/actions/MenuPopup'
import { StatusLabel } from '../status/StatusLabel'
import { useLogQuery } from './log-search-state'
import { chosenTask, noLogText, type RunTask, runTasks } from './run-tasks'
import { NoLog } from './NoLog'
import { TaskLog } from './TaskLog'
import { type RunSearch, useRunSearch } from './run-search'
import './RunLogs.css'

interface RunLogsProps {
  run: PipelineRun
  /** `undefined` while they are being read. */
  taskRuns: readonly TaskRun[] | undefined
  /** Whether there are no others, in the cluster or an archive. */
  isComplete?: boolean
}

/** The logs of a run: its tasks, and the log of the selected one, which `task` in the URL names. */
export const RunLogs = ({ run, taskRuns, isComplete = true }: RunLogsProps) => (
  <NuqsAdapter>
    {taskRuns ? (
      <ListedLogs run={run} taskRuns={taskRuns} isComplete={isComplete} />
    ) : (
      <Skeleton height="10rem" screenreaderText="Loading task runs" />
    )}
  </NuqsAdapter>
)

function ListedLogs({
  run,
  taskRuns,
  isComplete,
}: {
  run: PipelineRun
  taskRuns: readonly TaskRun[]
  isComplete: boolean
}) {
  const { search } = useLocation()
  const taskParam = new URLSearchParams(search).get('task')
  const tasks = runTasks(run, taskRuns, isComplete)
  const chosen = chosenTask(tasks, taskParam)
  const isNarrow = useMediaQuery('(width < 48rem)')
  const [failure, setFailure] = useState<string>()
  const [query] = useLogQuery()
  const found = useRunSearch(tasks, query)
  if (taskRuns.length === 0 && !taskParam) return <NoLog text="No logs found" run={run} />
  const downloadAll = () => {
    setFailure(undefined)
    logFile(taskRuns).then(
      (pieces) => saveFile(`${nameOf(run)}.log`, pieces),
      (error: unknown) => setFailure(failureText(error)),
    )
  }
  return (
    <div className="slipway-run-logs">
      {isNarrow ? (
        <TaskSelect tasks={tasks} chosen={chosen} />
      ) : (
        <TaskList tasks={tasks} chosen={chosen} found={found} />
      )}
      <div className="slipway-run-logs__log">
        <span role="alert">{failure}</span>
        <ChosenLog
          run={run}
          task={chosen}
          taskParam={taskParam}
          downloads={[{ label: 'Download all tasks', onSelect: downloadAll }]}
          note={<span role="status">{found && foundText(found)}</span>}
        />
      </div>
    </div>
  )
}

function foundText({ total, isRunning, leftOut }: RunSearch): string {
  const tasks = leftOut === 1 ? '1 task that is' : `${leftOut} tasks that are`
  const without = leftOut > 0 ? `, without ${tasks} still running` : ''
  return `${total.toLocaleString('en')} found in the whole run${isRunning ? '…' : ''}${without}`
}

/** The URL of another task, which keeps the search. */
function addressOf(id: string): string {
  const query = new URLSearchParams(globalThis.location.search)
  query.set('task', id)
  return `?${query}`
}

interface TaskChoice {
  tasks: readonly RunTask[]
  chosen: RunTask | undefined
}

/** A row whose status has a line of its own. */
const rowHeightPx = 64
const idOf = ({ id }: RunTask): string => id

function TaskList({ tasks, chosen, found }: TaskChoice & { found: RunSearch | undefined }) {
  return (
    <nav aria-label="Tasks of the run" className="slipway-run-logs__tasks">
      <VirtualList
        tag="ul"
        items={tasks}
        idOf={idOf}
        rowHeightPx={rowHeightPx}
        renderRow={(task, props) => {
          const count = found?.countOf(task.id) ?? 0
          return (
            <li {...props}>
              <Link
                // Rendered again whenever the search changes, which changes the URL without the router.
                to={addressOf(task.id)}
                replace
                preventScrollReset
                aria-current={task === chosen ? 'page' : undefined}
              >
                <span className="slipway-run-logs__name">{task.label}</span>
                {count > 0 && <span>{count.toLocaleString('en')} found</span>}
                <StatusLabel status={task.status} verdict={task.verdict} note={task.note} />
              </Link>
            </li>
          )
        }}
      />
    </nav>
  )
}

function TaskSelect({ tasks, chosen }: TaskChoice) {
  const navigate = useNavigate()
  return (
    <FormSelect
      aria-label="Task"
      value={chosen?.id ?? ''}
      onChange={(_, id) => void navigate(addressOf(id), { replace: true, preventScrollReset: true })}
    >
      {!chosen && <FormSelectOption value="" label="Choose a task" isDisabled />}
      {tasks.map(({ id, label, status, verdict = status, note }) => (
        <FormSelectOption key={id} value={id} label={`${label} (${note ? `${verdict}, ${note}` : verdict})`} />
      ))}
    </FormSelect>
  )
}

interface ChosenLogProps {
  run: PipelineRun
  task: RunTask | undefined
  /** The `task` parameter of the URL. */
  taskParam: string | null
  downloads: MenuChoice[]
  note: ReactNode
}

function ChosenLog({ run, task, taskParam, downloads, note }: ChosenLogProps) {
  if (task?.taskRun) return <TaskLog taskRun={task.taskRun} downloads={downloads} note={note} />
  // A task that the run does not list may still appear while the run is unfinished.
  const text = noLogText(run, { status: 'Pending', ...task, task: task?.label ?? taskParam ?? '' })
  return <NoLog text={text} run={run} />
}
