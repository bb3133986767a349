import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type History, useHistory } from '../../api/archive/history'
import type { TablePreferences } from '../table/columns'
import { ResourceTable } from '../table/ResourceTable'
import { pipelineRunColumns, pipelineRunFilters } from './columns'
import { NoPipelineRuns } from './NoPipelineRuns'
import { useRunActions } from './run-actions'

interface PipelineRunTableProps {
  namespace: string
  /** Read here and not by the page, which is then not rendered again with every event. */
  history: History<PipelineRun>
  preferences: TablePreferences
}

/** Runs of today and of the past, newest start first, with all that can be done with them. */
export function PipelineRunTable({ namespace, history, preferences }: PipelineRunTableProps) {
  const actions = useRunActions(namespace, 'list')
  return (
    <ResourceTable
      label="Pipeline runs"
      source={useHistory(history)}
      sourceSort="-started"
      columns={pipelineRunColumns}
      preferences={preferences}
      filters={pipelineRunFilters}
      actions={actions}
      empty={<NoPipelineRuns />}
    />
  )
}
