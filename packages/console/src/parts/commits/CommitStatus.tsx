import type { Commit } from '@slipway/model/builds/commit'
import { commitVerdict, decisiveRuns } from '@slipway/model/snapshots/verdict'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { StatusLabel } from '../status/StatusLabel'

/** The status of a commit, and what its builds, tests and releases come to. */
export function CommitStatus({ commit: { pipelineRuns, status = 'Unknown' } }: { commit: Commit }) {
  const verdictOf = useRunVerdicts(decisiveRuns(pipelineRuns))
  const { verdict, text } = commitVerdict(pipelineRuns, status, verdictOf)
  return <StatusLabel status={status} verdict={verdict} verdictText={text} />
}
