import { EmptyState, EmptyStateBody } from '@patternfly/react-core'
import MonitoringIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-monitoring-icon'
import type { Commit } from '@slipway/model/supply-chain/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type History, useHistory } from '../../api/archive/history'
import { useDerived } from '../../api/source'
import type { Action } from '../action'
import { ResourceTable } from '../table/ResourceTable'
import { commitColumns, commitFilters, commitPreferences } from './columns'
import { commitRows, indexCommits } from './commit-index'
import { goToSource } from './go-to-source'

/** The commits of some runs, latest first. */
export const CommitTable = ({ history }: { history: History<PipelineRun> }) => (
  <ResourceTable
    label="Commits"
    source={useDerived(useHistory(history), indexCommits, commitRows)}
    sourceSort="-committedAt"
    columns={commitColumns}
    preferences={commitPreferences}
    filters={commitFilters}
    actions={actions}
    empty={<NoCommits />}
  />
)

const actions = (commit: Commit): Action[] => [goToSource(commit)]

const NoCommits = () => (
  <EmptyState headingLevel="h2" titleText="Monitor your CI/CD activity in one place" icon={MonitoringIcon}>
    <EmptyStateBody>
      Commits of these components appear here, with their status, as soon as their first pipeline run starts.
    </EmptyStateBody>
  </EmptyState>
)
