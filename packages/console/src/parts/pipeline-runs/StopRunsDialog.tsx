import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { separately } from '../../api/writes/perform-writes'
import { stopRunWrite } from '../../resources/run-requests'
import type { Column } from '../../ui/table/rows'
import { ConfirmRuns } from './ConfirmRuns'
import { type BulkStopRequest, whyNotStoppable } from './stoppable'
import { RunStatus } from './RunStatus'

interface StopRunsDialogProps {
  request: BulkStopRequest
  /** At least one of them can be stopped. */
  runs: readonly PipelineRun[]
  onDone: () => void
  onClose: () => void
}

const texts = {
  stop: { verb: 'Stop', past: 'stopped', effect: 'Running tasks will finish, then finally tasks will run.' },
  cancel: {
    verb: 'Cancel',
    past: 'cancelled',
    effect: 'Running tasks are interrupted, then finally tasks will run.',
  },
}

/** Asks before several runs are stopped or cancelled. */
export function StopRunsDialog({ request, runs, onDone, onClose }: StopRunsDialogProps) {
  const stoppable = runs.filter((run) => !whyNotStoppable(run, request))
  return (
    <ConfirmRuns
      {...texts[request]}
      // The action may be called Cancel itself.
      cancelLabel="Keep running"
      isDanger
      runs={stoppable}
      selectedCount={runs.length}
      column={statusColumn}
      writes={stoppable.map((run) => stopRunWrite(run, request))}
      // A run that has ended meanwhile does not keep the others from being stopped.
      perform={separately}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

const statusColumn: Column<PipelineRun> = {
  id: 'status',
  label: 'Status',
  width: 30,
  cell: (run) => <RunStatus run={run} />,
}
