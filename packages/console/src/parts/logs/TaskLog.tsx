import {
  Button,
  Content,
  EmptyState,
  EmptyStateBody,
  FormSelect,
  FormSelectOption,
  Spinner,
} from '@patternfly/react-core'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { isForbidden } from '@slipway/kube/status'
import { taskRunStatus } from '@slipway/model/runs/run-status'
import { startFailureOf } from '@slipway/model/runs/run-steps'
import { earlierAttemptsOf, podNameOf, taskNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { type ReactNode, useEffect, useState } from 'react'
import { asSentence, failureText } from '../../api/messages'
import type { StepLogState, TaskLog as TaskLogSource } from '../../api/logs/task-log'
import { saveFile } from '../../lib/save-file'
import { useStore } from '../../lib/store'
import { logFile } from '../../resources/log-download'
import { logs } from '../../resources/logs'
import type { MenuChoice } from '../../ui/actions/MenuPopup'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { displayTaskStatus, isSettled } from '../status/display-status'
import { LogStateLabel } from './LogStateLabel'
import { LogViewer } from './LogViewer'
import { skippedText } from './run-tasks'
import { NoLog } from './NoLog'
import { stepViews } from './step-view'

interface TaskLogProps {
  taskRun: TaskRun
  /** For use next to other content. */
  isCompact?: boolean
  /** More to download than this task, such as the whole run. */
  downloads?: MenuChoice[]
  /** A note next to the search. */
  note?: ReactNode
}

/**
 * The log of a task run with all its steps: live while it runs, from an archive once its pod was deleted. The URL keeps
 * the attempt, unless it is the last one, the selected lines (`log-link.ts`) and the search.
 */
export const TaskLog = (props: TaskLogProps) => (
  <NuqsAdapter>
    <LogOfAttempt {...props} />
  </NuqsAdapter>
)

/** The URL names an attempt by its pod, so that another task on the same page does not take it for its own. */
function LogOfAttempt(props: TaskLogProps) {
  const [pod, setPod] = useQueryState('attempt', parseAsString)
  const attempts = [...earlierAttemptsOf(props.taskRun), props.taskRun]
  if (attempts.length === 1) return <TaskLogOrReason {...props} />
  const taskRun = attempts.find((attempt) => pod && podNameOf(attempt) === pod) ?? props.taskRun
  return (
    <>
      <FormSelect
        aria-label="Attempt"
        className="slipway-log-attempt"
        value={String(attempts.indexOf(taskRun))}
        onChange={(_, at) => {
          const chosen = attempts[Number(at)]
          void setPod((chosen !== props.taskRun && chosen && podNameOf(chosen)) || null)
        }}
      >
        {attempts.map((attempt, index) => (
          <FormSelectOption
            key={attempt.metadata.uid ?? index}
            value={String(index)}
            label={`Attempt ${index + 1} of ${attempts.length} (${displayTaskStatus(attempt)})`}
            isDisabled={attempt !== props.taskRun && !podNameOf(attempt)}
          />
        ))}
      </FormSelect>
      <TaskLogOrReason {...props} taskRun={taskRun} />
    </>
  )
}

function TaskLogOrReason(props: TaskLogProps) {
  const { taskRun } = props
  const reason = reasonOf(taskRun)
  if (reason) return <NoLog text={reason} run={taskRun} />
  return <ReadTaskLog key={taskRun.metadata.uid ?? nameOf(taskRun)} {...props} />
}

/** Why there cannot be a log; `undefined` where there may be one. */
function reasonOf(taskRun: TaskRun): string | undefined {
  const startFailure = startFailureOf(taskRun)
  if (startFailure !== undefined) return `No logs. This task could not start. ${startFailure}`
  if (podNameOf(taskRun)) return undefined
  if (taskRunStatus(taskRun) === 'Skipped') return skippedText
  return isSettled(taskRun) ? 'No logs found.' : waitingText
}

const waitingText = 'Waiting on task to start.'

function ReadTaskLog({ taskRun, isCompact = false, downloads = [], note }: TaskLogProps) {
  const { data: source } = useQuery(logs.of(taskRun))
  useEffect(() => source.update(taskRun), [source, taskRun])
  const version = useStore({ subscribe: source.subscribe, get: source.version })
  const steps = stepViews(source.steps, taskRun)
  const task = taskNameOf(taskRun)
  const [failure, setFailure] = useState<string>()
  const download = (name: string, step?: string) => {
    setFailure(undefined)
    logFile([taskRun], step === undefined ? {} : { step }).then(
      (pieces) => saveFile(name, pieces),
      (error: unknown) => setFailure(failureText(error)),
    )
  }
  if (displayTaskStatus(taskRun) === 'Pending') {
    const failed = [source.error, ...steps.map(({ state }) => state)].find(({ phase }) => phase === 'failed')
    if (failed || (steps.length === 0 && source.error.phase === 'waiting')) {
      return <NotStarted source={source} taskRun={taskRun} failed={failed} />
    }
  }
  if (steps.length === 0) return <NoSteps source={source} task={task} />
  const name = nameOf(taskRun)
  return (
    <LogViewer
      source={source}
      noun={task}
      steps={steps}
      version={version}
      isRunning={!isSettled(taskRun)}
      isCompact={isCompact}
      onRetry={source.retry}
      downloads={[
        ...steps.map((step) => ({
          label: `Download step ${step.name}`,
          onSelect: () => download(`${name}-${step.name}.log`, step.name),
        })),
        { label: `Download task ${task}`, onSelect: () => download(`${name}.log`) },
        ...downloads,
      ]}
    >
      {note}
      <LogStateLabel steps={steps} />
      <span role="alert">{failure}</span>
    </LogViewer>
  )
}

interface NotStartedProps {
  source: TaskLogSource
  taskRun: TaskRun
  failed: StepLogState | undefined
}

/** Of a pending task no log is missing, whatever cannot be read. */
function NotStarted({ source, taskRun, failed }: NotStartedProps) {
  return (
    <>
      <NoLog text={waitingText} run={taskRun} />
      {failed?.phase === 'failed' && (
        <Content component="p">
          {unreadText(failed.error, taskRun)}{' '}
          <Button variant="link" isInline onClick={source.retry}>
            Try again
          </Button>
        </Content>
      )}
    </>
  )
}

const unreadText = (error: unknown, taskRun: TaskRun): string =>
  isForbidden(error)
    ? `Its pod may say why, but your role does not let you read pods in ${namespaceOf(taskRun)}.`
    : asSentence(`Its pod may say why, but it could not be read: ${failureText(error)}`)

function NoSteps({ source, task }: { source: TaskLogSource; task: string }) {
  const { error: state } = source
  if (state.phase === 'failed') {
    return (
      <MessagePanel variant="sm" headingLevel="h3" titleText={failureText(state.error)} status="warning">
        <Button variant="link" isInline onClick={source.retry}>
          Try again
        </Button>
      </MessagePanel>
    )
  }
  return (
    <EmptyState variant="sm" headingLevel="h3" titleText={`Loading the log of ${task}`} icon={Spinner}>
      {state.phase === 'reconnecting' && (
        <EmptyStateBody>{asSentence(failureText(state.error))} Trying again…</EmptyStateBody>
      )}
    </EmptyState>
  )
}
