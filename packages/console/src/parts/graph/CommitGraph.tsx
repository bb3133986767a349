import type { Commit } from '@slipway/model/builds/commit'
import { commitGraph } from '@slipway/model/graphs/workflow'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import type { ApplicationParams } from '../../paths'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { displayStatus } from '../status/display-status'
import { WorkflowPanel } from './WorkflowPanel'

interface CommitGraphProps {
  commit: Pick<Commit, 'sha' | 'shaTitle' | 'pipelineRuns'>
  at: ApplicationParams
}

/** The builds of a commit, their tests, and its releases. */
export function CommitGraph({ commit: { sha, shaTitle, pipelineRuns }, at }: CommitGraphProps) {
  const verdictOf = useRunVerdicts(pipelineRuns)
  const graph = commitGraph({ sha, title: shaTitle, runs: pipelineRuns, statusOf: displayStatus, verdictOf })
  return (
    <NuqsAdapter>
      <div>
        <WorkflowPanel graph={graph} kind="commit" at={at} label="Workflow of the commit" />
      </div>
    </NuqsAdapter>
  )
}
