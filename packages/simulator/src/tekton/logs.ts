import type { TaskRun } from '@slipway/model/task-run'
import type { StepPlan, TaskPlan, World } from './plan'

/** `atMs` after the pod began to run, as in the plan. */
export interface LogLine {
  atMs: number
  text: string
}

/** What a step writes, one line after the other: there can be very many. */
export function* logLinesOf(taskRun: TaskRun, plan: TaskPlan, step: StepPlan, _world: World): Iterable<LogLine> {
  yield { atMs: step.startMs, text: `[${step.name}] ${taskRun.metadata.name ?? ''}` }
  if (!plan.succeeds && step.exitCode !== 0) yield { atMs: step.endMs, text: plan.message }
}
