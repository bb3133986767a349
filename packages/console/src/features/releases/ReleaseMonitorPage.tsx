import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type Release, releaseStatuses, releaseType } from '@slipway/model/releases/release'
import { noApplication, noComponent } from '@slipway/model/views/releases'
import type { LoaderFunctionArgs } from 'react-router'
import { requireFlag } from '../../api/flags/flags'
import { namespaces } from '../../resources/namespaces'
import { ApplicationLink, applicationOf, ComponentLink } from '../../parts/links'
import { RereadNamespaces } from '../../parts/namespaces/RereadNamespaces'
import { loadNeeds } from '../../ui/page/needs'
import { Page } from '../../ui/page/Page'
import { displayReleaseStatus } from '../../parts/status/display-status'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ageColumn, byName, byStatus } from '../../ui/table/common-columns'
import { tablePreferences } from '../../ui/table/columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'
import { componentOf, useMonitoredReleases } from './monitored-releases'
import { releaseColumns } from '../../parts/releases/release-columns'

export async function loader({ request }: LoaderFunctionArgs) {
  await requireFlag('release-monitor', request)
  return loadNeeds({ read: [namespaces.list()] })
}

export { ReleaseMonitorPage as Component }
function ReleaseMonitorPage() {
  return (
    <Page title="Release Monitor" description="The dashboard to monitor the releases you care about">
      <ViewTable<Release>
        label="Releases"
        view={releasesOfAll}
        useRows={useMonitoredReleases}
        firstSort="-completionTime"
        columns={columns}
        preferences={preferences}
        filters={filters}
        empty={
          <MessagePanel titleText="No releases found">
            The releases of all namespaces that you have access to appear here.
            <RereadNamespaces />
          </MessagePanel>
        }
        noMatches={<RereadNamespaces />}
      />
    </Page>
  )
}

const preferences = tablePreferences('release-monitor-columns')

/** The namespaces are those that the user can see. */
const releasesOfAll = { kind: releaseType.plural, namespaces: [] }

const common = releaseColumns<Release, void>((release) => release)

/** A release that has not ended comes before all others, the newest first: it will be the next to complete. */
const completionOrder = ({ metadata, status }: Release): string =>
  status?.completionTime ?? `~${metadata.creationTimestamp}`

const columns: Column<Release>[] = [
  common.name,
  common.status,
  ageColumn('completionTime', 'Completion Time', ({ status }) => status?.completionTime, {
    widthRem: 7.25,
    sortBy: completionOrder,
  }),
  {
    id: 'component',
    label: 'Component',
    width: 15,
    visibleFrom: 'lg',
    sortBy: componentOf,
    cell: (release) => {
      const component = componentOf(release)
      return component ? <ComponentLink at={applicationOf(release)} component={component} /> : '-'
    },
  },
  {
    id: 'application',
    label: 'Application',
    width: 15,
    visibleFrom: 'lg',
    sortBy: (release) => applicationOf(release).application,
    cell: (release) => (applicationOf(release).application ? <ApplicationLink at={applicationOf(release)} /> : '-'),
  },
  { ...common.releasePlan, label: 'Release Plan', visibleFrom: 'xl' },
  {
    id: 'namespace',
    label: 'Namespace',
    width: 15,
    sortBy: namespaceOf,
    cell: namespaceOf,
  },
]

const filters: Filter<Release>[] = [
  byName(nameOf),
  byStatus(displayReleaseStatus, releaseStatuses),
  {
    id: 'component',
    label: 'Component',
    choices: (release) => componentOf(release) ?? noComponent,
    field: 'anyComponent',
  },
  {
    id: 'application',
    label: 'Application',
    choices: (release) => applicationOf(release).application ?? noApplication,
    field: 'anyApplication',
  },
  { id: 'releasePlan', label: 'Release Plan', choices: (release) => specOf(release).releasePlan },
  { id: 'namespace', label: 'Namespace', choices: namespaceOf },
  {
    id: 'showLatest',
    label: 'Show latest release for each component',
    // The rows are only the latest ones then.
    hides: () => false,
    query: { latestOf: 'component' },
  },
]
