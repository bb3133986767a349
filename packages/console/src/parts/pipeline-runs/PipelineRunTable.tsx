import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type History, useHistory } from '../../api/archive/history'
import { useActions } from '../../ui/actions/use-actions'
import type { TablePreferences } from '../../ui/table/columns'
import type { Column, Filter } from '../../ui/table/rows'
import type { SavedViews } from '../../ui/table/saved-views'
import { ListTable } from '../../ui/table/ListTable'
import { type PipelineRunCells, pipelineRunColumns, pipelineRunFilters } from './columns'
import { NoPipelineRuns } from './NoPipelineRuns'
import { bulkRunActions, runActions } from './run-actions'

interface PipelineRunTableProps extends PipelineRunCells {
  namespace: string
  /** Read here and not in the page, so that events do not render the whole page again. */
  history: History<PipelineRun>
  preferences: TablePreferences
  columns?: readonly Column<PipelineRun, PipelineRunCells>[]
  filters?: readonly Filter<PipelineRun>[]
  views?: SavedViews
}

/** Runs of today and of the past, newest start first, with all that can be done with them. */
export function PipelineRunTable({
  namespace,
  history,
  preferences,
  columns = pipelineRunColumns,
  filters = pipelineRunFilters,
  views,
  integrationTest,
}: PipelineRunTableProps) {
  const { actionsOf } = useActions(runActions.list, { namespace })
  const bulk = useActions(bulkRunActions, { namespace })
  return (
    <>
      <ListTable
        label="Pipeline runs"
        at={{ integrationTest }}
        source={useHistory(history)}
        sourceSort="-started"
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
