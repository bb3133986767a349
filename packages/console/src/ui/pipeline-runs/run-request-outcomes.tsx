import { nameOf, uidOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { runsSince } from '@slipway/model/runs/run-actions'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { ActionMessages } from '../actions/object-actions'
import { applicationOf, PipelineRunLink } from '../links'
import { siblingRuns } from './sibling-runs'

export const runMessages: Record<'rerun' | 'stop' | 'cancel', ActionMessages> = {
  rerun: {
    pending: 'Asking for a new run…',
    done: 'A new run was asked for. It is listed once it has begun.',
    failed: 'The rerun was refused',
  },
  stop: { pending: 'Stopping…', done: 'Asked to stop: what runs now ends first.', failed: 'The stop was refused' },
  cancel: { pending: 'Cancelling…', done: 'Asked to cancel.', failed: 'The cancellation was refused' },
}

/** The run that was asked for, once it is there; whoever else has asked for one at the same time has another. */
export function NewRuns({ run, known }: { run: PipelineRun; known: readonly string[] }) {
  const { data } = useQuery(siblingRuns(run))
  const begun = data ? runsSince(data.items, run, new Set(known)) : []
  if (begun.length === 0 || !applicationOf(run).application) return null
  return (
    <>
      Begun since then:{' '}
      {begun.map((each, index) => (
        <Fragment key={uidOf(each)}>
          {index > 0 && ', '}
          <PipelineRunLink at={applicationOf(run)} pipelineRun={nameOf(each)} />
        </Fragment>
      ))}
    </>
  )
}
