import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type Release, releaseStatuses } from '@slipway/model/supply-chain/release'
import type { LoaderFunctionArgs } from 'react-router'
import { requireFlag } from '../../api/flags/flags'
import { namespaces } from '../../resources/namespaces'
import { ApplicationLink, applicationOf, ComponentLink } from '../../ui/links'
import { loadNeeds } from '../../ui/page/needs'
import { Page } from '../../ui/page/Page'
import { displayReleaseStatus } from '../../ui/status/display-status'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ResourceTable } from '../../ui/table/ResourceTable'
import { tablePreferences } from '../../ui/table/columns'
import type { Column, Filter } from '../../ui/table/rows'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { componentOf, type MonitoredRelease, useMonitoredReleases } from './monitored-releases'
import { releaseColumns } from './release-columns'

export async function loader({ request }: LoaderFunctionArgs) {
  await requireFlag('release-monitor', request)
  return loadNeeds({ read: [namespaces.list()] })
}

export { ReleaseMonitorPage as Component }
function ReleaseMonitorPage() {
  return (
    <Page title="Release Monitor" description="The dashboard to monitor the releases you care about">
      <ResourceTable
        label="Releases"
        source={useMonitoredReleases()}
        firstSort="-completionTime"
        columns={columns}
        preferences={preferences}
        filters={filters}
        empty={
          <MessagePanel titleText="No releases found">
            The releases of all namespaces that you have access to appear here.
          </MessagePanel>
        }
      />
    </Page>
  )
}

const preferences = tablePreferences('release-monitor-columns')

const rowsOf = (
  { sortBy, linkTo, cell, suffix, ...column }: Omit<Column<Release, unknown>, 'prefix'>,
  changes: Partial<Column<MonitoredRelease>> = {},
): Column<MonitoredRelease> => ({
  ...column,
  ...(sortBy && { sortBy: ({ release }) => sortBy(release) }),
  ...(linkTo && { linkTo: ({ release }) => linkTo(release, undefined) }),
  cell: ({ release }) => cell(release, undefined),
  ...(suffix && { suffix: ({ release }) => suffix(release, undefined) }),
  ...changes,
})

/** A release that has not ended comes before all others, the newest first: it will be the next to complete. */
const completionOrder = ({ metadata, status }: Release): string =>
  status?.completionTime ?? `~${metadata.creationTimestamp}`

const columns: Column<MonitoredRelease>[] = [
  rowsOf(releaseColumns.name),
  rowsOf(releaseColumns.status),
  {
    id: 'completionTime',
    label: 'Completion Time',
    width: 15,
    sortBy: ({ release }) => completionOrder(release),
    firstDirection: 'desc',
    cell: ({ release }) => <RelativeTime time={release.status?.completionTime} />,
  },
  {
    id: 'component',
    label: 'Component',
    visibleFrom: 'lg',
    sortBy: ({ release }) => componentOf(release),
    cell: ({ release }) => {
      const component = componentOf(release)
      return component ? <ComponentLink at={applicationOf(release)} component={component} /> : '-'
    },
  },
  {
    id: 'application',
    label: 'Application',
    visibleFrom: 'lg',
    sortBy: ({ release }) => applicationOf(release).application,
    cell: ({ release }) => (applicationOf(release).application ? <ApplicationLink at={applicationOf(release)} /> : '-'),
  },
  rowsOf(releaseColumns.releasePlan, { label: 'Release Plan', visibleFrom: 'lg' }),
  {
    id: 'namespace',
    label: 'Namespace',
    sortBy: ({ release }) => namespaceOf(release),
    cell: ({ release }) => namespaceOf(release),
  },
]

const filters: Filter<MonitoredRelease>[] = [
  { id: 'name', label: 'name', text: ({ release }) => nameOf(release) },
  {
    id: 'status',
    label: 'Status',
    choices: ({ release }) => displayReleaseStatus(release),
    values: releaseStatuses,
  },
  { id: 'component', label: 'Component', choices: ({ release }) => componentOf(release) ?? 'No component' },
  {
    id: 'application',
    label: 'Application',
    choices: ({ release }) => applicationOf(release).application ?? 'No application',
  },
  { id: 'releasePlan', label: 'Release Plan', choices: ({ release }) => specOf(release).releasePlan },
  { id: 'namespace', label: 'Namespace', choices: ({ release }) => namespaceOf(release) },
  { id: 'showLatest', label: 'Show latest release for each component', hides: ({ isLatest }) => !isLatest },
]
