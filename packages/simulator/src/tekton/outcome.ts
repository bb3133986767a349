import type { PipelineRun } from '@slipway/model/runs/pipeline-run'

/**
 * On a PipelineRun: how tasks of it must end, as JSON `{ "{pipeline task}": "{outcome}" }`; the task `*` means all
 * that are not named. Without it, chance decides.
 */
export const outcomeAnnotation = 'simulator.slipway.dev/outcome'

export const outcomes = [
  /** Ends well, with nothing found. */
  'success',
  /** A step exits with an error. */
  'fail',
  /** Fails at the first try, and no more after that. */
  'flaky',
  'oom',
  /** Hangs until the timeout of the task. */
  'timeout',
  'image-pull',
  'config-error',
  'quota',
  'unschedulable',
  /** Ends well, but the test output says WARNING, FAILURE, SKIPPED, ERROR. */
  'warning',
  'failure',
  'skipped',
  'error',
  /** Ends well, and the scan finds critical vulnerabilities. */
  'vulnerable',
  /** Takes five times as long. */
  'slow',
  /** Writes 50,000 lines. */
  'long-log',
] as const
export type Outcome = (typeof outcomes)[number]

const isOutcome = (value: unknown): value is Outcome => outcomes.includes(value as Outcome)

/** What the annotation demands of a task; `undefined` for nothing, and for what is nonsense. */
export function forcedOutcomeOf(run: PipelineRun | undefined, pipelineTask: string): Outcome | undefined {
  try {
    const forced: unknown = JSON.parse(run?.metadata.annotations?.[outcomeAnnotation] ?? '{}')
    if (typeof forced !== 'object' || forced === null) return undefined
    const byTask = new Map<string, unknown>(Object.entries(forced))
    const outcome = byTask.get(pipelineTask) ?? byTask.get('*')
    return isOutcome(outcome) ? outcome : undefined
  } catch {
    return undefined
  }
}
