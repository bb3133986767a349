import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { runsSince } from '@slipway/model/runs/run-actions'
import { isFinished } from '@slipway/model/runs/tekton'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths'
import { ActionResult, type ActionMessages } from '../actions/ActionResult'
import { siblingRuns } from './sibling-runs'
import type { RunRequest } from './run-actions'

const messages: Record<RunRequest, ActionMessages> = {
  rerun: {
    pending: 'Asking for a new run…',
    done: 'A new run was asked for. It is listed once it has begun.',
    failed: 'The rerun was refused',
  },
  stop: { pending: 'Stopping…', done: 'Asked to stop: what runs now ends first.', failed: 'The stop was refused' },
  cancel: { pending: 'Cancelling…', done: 'Asked to cancel.', failed: 'The cancellation was refused' },
}

/** What became of Rerun, Stop or Cancel, beside the run that it was asked of. */
export const RunActionResult = ({ run }: { run: PipelineRun }) => (
  <ActionResult
    object={run}
    messages={messages}
    // The status of a run that has ended says the rest.
    isSettled={(name) => name !== 'rerun' && isFinished(run)}
    result={(name, known) => name === 'rerun' && <NewRuns run={run} known={known} />}
  />
)

/** The run that was asked for, once it is there; whoever else has asked for one at the same time has another. */
function NewRuns({ run, known }: { run: PipelineRun; known: readonly string[] }) {
  const { data } = useQuery(siblingRuns(run))
  const application = run.metadata.labels?.[labels.application]
  const begun = data ? runsSince(data.items, run, new Set(known)) : []
  if (begun.length === 0 || !application) return null
  return (
    <>
      Begun since then:{' '}
      {begun.map((each, index) => (
        <Fragment key={uidOf(each)}>
          {index > 0 && ', '}
          <Link to={paths.pipelineRun({ namespace: namespaceOf(run) ?? '', application, pipelineRun: nameOf(each) })}>
            {nameOf(each)}
          </Link>
        </Fragment>
      ))}
    </>
  )
}
