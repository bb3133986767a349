import type { IgnoredFailure, RunStatusWord } from '@slipway/model/runs/run-status'
import { exitCodeOf, exitReasonOf } from '@slipway/model/runs/run-steps'
import { sidecarContainerOf, sidecarsOf, type TaskRun } from '@slipway/model/runs/task-run'
import type { StepLog } from '../../api/logs/task-log'
import { displaySidecars, displaySteps } from '../status/display-status'

/** The log of a step, with its state in the task run. */
export interface StepView extends StepLog {
  status?: RunStatusWord | undefined
  verdict?: IgnoredFailure | undefined
  exitCode?: number | undefined
  /** Why it exited, if that says more than its status and its exit code. */
  exitReason?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  /** Why it waits, in the words of the cluster. */
  note?: string | undefined
}

export function stepViews(steps: readonly StepLog[], taskRun: TaskRun): StepView[] {
  const sidecars = sidecarsOf(taskRun)
  const known = new Map(
    // The log of a sidecar has the name of its container.
    [
      ...displaySteps(taskRun),
      ...displaySidecars(taskRun).map((each, at) => ({ ...each, name: sidecarContainerOf(sidecars[at] ?? each) })),
    ].map((step) => [step.name, step]),
  )
  const states = new Map([
    ...(taskRun.status?.steps ?? []).map((step) => [step.name, step] as const),
    ...sidecars.map((sidecar) => [sidecarContainerOf(sidecar), sidecar] as const),
  ])
  return steps.map((step) => {
    const { status, verdict, startTime, endTime, note } = known.get(step.name) ?? {}
    // Tekton also sets an exit code for the containers of steps that it passed over.
    const state = states.get(step.name)
    const exited = startTime === undefined ? undefined : state
    const exitCode = exited && exitCodeOf(exited)
    const exitReason = exited && exitReasonOf(exited)
    // A step that runs or has ended does not wait for its start: its log has not been read yet.
    const hasStarted = endTime !== undefined || status === 'Running'
    const logState: StepView['state'] = step.state.phase === 'waiting' && hasStarted ? { phase: 'loading' } : step.state
    return { ...step, state: logState, status, verdict, startTime, endTime, note, exitCode, exitReason }
  })
}
