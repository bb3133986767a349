import type { RunStatusWord } from '@slipway/model/run-status'
import type { TaskRun } from '@slipway/model/task-run'
import type { StepLog } from '../../api/task-log'
import { shownSteps } from '../shown-status'

/** The log of a step, with what the task says of it. */
export interface ViewedStep extends StepLog {
  status?: RunStatusWord | undefined
  exitCode?: number | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}

export function viewedSteps(steps: readonly StepLog[], taskRun: TaskRun): ViewedStep[] {
  const known = new Map(shownSteps(taskRun).map((step) => [step.name, step]))
  const states = new Map((taskRun.status?.steps ?? []).map((step) => [step.name, step]))
  return steps.map((step) => {
    const { status, startTime, endTime } = known.get(step.name) ?? {}
    return { ...step, status, startTime, endTime, exitCode: states.get(step.name)?.terminated?.exitCode }
  })
}
