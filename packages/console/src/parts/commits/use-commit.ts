import { type Commit, commitOf } from '@slipway/model/builds/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { labels } from '@slipway/model/labels'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import type { Source } from '../../api/source'
import type { CommitParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { displayStatus } from '../status/display-status'
import { commitRows } from './commit-index'

/** The runs of a commit in an application. */
export const useCommitRuns = ({ namespace, application, commit }: CommitParams): Source<PipelineRun> =>
  useWholeViewWithArchive(pipelineRuns.view({ namespace, application, commit }), 'pipeline runs')

/** A commit, as derived from its runs; no row for one without a build, once all runs that are loaded are known. */
export function useCommit(at: CommitParams): { source: Source<Commit>; runs: Source<PipelineRun> } {
  const runs = useCommitRuns(at)
  const { rows, more, error, missing } = runs
  const isBuilt = rows?.some(({ metadata }) => metadata.labels?.[labels.pipelineType] === 'build')
  if (rows && isBuilt)
    return { runs, source: { ...runs, rows: [commitOf(at.commit, rows, displayStatus)], kind: commitRows } }
  // The build may be in a part that is still being read, or that could not be.
  const failure = error ?? (more?.isLoading ? null : (missing[0]?.error ?? null))
  const isKnown = rows && !failure && !more?.isLoading
  return { runs, source: { ...runs, rows: isKnown ? [] : undefined, error: failure, kind: commitRows } }
}
