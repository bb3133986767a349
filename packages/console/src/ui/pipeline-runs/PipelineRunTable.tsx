import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { ReactNode } from 'react'
import type { History } from '../../api/history'
import type { ColumnPreference } from '../table/columns'
import { ResourceTable } from '../table/ResourceTable'
import type { Column } from '../table/rows'
import { pipelineRunColumns, pipelineRunFilters } from './columns'
import { NoPipelineRuns } from './NoPipelineRuns'
import { useRunActions } from './run-actions'

interface PipelineRunTableProps {
  namespace: string
  query: History<PipelineRun>
  columnPreference: ColumnPreference
  /** Other columns than those of an application's runs, such as with another origin of the links. */
  columns?: Column<PipelineRun>[]
  empty?: ReactNode
}

const plainColumns = pipelineRunColumns()

/** Runs of today and of the past, newest start first, with all that can be done with them. */
export function PipelineRunTable({
  namespace,
  query,
  columnPreference,
  columns = plainColumns,
  empty = <NoPipelineRuns />,
}: PipelineRunTableProps) {
  const actions = useRunActions(namespace, 'list')
  return (
    <ResourceTable
      label="Pipeline runs"
      query={query}
      columns={columns}
      columnPreference={columnPreference}
      filters={pipelineRunFilters}
      actions={actions}
      empty={empty}
    />
  )
}
