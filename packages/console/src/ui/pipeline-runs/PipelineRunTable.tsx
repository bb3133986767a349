import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type ReactNode, useState } from 'react'
import { type History, useHistory } from '../../api/archive/history'
import { ChunkLoadAlert, lazyComponent } from '../page/lazy-component'
import type { TablePreferences } from '../table/columns'
import { ResourceTable } from '../table/ResourceTable'
import type { Column } from '../table/rows'
import { pipelineRunColumns, pipelineRunFilters } from './columns'
import { NoPipelineRuns } from './NoPipelineRuns'
import { useBulkRunActions, useRunActions } from './run-actions'
import type { StopRunsDialogProps } from './StopRunsDialog'

interface PipelineRunTableProps {
  namespace: string
  /** Read here and not by the page, which is then not rendered again with every event. */
  history: History<PipelineRun>
  preferences: TablePreferences
  /** Other columns than those of an application's runs, such as with another origin of the links. */
  columns?: Column<PipelineRun>[]
  empty?: ReactNode
}

const plainColumns = pipelineRunColumns()

/** Runs of today and of the past, newest start first, with all that can be done with them. */
export function PipelineRunTable({
  namespace,
  history,
  preferences,
  columns = plainColumns,
  empty = <NoPipelineRuns />,
}: PipelineRunTableProps) {
  const actions = useRunActions(namespace, 'list')
  const [stopping, setStopping] = useState<Omit<StopRunsDialogProps, 'onClose'>>()
  const bulkActions = useBulkRunActions(namespace, (request, runs, onDone) => setStopping({ request, runs, onDone }))
  return (
    <>
      <ResourceTable
        label="Pipeline runs"
        source={useHistory(history)}
        sourceSort="-started"
        columns={columns}
        preferences={preferences}
        filters={pipelineRunFilters}
        actions={actions}
        bulkActions={bulkActions}
        empty={empty}
      />
      {stopping && <StopRunsDialog {...stopping} onClose={() => setStopping(undefined)} />}
    </>
  )
}

const StopRunsDialog = lazyComponent(() => import('./StopRunsDialog').then((module) => module.StopRunsDialog), {
  Missing: ChunkLoadAlert,
})
