import type { Commit } from '@slipway/model/builds/commit'
import { commitVerdict, decisiveRuns } from '@slipway/model/snapshots/verdict'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { StatusLabel } from '../status/StatusLabel'

interface CommitStatusProps {
  commit: Commit
  /** Whether to request the results of tasks that the verdict takes; rows use those that are known. */
  isAlone?: boolean
}

/** The status of a commit, and what its builds, tests and releases come to. */
export function CommitStatus({ commit, isAlone = false }: CommitStatusProps) {
  const { pipelineRuns, status = 'Unknown' } = commit
  const verdictOf = useRunVerdicts(decisiveRuns(pipelineRuns), isAlone)
  const verdict = commitVerdict(pipelineRuns, status, verdictOf)
  // The status is that of the newest run, so that another one has failed earlier.
  const verdictText = verdict === 'Failed' || verdict === 'FailedToStart' ? `${verdict} before` : verdict
  return <StatusLabel status={status} verdict={verdict} verdictText={verdictText} />
}
