import { type Commit, commitOf } from '@slipway/model/supply-chain/commit'
import { labels } from '@slipway/model/labels'
import { useMemo } from 'react'
import { useHistory } from '../../api/history'
import type { CommitParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { displayStatus } from '../status/display-status'

/** The runs of a commit: those of the whole application are read, which its other screens have read already. */
export const commitRuns = ({ namespace, application, commit }: CommitParams) =>
  pipelineRuns.history({ namespace, labels: { [labels.application]: application }, commit })

/** What its runs say of a commit; `undefined` for one without a build. */
export function useCommit(at: CommitParams) {
  const { namespace, application, commit: sha } = at
  const query = useMemo(() => commitRuns({ namespace, application, commit: sha }), [namespace, application, sha])
  const history = useHistory(query)
  const { items } = history
  const commit = useMemo((): Commit | undefined => {
    const isBuilt = items?.some(({ metadata }) => metadata.labels?.[labels.pipelineType] === 'build')
    return items && isBuilt ? commitOf(sha, items, displayStatus) : undefined
  }, [items, sha])
  return { query, history, commit }
}
