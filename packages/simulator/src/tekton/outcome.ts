import type { KubeObject } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'

/**
 * Annotation on a PipelineRun: how its tasks end, as JSON `{ "{pipeline task}": "{outcome}" }`. The task `*` stands for
 * all others. Without it, outcomes are random.
 */
export const outcomeAnnotation = 'simulator.slipway.dev/outcome'

export const outcomes = [
  /** Succeeds without findings. */
  'success',
  /** A step exits with an error. */
  'fail',
  /** Only the first attempt fails. */
  'flaky',
  'oom',
  /** Hangs until the timeout of the task. */
  'timeout',
  'image-pull',
  'config-error',
  'quota',
  'unschedulable',
  /** Succeeds, but the test output is WARNING, FAILURE, SKIPPED or ERROR. */
  'warning',
  'failure',
  'skipped',
  'error',
  /** Succeeds, and the scan finds critical vulnerabilities. */
  'vulnerable',
  /** Takes five times as long. */
  'slow',
  /** Writes 50,000 lines. */
  'long-log',
] as const
export type Outcome = (typeof outcomes)[number]

const isOutcome = (value: unknown): value is Outcome => outcomes.includes(value as Outcome)

/** The chosen outcomes of an object, by task; unchecked. */
export const chosenOutcomes = ({ metadata }: KubeObject): Record<string, unknown> =>
  asRecord(parseJson(metadata.annotations?.[outcomeAnnotation] ?? ''))

/**
 * The outcome of a task in the annotation; `undefined` if there is none or it is invalid.
 * @param run or another object that Tekton copies the annotations of the run to
 */
export function forcedOutcomeOf(run: KubeObject | undefined, pipelineTask: string): Outcome | undefined {
  const byTask = new Map(Object.entries(run ? chosenOutcomes(run) : {}))
  const outcome = byTask.get(pipelineTask) ?? byTask.get('*')
  return isOutcome(outcome) ? outcome : undefined
}
