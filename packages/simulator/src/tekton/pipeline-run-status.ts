import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { PipelineSpec } from '@slipway/model/runs/tekton'
import { integerBetween } from '../keyed-random'
import type { Progress } from './dag'
import type { ChildRun } from './pipeline-nodes'
import type { World } from './facts'

type Status = NonNullable<PipelineRun['status']>

/** When the first finally task started, according to its TaskRun. */
export function finallyStartTimeOf(taskRuns: ChildRun[]): string | undefined {
  const [first] = taskRuns
    .filter(({ metadata }) => metadata.labels?.[labels.memberOf] === 'finally')
    .map(({ metadata }) => metadata.creationTimestamp)
    .sort()
  return first
}

/** The status of a run that results from its tasks, without conditions. */
export function statusOfProgress(
  pipelineSpec: PipelineSpec,
  taskRuns: ChildRun[],
  { childReferences, skippedTasks, results, isDone }: Progress,
  now: string,
): Status {
  const finallyStartTime = finallyStartTimeOf(taskRuns)
  return {
    pipelineSpec,
    ...(childReferences.length > 0 && { childReferences }),
    skippedTasks: skippedTasks.length > 0 ? skippedTasks : undefined,
    ...(results.length > 0 && { results }),
    ...(finallyStartTime && { finallyStartTime }),
    ...(isDone && { completionTime: now }),
  }
}

const idOf = ({ metadata }: PipelineRun): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`

/** How long a resolver takes to find the pipeline of a run. */
export const resolutionMsOf = (run: PipelineRun, { scale, random }: World): number =>
  scale(integerBetween(random(`resolution ${idOf(run)}`), 1_000, 3_000))

/** Condition of a run whose pipeline does not exist. */
const couldntGetPipeline = (run: PipelineRun, why: string) => ({
  reason: 'CouldntGetPipeline',
  message: `Error retrieving pipeline for pipelinerun ${idOf(run)}: ${why}`,
})

/** Condition of a run that names a pipeline which its namespace does not have. */
export function pipelineNotFound(run: PipelineRun, pipeline: string) {
  const found = `tekton client cannot get pipeline ${pipeline} from local cluster: pipelines.tekton.dev "${pipeline}" not found`
  return couldntGetPipeline(run, `error when getting Pipeline for PipelineRun ${run.metadata.name ?? ''}: ${found}`)
}

/** Condition of a run that has neither a pipeline nor a reference to one. */
export const noPipelineGiven = (run: PipelineRun) =>
  couldntGetPipeline(run, `pipelineRun ${run.metadata.name ?? ''} not providing PipelineRef or PipelineSpec`)

/** Condition of a run with a task that its namespace does not have. */
export function taskNotFound(run: PipelineRun, task: string) {
  const pipeline = `${run.metadata.namespace ?? ''}/${run.spec.pipelineRef?.name ?? run.metadata.name ?? ''}`
  const why = `Couldn't retrieve Task "${task}": tasks.tekton.dev "${task}" not found`
  return {
    reason: 'CouldntGetTask',
    message: `Pipeline ${pipeline} can't be Run; it contains Tasks that don't exist: ${why}`,
  }
}

/** Condition of a run whose resolver finds nothing. */
export const notResolved = (run: PipelineRun) =>
  couldntGetPipeline(
    run,
    `error getting "${run.spec.pipelineRef?.resolver ?? ''}" "${idOf(run)}": the pipeline could not be found`,
  )
