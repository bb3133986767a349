import { namespaceOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { everyTest, type RerunRequest, rerunsOf } from '@slipway/model/runs/run-actions'
import { useState } from 'react'
import { rerunSeparately } from '../../resources/run-requests'
import { ConfirmRuns } from './ConfirmRuns'

interface RerunRunsDialogProps {
  /** Of one namespace; at least one of them can be rerun. */
  runs: readonly PipelineRun[]
  onDone: () => void
  onClose: () => void
}

/** Asks before several runs are rerun, and says what is requested for each of them. */
export function RerunRunsDialog({ runs, onDone, onClose }: RerunRunsDialogProps) {
  const reruns = rerunsOf(runs)
  const namespace = runs.map(namespaceOf).find(Boolean) ?? ''
  const [perform] = useState(() =>
    rerunSeparately(
      namespace,
      reruns.map(({ request }) => request),
    ),
  )
  return (
    <ConfirmRuns
      verb="Rerun"
      past="rerun"
      effect="The new runs appear in the list when they start."
      runs={reruns.flatMap((each) => each.runs)}
      selectedCount={runs.length}
      column={{
        id: 'request',
        label: 'Starts',
        cell: (run) => reruns.flatMap((each) => (each.runs.includes(run) ? textOf(each.request) : [])),
      }}
      writes={[]}
      perform={perform}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

function textOf(request: RerunRequest): string {
  if (request.kind === 'build') return `A build of the newest commit of ${request.component}`
  const { scenario, snapshot } = request
  return `${scenario === everyTest ? 'All tests' : `The test ${scenario}`} of the snapshot ${snapshot}`
}
