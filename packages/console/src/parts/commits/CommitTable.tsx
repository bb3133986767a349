import MonitoringIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-monitoring-icon'
import type { Commit } from '@slipway/model/builds/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type History, useHistory } from '../../api/archive/history'
import { useDerived } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import type { Action } from '../../ui/action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { addComponent } from '../components/actions'
import { SourceReporter } from '../../ui/SourceReporter'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import { commitColumns, commitFilters, commitPreferences } from './columns'
import { commitRows, indexCommits } from './commit-index'
import { goToSource } from './go-to-source'
import { useSnapshotReleases } from './use-snapshot-releases'

/** The commits of some runs, latest first. */
export function CommitTable({ at, history }: { at: ApplicationParams; history: History<PipelineRun> }) {
  const source = useDerived(useHistory(history), indexCommits, commitRows)
  const { source: releases, bySnapshot } = useSnapshotReleases(at.namespace)
  return (
    <>
      <SourceReporter label="Releases" source={releases} />
      <ListTable
        label="Commits"
        at={{ releases: bySnapshot }}
        source={source}
        sourceSort="-committedAt"
        columns={commitColumns}
        preferences={commitPreferences}
        filters={commitFilters}
        actions={actions}
        empty={<NoCommits at={at} />}
      />
    </>
  )
}

const actions = (commit: Commit): Action[] => [goToSource(commit)]

const NoCommits = ({ at }: { at: ApplicationParams }) => (
  <MessagePanel
    titleText="Monitor your CI/CD activity in one place"
    icon={MonitoringIcon}
    action={<DefinedButton action={addComponent} at={at} variant="secondary" />}
  >
    Commits of these components appear here, with their status, as soon as their first pipeline run starts.
  </MessagePanel>
)
