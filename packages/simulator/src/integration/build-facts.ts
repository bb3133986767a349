import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { parseRepositoryUrl } from '../git-host/git-url'
import { hexDigits, keyedRandom } from '../keyed-random'

const pushEventTypes = ['push', 'Push', 'incoming']

/** Whether a build was started by a change of the branch itself, or manually, rather than by a pull request. */
export const isPushBuild = ({ metadata }: PipelineRun): boolean =>
  metadata.labels?.[labels.pipelineType] === 'build' && pushEventTypes.includes(metadata.labels[labels.eventType] ?? '')

export const hasSucceeded = (run: PipelineRun): boolean => succeededCondition(run)?.status === 'True'

const resultOf = ({ status }: PipelineRun, name: string): string | undefined => {
  const value = status?.results?.find((each) => each.name === name)?.value
  return typeof value === 'string' ? value : undefined
}

/** The image that a build has pushed, with its digest; `undefined` if there is none. */
export function builtImageOf(run: PipelineRun): string | undefined {
  const url = resultOf(run, 'IMAGE_URL')?.trim()
  const digest = resultOf(run, 'IMAGE_DIGEST')?.trim()
  return url && digest ? `${url.replace(/:[^/:]*$/, '')}@${digest}` : undefined
}

/** The service truncates a SHA-256 to this length, for a label. Here it only has to be distinct. */
const groupShaLength = 62

/**
 * The group of a pull request. Pull requests of an application with the same branch name form a group, also across
 * repositories.
 * @returns `undefined` if the run is not a build of a pull request
 */
export function pullRequestGroupOf(build: PipelineRun): { name: string; sha: string } | undefined {
  const { labels: known = {}, annotations: marks = {} } = build.metadata
  if (known[labels.pipelineType] !== 'build' || !known[labels.pullRequestNumber] || isPushBuild(build)) return undefined
  const name = marks[annotations.pullRequestGroup] ?? branchGroupOf(marks)
  return name ? { name, sha: hexDigits(keyedRandom('pull request group', name), groupShaLength) } : undefined
}

/** Every fork of a repository has a branch of this name. */
const isInEveryFork = (branch: string | undefined) => branch === 'main' || branch === 'master'

function branchGroupOf(marks: Record<string, string>): string | undefined {
  const branch = marks[annotations.pacSourceBranch]
  const owner = parseRepositoryUrl(marks[annotations.pacSourceRepositoryUrl] ?? '')?.organization
  return isInEveryFork(branch) && owner ? `${branch}-${owner}` : branch
}

/** Labels and annotations of a build that has been reported everywhere. */
export function completedMetadata(build: PipelineRun, isPromoted: boolean, atTime: string) {
  const promotion = JSON.stringify({ result: true, reason: 'Success', lastupdatedtime: atTime })
  const group = pullRequestGroupOf(build)
  const state = { [labels.runState]: 'completed' }
  const marks: Record<string, string> = { ...state, 'chains.tekton.dev/signed': 'true' }
  if (isPromoted) marks[annotations.addedToGlobalCandidateList] = promotion
  if (group) marks[annotations.pullRequestGroup] = group.name
  return { labels: { ...state, ...(group && { [labels.pullRequestGroupSha]: group.sha }) }, annotations: marks }
}

/** A finished build with the labels and annotations of a reported one, for histories. */
export function asReported(run: PipelineRun): PipelineRun {
  const isPromoted = isPushBuild(run) && hasSucceeded(run)
  const marks = completedMetadata(run, isPromoted, run.status?.completionTime ?? '')
  return {
    ...run,
    metadata: {
      ...run.metadata,
      labels: { ...run.metadata.labels, ...marks.labels },
      annotations: { ...run.metadata.annotations, ...marks.annotations },
    },
  }
}
