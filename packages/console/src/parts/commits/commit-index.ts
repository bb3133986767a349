import { commitShaOf } from '@slipway/model/git/git-facts'
import type { Commit } from '@slipway/model/builds/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type CommitRow, commitRowOf } from '@slipway/model/views/commits'
import type { RowKind } from '../../api/source'
import { changesOf, type Order, type Sorted, sortIncrementally } from '../../lib/incremental-sort'
import { displayStatus } from '../status/display-status'

export const commitRows: RowKind<Commit> = {
  idOf: ({ sha }) => sha,
  nameOf: ({ shaTitle }) => shaTitle,
  isBeingDeleted: () => false,
}

const latestFirst: Order<CommitRow, string> = {
  idOf: commitRows.idOf,
  valueOf: ({ creationTime = '' }) => creationTime,
  compare: (a, b) => (a === b ? 0 : a < b ? 1 : -1),
}

/** The commits of some runs, with what is needed to update the index. */
interface CommitIndex {
  runs: readonly PipelineRun[]
  bySha: ReadonlyMap<string, { runs: ReadonlySet<PipelineRun>; commit: CommitRow }>
  sorted: Sorted<CommitRow, string>
  /** The latest first. */
  rows: readonly CommitRow[]
}

const empty: CommitIndex = { runs: [], bySha: new Map(), sorted: { input: [], rows: [], values: [] }, rows: [] }

/** Derives commits from runs. If only some runs have changed, all other commits stay the same objects. */
export function indexCommits(runs: readonly PipelineRun[], before = empty): CommitIndex {
  if (runs === before.runs) return before
  const { gone, fresh } = changesOf(before.runs, runs)
  const touched = new Map<string, Set<PipelineRun>>()
  const runsOf = (run: PipelineRun): Set<PipelineRun> | undefined => {
    const sha = commitShaOf(run)
    if (!sha) return undefined
    const own = touched.get(sha) ?? new Set(before.bySha.get(sha)?.runs)
    touched.set(sha, own)
    return own
  }
  for (const run of gone) runsOf(run)?.delete(run)
  for (const run of fresh) runsOf(run)?.add(run)
  if (touched.size === 0) return { ...before, runs }
  const bySha = new Map(before.bySha)
  for (const [sha, own] of touched) {
    if (own.size === 0) bySha.delete(sha)
    else bySha.set(sha, { runs: own, commit: commitRowOf([...own], displayStatus) })
  }
  const commits = [...bySha.values()].map(({ commit }) => commit)
  const sorted = sortIncrementally(commits, latestFirst, before.sorted)
  return { runs, bySha, sorted, rows: sorted.rows }
}
