import { commitShaOf, firstFact, type GitFacts, gitFactsOf } from '../git/git-facts'
import { groupBy } from '../grouping'
import { labels } from '../labels'
import { compareTexts, newestFirst } from '../newest'
import type { PipelineRun } from '../runs/pipeline-run'
import { snapshotOf } from '../runs/run-actions'
import { commitStatus, type RunStatusOf, type RunStatusWord } from '../runs/run-status'

/**
 * Commits are not stored: all information about them comes from their runs, and from copies on snapshots.
 * Specification 2, section 3.
 */

export interface Commit extends GitFacts {
  sha: string
  shaTitle: string
  /** Creation time of its earliest run. */
  creationTime: string | undefined
  /** Sorted names. */
  components: string[]
  application: string | undefined
  status: RunStatusWord | undefined
  /** Newest first. */
  pipelineRuns: PipelineRun[]
}

const manualBuild = 'manual build'

/** The commits of the given runs, latest first. Runs without a commit are dropped. */
export function commitsOf(runs: readonly PipelineRun[]): Commit[] {
  return [...groupBy(runs, commitShaOf)].map(([sha, own]) => commitOf(sha, own)).sort(latestFirst)
}

const latestFirst = (a: Commit, b: Commit): number =>
  compareTexts(b.creationTime ?? '', a.creationTime ?? '') || compareTexts(a.sha, b.sha)

/** @param runs all runs of this commit, in any order */
export function commitOf(sha: string, runs: readonly PipelineRun[], statusOf?: RunStatusOf): Commit {
  const pipelineRuns = [...runs].sort(newestFirst)
  // Builds have the original data; other runs have at most copies.
  const isBuild = (run: PipelineRun) => run.metadata.labels?.[labels.pipelineType] === 'build'
  const witnesses = [...pipelineRuns.filter(isBuild), ...pipelineRuns.filter((run) => !isBuild(run))]
  const git = gitFactsOf(sha, witnesses)
  return {
    sha,
    ...git,
    shaTitle: git.shaTitle ?? manualBuild,
    creationTime: pipelineRuns.at(-1)?.metadata.creationTimestamp,
    components: [...new Set(pipelineRuns.flatMap((run) => run.metadata.labels?.[labels.component] || []))].sort(),
    application: firstFact(witnesses, (run) => run.metadata.labels?.[labels.application] || undefined),
    status: commitStatus(pipelineRuns, statusOf),
    pipelineRuns,
  }
}

/** Sorted names of the snapshots that a commit's runs created or tested. */
export const snapshotsOf = ({ pipelineRuns }: Commit): string[] =>
  [...new Set(pipelineRuns.flatMap((run) => snapshotOf(run) ?? []))].sort()
