import type { PipelineRun } from '@slipway/model/pipeline-run'
import { isFinished } from '@slipway/model/tekton'
import { RequestOutcome, type RequestWords } from '../RequestOutcome'
import type { RunRequest } from './run-actions'

const words: Record<RunRequest, RequestWords> = {
  rerun: {
    pending: 'Asking for a new run…',
    done: 'A new run was asked for. It is listed once it has begun.',
    failed: 'The rerun was refused',
  },
  stop: { pending: 'Stopping…', done: 'Asked to stop: what runs now ends first.', failed: 'The stop was refused' },
  cancel: { pending: 'Cancelling…', done: 'Asked to cancel.', failed: 'The cancellation was refused' },
}

/** What became of Rerun, Stop or Cancel, beside the run that it was asked of. */
export const RunRequestOutcome = ({ run }: { run: PipelineRun }) => (
  // The status of a run that has ended says the rest.
  <RequestOutcome object={run} words={words} isSettled={(name) => name !== 'rerun' && isFinished(run)} />
)
