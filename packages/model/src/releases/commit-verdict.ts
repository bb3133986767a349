import { specOf } from '@slipway/kube/object'
import { isForPullRequest } from '../git/git-facts'
import { newestBy } from '../grouping'
import { labels } from '../labels'
import { lastFirstBy } from '../newest'
import type { PipelineRun } from '../runs/pipeline-run'
import type { RunStatusOf, RunStatusWord } from '../runs/run-status'
import { startKey } from '../runs/tekton'
import { runVerdict } from '../snapshots/verdict'
import { type Release, releaseVerdict } from './release'

/** What decides about a commit, the worst first; a warning of a test does not stop anything. */
const concerns: readonly RunStatusWord[] = ['Failed', 'FailedToStart', 'Test Failures', 'Test Warnings']

export interface CommitVerdict {
  verdict: RunStatusWord
  /** The verdict in words that say what it is about: `Build Failed`, `Test Failures`. */
  text: string
}

/**
 * What a commit comes to: the worst of its newest builds, required tests, release pipelines and releases; its status,
 * which is that of its newest run, if none of them is a concern.
 * @param runs of the commit, in any order
 * @param status that of the commit
 * @param verdictOf computes the verdict about a run
 * @param releases of the commit's snapshots, in any order. Their pipelines mostly run in other namespaces, so that the
 * runs say nothing about them.
 */
export function commitVerdict(
  runs: readonly PipelineRun[],
  status: RunStatusWord,
  verdictOf: RunStatusOf = (run) => runVerdict(run),
  releases: readonly Release[] = [],
): CommitVerdict {
  const decisive = decisiveRuns(runs).map((run): Decisive => ({ stage: stageOf(run), verdict: verdictOf(run) }))
  const newest = newestBy(releases, (release) => specOf(release).releasePlan).values()
  if ([...newest].some((release) => releaseVerdict(release) === 'Failed'))
    decisive.push({ stage: 'Release', verdict: 'Failed' })
  for (const word of concerns) {
    const cause = decisive.find(({ verdict }) => verdict === word)
    if (cause) return { verdict: word, text: endings.has(word) ? `${cause.stage} ${word}` : word }
    if (word === status) break
  }
  return { verdict: status, text: status }
}

/** What decides about a commit: a run or a release. */
interface Decisive {
  stage: Stage
  verdict: RunStatusWord
}

/** Words for how a run ended, which do not say what kind of run it was. */
const endings = new Set<RunStatusWord>(['Failed', 'FailedToStart'])

type Stage = 'Build' | 'Test' | 'Release'

const stageOf = ({ metadata }: PipelineRun): Stage => {
  const own = metadata.labels ?? {}
  return own[labels.scenario] ? 'Test' : own[labels.releaseName] ? 'Release' : 'Build'
}

const lastStarted = lastFirstBy(startKey)

/** The newest run of each build, required test and release pipeline, for pushes and pull requests apart. */
export function decisiveRuns(runs: readonly PipelineRun[]): PipelineRun[] {
  const newest = new Map<string, PipelineRun>()
  for (const run of runs) {
    const own = run.metadata.labels ?? {}
    if (own[labels.optional] === 'true') continue
    const keys = [labels.pipelineType, labels.component, labels.scenario, labels.releaseName].map((key) => own[key])
    const key = JSON.stringify([...keys, isForPullRequest(run)])
    const known = newest.get(key)
    if (!known || lastStarted(run, known) < 0) newest.set(key, run)
  }
  return [...newest.values()]
}
