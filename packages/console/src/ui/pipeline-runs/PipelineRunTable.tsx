import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { ReactNode } from 'react'
import { type History, useHistory } from '../../api/archive/history'
import type { TablePreferences } from '../table/columns'
import { ResourceTable } from '../table/ResourceTable'
import type { Column } from '../table/rows'
import { pipelineRunColumns, pipelineRunFilters } from './columns'
import { NoPipelineRuns } from './NoPipelineRuns'
import { useRunActions } from './run-actions'

interface PipelineRunTableProps {
  namespace: string
  /** Read here and not in the page, so that events do not render the whole page again. */
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
  return (
    <ResourceTable
      label="Pipeline runs"
      source={useHistory(history)}
      sourceSort="-started"
      columns={columns}
      preferences={preferences}
      filters={pipelineRunFilters}
      actions={actions}
      empty={empty}
    />
  )
}
