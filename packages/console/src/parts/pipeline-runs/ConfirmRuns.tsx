import { Content } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { objectRows, useFixed } from '../../api/source'
import type { Performer } from '../../api/writes/perform-writes'
import type { Write } from '../../api/writes/writes'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog'
import { PickTable } from '../../ui/table/PickTable'
import type { Column } from '../../ui/table/rows'

interface ConfirmRunsProps {
  /** What happens to the runs, as the label of the button and in a sentence. */
  verb: string
  past: string
  effect: string
  cancelLabel?: string
  isDanger?: boolean
  /** To which it happens. */
  runs: readonly PipelineRun[]
  selectedCount: number
  /** After the name of a run. */
  column: Column<PipelineRun>
  writes: Write[]
  perform: Performer
  onDone: () => void
  onClose: () => void
}

/** Asks before something is done with several runs, and says with which of those that are selected it cannot be. */
export function ConfirmRuns({ verb, past, effect, runs, selectedCount, column, ...dialog }: ConfirmRunsProps) {
  const leftCount = selectedCount - runs.length
  const count = runs.length === 1 ? '1 pipeline run' : `${runs.length} pipeline runs`
  return (
    <ConfirmDialog {...dialog} title={`${verb} ${count}?`} confirmLabel={`${verb} ${count}`}>
      <Content component="p">
        {effect}
        {leftCount > 0 &&
          ` ${leftCount} of the ${selectedCount} selected cannot be ${past} and will be left as they are.`}
      </Content>
      <PickTable
        label={`Pipeline runs to ${verb.toLowerCase()}`}
        source={useFixed(runs, objectRows)}
        columns={[nameColumn, column]}
        empty={null}
      />
    </ConfirmDialog>
  )
}

const nameColumn: Column<PipelineRun> = { id: 'name', label: 'Name', isRowHeader: true, cell: nameOf }
