import { Alert } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { isCustomRun } from '@slipway/model/runs/custom-run'
import { taskFailureText } from '@slipway/model/runs/run-failure'
import { ignoredFailureOf } from '@slipway/model/runs/run-status'
import type { RunStep } from '@slipway/model/runs/run-steps'
import { earlierAttemptsOf, type TaskRun } from '@slipway/model/runs/task-run'
import { startTimeOf, succeededCondition } from '@slipway/model/runs/tekton'
import { Copyable } from '../../ui/text/Copyable'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Duration, RunDuration } from '../text/Duration'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { isSettled, displaySidecars, displaySteps, displayTaskStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'
import './TaskRunSummary.css'

/** The main facts of a task run, shown next to its graph; its own page has the rest. */
export function TaskRunSummary({ taskRun }: { taskRun: TaskRun }) {
  const { status } = taskRun
  const failure = taskFailureText(taskRun)
  const noun = isCustomRun(taskRun) ? 'Custom run' : 'Task run'
  const tries = earlierAttemptsOf(taskRun).length
  const steps = displaySteps(taskRun)
  const sidecars = displaySidecars(taskRun)
  const items: DetailItem[] = [
    [noun, <Copyable text={nameOf(taskRun)} noun={`${noun.toLowerCase()} name`} />],
    ['Message', isCustomRun(taskRun) ? succeededCondition(taskRun)?.message : undefined],
    ['Description', status?.taskSpec?.description ?? specOf(taskRun).taskSpec?.description],
    ['Started', <DateAndAge time={startTimeOf(taskRun)} />],
    ['Duration', <RunDuration run={taskRun} status={displayTaskStatus(taskRun)} />],
    ['Earlier tries', tries > 0 ? String(tries) : undefined],
    ['Steps', steps.length > 0 ? <StepList steps={steps} isOver={isSettled(taskRun)} /> : undefined],
    ['Sidecars', sidecars.length > 0 ? <StepList steps={sidecars} isOver={isSettled(taskRun)} /> : undefined],
  ]
  return (
    <>
      {failure && (
        <Alert
          isInline
          isPlain
          variant={ignoredFailureOf(taskRun) ? 'warning' : 'danger'}
          component="p"
          title={failure}
        />
      )}
      <Details label={`${noun} ${nameOf(taskRun)}`} items={items} isNarrow />
    </>
  )
}

export const StepList = ({ steps, isOver }: { steps: readonly RunStep[]; isOver: boolean }) => (
  <ol className="slipway-steps">
    {steps.map(({ name, status, verdict, startTime, endTime, note }) => (
      <li key={name}>
        <span>{name}</span>
        <StatusLabel status={status} verdict={verdict} />
        <Duration from={startTime} to={endTime} isOver={isOver} isPending={status === 'Pending'} />
        {note && <small className="slipway-steps__note">{note}</small>}
      </li>
    ))}
  </ol>
)
