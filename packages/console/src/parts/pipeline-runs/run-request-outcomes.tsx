import { nameOf, uidOf } from '@slipway/kube/object'
import { commitShaOf, shortSha } from '@slipway/model/git/git-facts'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { runsSince, type StopRequest } from '@slipway/model/runs/run-actions'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { ActionMessages } from '../../ui/actions/object-actions'
import { applicationOf, PipelineRunLink } from '../links'
import { siblingRuns } from './sibling-runs'

export const runMessages: Record<StopRequest, ActionMessages> & { rerun: Omit<ActionMessages, 'done'> } = {
  rerun: {
    pending: 'Requesting a rerun…',
    failed: "Couldn't start a rerun",
  },
  stop: {
    pending: 'Stopping…',
    done: 'Stopping. Running tasks will finish, then finally tasks will run.',
    failed: "Couldn't stop the run",
  },
  cancel: {
    pending: 'Cancelling…',
    done: 'Cancelling. Running tasks are interrupted, then finally tasks will run.',
    failed: "Couldn't cancel the run",
  },
  cancelAll: {
    pending: 'Cancelling…',
    done: 'Cancelling. Finally tasks are interrupted too.',
    failed: "Couldn't cancel the run",
  },
}

interface NewRunsProps {
  run: PipelineRun
  /** The uids of its sibling runs before the request; `undefined` if they could not be read. */
  known: readonly string[] | undefined
}

/** Links to the runs that have started since the request; reruns that other users requested meanwhile are included. */
export function NewRuns({ run, known }: NewRunsProps) {
  const { data } = useQuery(siblingRuns(run))
  const started = data && known ? runsSince(data.items, run, new Set(known)) : []
  if (!known) return <p>The list of runs could not be read, so no link will appear.</p>
  if (started.length === 0) return null
  return (
    <>
      Started since then:{' '}
      {started.map((each, index) => (
        <Fragment key={uidOf(each)}>
          {index > 0 && ', '}
          <PipelineRunLink at={applicationOf(run)} pipelineRun={nameOf(each)} />
          {commitText(each)}
        </Fragment>
      ))}
    </>
  )
}

const commitText = (run: PipelineRun): string => {
  const sha = commitShaOf(run)
  return sha ? ` (commit ${shortSha(sha)})` : ''
}
