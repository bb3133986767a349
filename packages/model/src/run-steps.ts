import { taskRunStatus, type RunStatusWord } from './run-status'
import type { StepState, TaskRun } from './task-run'
import { isFinished, succeededCondition } from './tekton'

export interface RunStep {
  name: string
  status: RunStatusWord
  startTime?: string | undefined
  endTime?: string | undefined
}

/** The steps of a task, in order, as far as its pod has told of them. Specification 2, section 4. */
export function runSteps(run: TaskRun): RunStep[] {
  const steps = run.status?.steps ?? []
  return steps.map((step, index) => ({
    name: step.name,
    status: stepStatus(step, run, index === steps.length - 1),
    startTime: step.running?.startedAt ?? step.terminated?.startedAt,
    endTime: step.terminated?.finishedAt,
  }))
}

function stepStatus(step: StepState, run: TaskRun, isLast: boolean): RunStatusWord {
  if (!succeededCondition(run)?.reason) return 'Cancelled'
  // Tests that fail end well: it is the last step that has put out what they found.
  if (isLast && taskRunStatus(run) === 'Test Failures') return 'Test Failures'
  if (step.running) return 'Running'
  if (step.terminated) return hasFailed(step) ? 'Failed' : 'Succeeded'
  // A step that never came to run, of a task that is over, will not do so any more.
  return !step.waiting && isFinished(run) ? 'Cancelled' : 'Pending'
}

export const hasFailed = ({ terminated }: StepState): boolean =>
  terminated !== undefined && terminated.reason !== 'Completed'
