import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { viewOfFirstVisit } from '../../api/views/use-view'
import { pipelineRuns, type RunSelection } from '../../resources/pipeline-runs'
import type { TablePreferences } from '../../ui/table/columns'
import type { Filter } from '../../ui/table/rows'
import { viewQueryOf } from '../../ui/table/view-query'
import { pipelineRunFilters } from './columns'

/** For `waitFor` of a page: what its table of runs shows without a choice of the user. */
export function firstRuns(
  runs: RunSelection,
  preferences: TablePreferences,
  filters: readonly Filter<PipelineRun>[] = pipelineRunFilters,
) {
  const { view, archive } = pipelineRuns.view(runs)
  return viewOfFirstVisit(
    viewQueryOf(view, { filters, filterValues: {}, sort: preferences.sort.get() ?? archive.sort }),
  )
}
