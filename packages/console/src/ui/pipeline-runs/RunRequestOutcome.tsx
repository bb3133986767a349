import { Alert, AlertActionCloseButton, Content, Spinner } from '@patternfly/react-core'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import { isFinished } from '@slipway/model/tekton'
import { writeFailure } from '../../api/write-messages'
import { forgetRequests, type RunRequest, useRunRequest } from './run-actions'

const words: Record<RunRequest, { pending: string; done: string; failed: string }> = {
  rerun: {
    pending: 'Asking for a new run…',
    done: 'A new run was asked for. It is listed once it has begun.',
    failed: 'The rerun was refused',
  },
  stop: { pending: 'Stopping…', done: 'Asked to stop: what runs now ends first.', failed: 'The stop was refused' },
  cancel: { pending: 'Cancelling…', done: 'Asked to cancel.', failed: 'The cancellation was refused' },
}

/** What became of Rerun, Stop or Cancel, beside the run that it was asked of. */
export function RunRequestOutcome({ run }: { run: PipelineRun }) {
  const asked = useRunRequest(run)
  if (!asked || asked.status === 'idle') return null
  const { pending, done, failed } = words[asked.name]
  if (asked.status === 'pending') {
    return (
      <Content component="small" role="status">
        <Spinner size="sm" isInline aria-hidden /> {pending}
      </Content>
    )
  }
  // The status of a run that has ended says the rest.
  if (asked.status === 'success' && asked.name !== 'rerun' && isFinished(run)) return null
  return (
    <Alert
      isInline
      isPlain
      isLiveRegion
      component="p"
      variant={asked.status === 'error' ? 'danger' : 'success'}
      title={asked.status === 'error' ? failed : done}
      actionClose={<AlertActionCloseButton title="Dismiss" onClose={() => forgetRequests(run)} />}
    >
      {asked.error && writeFailure(asked.error).body}
    </Alert>
  )
}
