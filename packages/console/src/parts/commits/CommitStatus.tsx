import type { Commit } from '@slipway/model/builds/commit'
import { commitVerdict, decisiveRuns } from '@slipway/model/releases/commit-verdict'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { StatusLabel } from '../status/StatusLabel'
import { releasesOf, type SnapshotReleases } from './use-snapshot-releases'

/** The status of a commit, and what its builds, tests and releases come to. */
export function CommitStatus({ commit, releases }: { commit: Commit; releases: SnapshotReleases }) {
  const { pipelineRuns, status = 'Unknown' } = commit
  const verdictOf = useRunVerdicts(decisiveRuns(pipelineRuns))
  const { verdict, text } = commitVerdict(pipelineRuns, status, verdictOf, releasesOf(commit, releases))
  return <StatusLabel status={status} verdict={verdict} verdictText={text} />
}
