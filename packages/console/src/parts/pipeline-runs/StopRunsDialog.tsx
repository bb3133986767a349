import { Content } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { objectRows, useFixed } from '../../api/source'
import { separately } from '../../api/writes/perform-writes'
import { stopRunWrite } from '../../resources/run-requests'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog'
import { PickTable } from '../../ui/table/PickTable'
import type { Column } from '../../ui/table/rows'
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

/** Asks before several runs are stopped or cancelled, and says which of those that are selected cannot be. */
export function StopRunsDialog({ request, runs, onDone, onClose }: StopRunsDialogProps) {
  const { verb, past, effect } = texts[request]
  const stoppable = runs.filter((run) => !whyNotStoppable(run, request))
  const leftCount = runs.length - stoppable.length
  const count = stoppable.length === 1 ? '1 pipeline run' : `${stoppable.length} pipeline runs`
  return (
    <ConfirmDialog
      title={`${verb} ${count}?`}
      confirmLabel={`${verb} ${count}`}
      // The action may be called Cancel itself.
      cancelLabel="Keep running"
      isDanger
      writes={stoppable.map((run) => stopRunWrite(run, request))}
      // A run that has ended meanwhile does not keep the others from being stopped.
      perform={separately}
      onDone={onDone}
      onClose={onClose}
    >
      <Content component="p">
        {effect}
        {leftCount > 0 &&
          ` ${leftCount} of the ${runs.length} selected cannot be ${past} and will be left as they are.`}
      </Content>
      <PickTable
        label={`Pipeline runs to ${request}`}
        source={useFixed(stoppable, objectRows)}
        columns={columns}
        empty={null}
      />
    </ConfirmDialog>
  )
}

const columns: Column<PipelineRun>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, cell: nameOf },
  { id: 'status', label: 'Status', width: 30, cell: (run) => <RunStatus run={run} /> },
]
