import MonitoringIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-monitoring-icon'
import type { Commit } from '@slipway/model/builds/commit'
import type { ApplicationParams } from '../../paths'
import { commits } from '../../resources/commits'
import type { Action } from '../../ui/action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { addComponent } from '../components/actions'
import { SourceReporter } from '../../ui/SourceReporter'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ViewTable } from '../../ui/table/ViewTable'
import { archivedCommits } from './archived-commits'
import { commitColumns, commitFilters, commitPreferences } from './columns'
import { goToSource } from './go-to-source'
import { useSnapshotReleases } from './use-snapshot-releases'

/** The commits of an application, or of one of its components, latest first. */
export function CommitTable({ at, component }: { at: ApplicationParams; component: string | undefined }) {
  const { view, archive } = commits.view({ ...at, ...(component && { component }) })
  const { source: releases, bySnapshot } = useSnapshotReleases(at.namespace)
  return (
    <>
      <SourceReporter label="Releases" source={releases} />
      <ViewTable
        label="Commits"
        at={{ releases: bySnapshot }}
        view={view}
        archive={{ ...archive, rows: archivedCommits }}
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
