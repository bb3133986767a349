import type { Commit } from '@slipway/model/builds/commit'
import { commitGraph } from '@slipway/model/graphs/workflow'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import type { ApplicationParams } from '../../paths'
import { releasesOf, type SnapshotReleases } from '../commits/use-snapshot-releases'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { displayStatus } from '../status/display-status'
import { WorkflowPanel } from './WorkflowPanel'

interface CommitGraphProps {
  commit: Commit
  releases: SnapshotReleases
  at: ApplicationParams
}

/** The builds of a commit, their tests, and its releases. */
export function CommitGraph({ commit, releases, at }: CommitGraphProps) {
  const { sha, shaTitle, pipelineRuns } = commit
  const graph = commitGraph({
    sha,
    title: shaTitle,
    runs: pipelineRuns,
    releases: releasesOf(commit, releases),
    statusOf: displayStatus,
    verdictOf: useRunVerdicts(pipelineRuns),
  })
  return (
    <NuqsAdapter>
      <div>
        <WorkflowPanel graph={graph} kind="commit" at={at} label="Workflow of the commit" />
      </div>
    </NuqsAdapter>
  )
}
