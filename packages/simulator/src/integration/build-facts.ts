import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { parseGitUrl } from '../git-host/git-url'
import { hexDigits, keyedRandom } from '../keyed-random'

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

/** The service writes as much of a SHA-256 as a label holds; here it only has to differ. */
const groupShaLength = 62

/**
 * By which the pull requests of an application belong together: the name of their branch, in whichever repositories.
 * @returns `undefined` for what is not the build of a pull request
 */
export function pullRequestGroupOf(build: PipelineRun): { name: string; sha: string } | undefined {
  const { labels: known = {}, annotations: marks = {} } = build.metadata
  if (known[labels.pipelineType] !== 'build' || !known[labels.pullRequestNumber] || isPushBuild(build)) return undefined
  const name = marks[annotations.pullRequestGroup] ?? branchGroupOf(marks)
  return name ? { name, sha: hexDigits(keyedRandom('pull request group', name), groupShaLength) } : undefined
}

/** Everybody who has forked a repository has a branch of that name. */
const isEverywhere = (branch: string | undefined) => branch === 'main' || branch === 'master'

function branchGroupOf(marks: Record<string, string>): string | undefined {
  const branch = marks[annotations.pacSourceBranch]
  const owner = parseGitUrl(marks[annotations.pacSourceRepositoryUrl] ?? '')?.organization
  return isEverywhere(branch) && owner ? `${branch}-${owner}` : branch
}

/** What is written on a build once everybody was told of it. */
export function completedMarks(build: PipelineRun, isPromoted: boolean, atTime: string) {
  const promotion = JSON.stringify({ result: true, reason: 'Success', lastupdatedtime: atTime })
  const group = pullRequestGroupOf(build)
  const state = { [labels.runState]: 'completed' }
  const marks: Record<string, string> = { ...state, 'chains.tekton.dev/signed': 'true' }
  if (isPromoted) marks[annotations.addedToGlobalCandidateList] = promotion
  if (group) marks[annotations.pullRequestGroup] = group.name
  return { labels: { ...state, ...(group && { [labels.pullRequestGroupSha]: group.sha }) }, annotations: marks }
}

/** A finished build as it is after its reports: for a history that nobody is to be told of again. */
export function asReported(run: PipelineRun): PipelineRun {
  const isPromoted = isPushBuild(run) && hasSucceeded(run)
  const marks = completedMarks(run, isPromoted, run.status?.completionTime ?? '')
  return {
    ...run,
    metadata: {
      ...run.metadata,
      labels: { ...run.metadata.labels, ...marks.labels },
      annotations: { ...run.metadata.annotations, ...marks.annotations },
    },
  }
}
