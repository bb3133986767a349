import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineRunStatus, type RunStatusWord, taskRunStatus } from '@slipway/model/runs/run-status'
import { type RunStep, runSteps } from '@slipway/model/runs/run-steps'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, type Run } from '@slipway/model/runs/tekton'
import { originOf } from '../../api/archive/origin'

/** Status of a run as it is shown: one that is gone and had not ended runs no more, and nothing knows how it ended. */
export const displayStatus = (run: PipelineRun): RunStatusWord =>
  hasVanished(run) ? 'Unknown' : pipelineRunStatus(run)

/** The same of a task run. */
export const displayTaskStatus = (run: TaskRun): RunStatusWord => (hasVanished(run) ? 'Unknown' : taskRunStatus(run))

/** Has it taken no time that is known? For what waits, and for what is gone and never ended. */
export const hasNoDuration = (status: RunStatusWord): boolean => status === 'Pending' || status === 'Unknown'

/** The steps of a task run, in the same way: none of them goes on. */
export const displaySteps = (run: TaskRun): RunStep[] =>
  runSteps(run).map((step) =>
    hasVanished(run) && !step.endTime ? { ...step, status: 'Unknown', startTime: undefined } : step,
  )

/** Will nothing more come of it? */
export const isSettled = (run: Run): boolean => isFinished(run) || hasVanished(run)

/** Is it gone, and had not ended when it was seen last? */
export const hasVanished = (run: Run): boolean => originOf(run) !== undefined && !isFinished(run)
