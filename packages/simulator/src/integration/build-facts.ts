import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import { succeededCondition } from '@slipway/model/tekton'

const pushEventTypes = ['push', 'Push', 'incoming']

/** Was a build started by a change of the branch itself, or asked for by hand, rather than by a pull request? */
export const isPushBuild = ({ metadata }: PipelineRun): boolean =>
  metadata.labels?.[labels.pipelineType] === 'build' && pushEventTypes.includes(metadata.labels[labels.eventType] ?? '')

export const hasSucceeded = (run: PipelineRun): boolean => succeededCondition(run)?.status === 'True'

const resultOf = ({ status }: PipelineRun, name: string): string | undefined => {
  const value = status?.results?.find((each) => each.name === name)?.value
  return typeof value === 'string' ? value : undefined
}

/** The image that a build has made, by its digest; `undefined` if it made none. */
export function builtImageOf(run: PipelineRun): string | undefined {
  const url = resultOf(run, 'IMAGE_URL')?.trim()
  const digest = resultOf(run, 'IMAGE_DIGEST')?.trim()
  return url && digest ? `${url.replace(/:[^/:]*$/, '')}@${digest}` : undefined
}

/** What is written on a build once everybody was told of it. */
export function completedMarks(isPromoted: boolean, atTime: string) {
  const promotion = JSON.stringify({ result: true, reason: 'Success', lastupdatedtime: atTime })
  const marks: Record<string, string> = { [labels.runState]: 'completed', 'chains.tekton.dev/signed': 'true' }
  if (isPromoted) marks[annotations.addedToGlobalCandidateList] = promotion
  return marks
}

/** A finished build as it is after its reports: for a history that nobody is to be told of again. */
export function asReported(run: PipelineRun): PipelineRun {
  const isPromoted = isPushBuild(run) && hasSucceeded(run)
  const marks = completedMarks(isPromoted, run.status?.completionTime ?? '')
  return {
    ...run,
    metadata: {
      ...run.metadata,
      labels: { ...run.metadata.labels, [labels.runState]: 'completed' },
      annotations: { ...run.metadata.annotations, ...marks },
    },
  }
}
