import { type Commit, commitOf, commitShaOf } from '@slipway/model/supply-chain/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { changesOf, createIncrementalSort } from '../../lib/incremental-sort'
import { displayStatus } from '../status/display-status'
import type { RowKind } from '../table/rows'

export const commitRows: RowKind<Commit> = {
  idOf: ({ sha }) => sha,
  nameOf: ({ shaTitle }) => shaTitle,
  isBeingDeleted: () => false,
}

/**
 * Answers how to make commits of runs, the latest first. Asked again after single runs have changed it makes their
 * commits anew, and all others are the same objects as before.
 */
export function keepCommits(): (runs: readonly PipelineRun[]) => Commit[] {
  const bySha = new Map<string, { runs: Set<PipelineRun>; commit: Commit }>()
  const latestFirst = createIncrementalSort<Commit, string>({
    idOf: commitRows.idOf,
    valueOf: ({ creationTime = '' }) => creationTime,
    compare: (a, b) => (a === b ? 0 : a < b ? 1 : -1),
  })
  let before: readonly PipelineRun[] = []

  return (runs) => {
    const { gone, fresh } = changesOf(before, runs)
    before = runs
    const touched = new Map<string, Set<PipelineRun>>()
    const runsOf = (run: PipelineRun): Set<PipelineRun> | undefined => {
      const sha = commitShaOf(run)
      if (!sha) return undefined
      const own = touched.get(sha) ?? bySha.get(sha)?.runs ?? new Set()
      touched.set(sha, own)
      return own
    }
    for (const run of gone) runsOf(run)?.delete(run)
    for (const run of fresh) runsOf(run)?.add(run)
    for (const [sha, own] of touched) {
      if (own.size === 0) bySha.delete(sha)
      else bySha.set(sha, { runs: own, commit: commitOf(sha, [...own], displayStatus) })
    }
    return latestFirst([...bySha.values()].map(({ commit }) => commit))
  }
}
