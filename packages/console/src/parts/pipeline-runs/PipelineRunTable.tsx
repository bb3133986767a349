import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineRuns, type RunSelection } from '../../resources/pipeline-runs'
import { useActions } from '../../ui/actions/use-actions'
import type { TablePreferences } from '../../ui/table/columns'
import type { Column, Filter } from '../../ui/table/rows'
import type { SavedViews } from '../../ui/table/saved-views'
import { ViewTable } from '../../ui/table/ViewTable'
import { type PipelineRunCells, pipelineRunColumns, pipelineRunFilters } from './columns'
import { NoPipelineRuns } from './NoPipelineRuns'
import { bulkRunActions, runActions } from './run-actions'

interface PipelineRunTableProps {
  runs: RunSelection
  preferences: TablePreferences
  columns?: readonly Column<PipelineRun, PipelineRunCells>[]
  filters?: readonly Filter<PipelineRun>[]
  views?: SavedViews
}

/** Runs of today and of the past, newest start first, with all that can be done with them. */
export function PipelineRunTable({
  runs,
  preferences,
  columns = pipelineRunColumns,
  filters = pipelineRunFilters,
  views,
}: PipelineRunTableProps) {
  const { namespace, integrationTest, commit, snapshot } = runs
  const { actionsOf } = useActions(runActions.list, { namespace })
  const bulk = useActions(bulkRunActions, { namespace })
  return (
    <>
      <ViewTable
        label="Pipeline runs"
        at={{ integrationTest, isOfOneCommit: Boolean(commit ?? snapshot) }}
        {...pipelineRuns.view(runs)}
        columns={columns}
        preferences={preferences}
        filters={filters}
        views={views}
        actions={actionsOf}
        bulkActions={(runs, deselect) => bulk.actionsOf({ runs, deselect })}
        empty={<NoPipelineRuns />}
      />
      {bulk.dialog}
    </>
  )
}
