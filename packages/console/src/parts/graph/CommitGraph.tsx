import type { Commit } from '@slipway/model/builds/commit'
import { commitGraph } from '@slipway/model/graphs/workflow'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import type { ApplicationParams } from '../../paths'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { WorkflowPanel } from './WorkflowPanel'

interface CommitGraphProps {
  commit: Pick<Commit, 'sha' | 'shaTitle' | 'pipelineRuns'>
  at: ApplicationParams
}

/** The builds of a commit, their tests, and its releases. */
export function CommitGraph({ commit: { sha, shaTitle, pipelineRuns }, at }: CommitGraphProps) {
  const statusOf = useRunVerdicts(pipelineRuns, true)
  const graph = commitGraph({ sha, title: shaTitle, runs: pipelineRuns, statusOf })
  return (
    <NuqsAdapter>
      <div>
        <WorkflowPanel graph={graph} kind="commit" at={at} label="Workflow of the commit" />
      </div>
    </NuqsAdapter>
  )
}
