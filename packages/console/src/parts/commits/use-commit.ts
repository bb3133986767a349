import { type Commit, commitOf } from '@slipway/model/builds/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { labels } from '@slipway/model/labels'
import { useHistory } from '../../api/archive/history'
import type { Source } from '../../api/source'
import type { CommitParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { displayStatus } from '../status/display-status'
import { commitRows } from './commit-index'

/** The runs of a commit, out of those of the application, which other screens have read already. */
export const commitRuns = ({ namespace, application, commit }: CommitParams) =>
  pipelineRuns.history({ namespace, labels: { [labels.application]: application }, commit })

/** A commit, as derived from its runs; no row for one without a build, once all runs that are loaded are known. */
export function useCommit(at: CommitParams): { source: Source<Commit>; runs: Source<PipelineRun> } {
  const runs = useHistory(commitRuns(at))
  const { rows, more, error, missing } = runs
  const isBuilt = rows?.some(({ metadata }) => metadata.labels?.[labels.pipelineType] === 'build')
  if (rows && isBuilt)
    return { runs, source: { ...runs, rows: [commitOf(at.commit, rows, displayStatus)], kind: commitRows } }
  // The build may be in a part that is still being read, or that could not be.
  const failure = error ?? (more?.isLoading ? null : (missing[0]?.error ?? null))
  const isKnown = rows && !failure && !more?.isLoading
  return { runs, source: { ...runs, rows: isKnown ? [] : undefined, error: failure, kind: commitRows } }
}
