import { commitOf } from '@slipway/model/supply-chain/commit'
import { labels } from '@slipway/model/labels'
import { useHistory } from '../../api/archive/history'
import type { CommitParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { displayStatus } from '../status/display-status'

/** The runs of a commit, out of those of the application, which other screens have read already. */
export const commitRuns = ({ namespace, application, commit }: CommitParams) =>
  pipelineRuns.history({ namespace, labels: { [labels.application]: application }, commit })

/** A commit, as derived from its runs; `undefined` for one without a build. */
export function useCommit(at: CommitParams) {
  const { namespace, application, commit: sha } = at
  const source = useHistory(commitRuns({ namespace, application, commit: sha }))
  const { rows } = source
  const isBuilt = rows?.some(({ metadata }) => metadata.labels?.[labels.pipelineType] === 'build')
  return { source, commit: rows && isBuilt ? commitOf(sha, rows, displayStatus) : undefined }
}
