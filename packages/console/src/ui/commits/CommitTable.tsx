import { EmptyState, EmptyStateBody } from '@patternfly/react-core'
import MonitoringIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-monitoring-icon'
import type { Commit } from '@slipway/model/supply-chain/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useState } from 'react'
import type { History } from '../../api/history'
import type { Action } from '../action'
import { DerivedTable } from '../table/ResourceTable'
import { commitColumnPreference, commitColumns, commitFilters } from './columns'
import { goToSource } from './go-to-source'
import { commitRows, keepCommits } from './commit-index'

/** The commits that some runs are of, the latest first. */
export function CommitTable({ query }: { query: History<PipelineRun> }) {
  const [rowsOf] = useState(keepCommits)
  return (
    <DerivedTable
      label="Commits"
      query={query}
      rowsOf={rowsOf}
      kind={commitRows}
      columns={commitColumns}
      columnPreference={commitColumnPreference}
      filters={commitFilters}
      actions={actions}
      empty={<NoCommits />}
    />
  )
}

const actions = (commit: Commit): Action[] => [goToSource(commit)]

const NoCommits = () => (
  <EmptyState headingLevel="h2" titleText="Monitor your CI/CD activity in one place" icon={MonitoringIcon}>
    <EmptyStateBody>
      Each commit of a component is listed here with what became of it, as soon as its first pipeline run begins.
    </EmptyStateBody>
  </EmptyState>
)
