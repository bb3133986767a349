import { Label, Skeleton } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { userOf } from '@slipway/model/git/git-facts'
import { componentsIn, type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import {
  isUnmerged,
  newComponentsOf,
  originOfSnapshot,
  pullRequestsIn,
  referenceOf,
} from '@slipway/model/snapshots/snapshot-origin'
import { snapshotStatuses } from '@slipway/model/snapshots/snapshot-status'
import { isReleasable } from '@slipway/model/views/snapshots'
import { Link } from 'react-router'
import { type RowsQuery, viewAhead } from '../../api/views/use-view'
import { type ApplicationParams, paths } from '../../paths'
import { snapshots } from '../../resources/snapshots'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { CommitByline } from '../../parts/commits/CommitByline'
import { byUser, factColumns } from '../../parts/commits/fact-columns'
import { Reference } from '../../parts/commits/Reference'
import { ComponentLinks } from '../../parts/links'
import { ReleaseStatusLabel } from '../../parts/releases/ReleaseStatusLabel'
import { route } from '../../ui/page/route'
import { displaySnapshotStatus } from '../../parts/status/display-status'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { OriginLabel } from '../../ui/status/OriginLabel'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byStatus, creationTimeOf, nameColumn, statusColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { viewQueryOf } from '../../ui/table/view-query'
import { JoinedViewTable } from '../../ui/table/ViewTable'
import { snapshotActions } from './snapshot-actions'
import { type ListedSnapshot, nameOfListed, useListedSnapshots } from './use-listed-snapshots'
import { TitledName } from '../../ui/text/TitledName'

export const page = route(paths.snapshots, ({ namespace, application }) => ({
  require: [{ verb: 'list', type: snapshotType, namespace }],
  check: actionChecks(namespace, ...snapshotActions),
  waitFor: [viewAhead(firstQuery(namespace, application))],
}))

/** What the tab shows without filters. */
function firstQuery(namespace: string, application: string): RowsQuery {
  const { view } = snapshots.view(namespace, application)
  return viewQueryOf(view, { filters, filterValues: {}, sort: preferences.sort.get() ?? firstSort })
}

/** One order for all applications: a user who wants the newest first wants that everywhere. */
const preferences = tablePreferences('snapshots-columns')
const firstSort = 'name'

export { SnapshotListTab as Component }
function SnapshotListTab() {
  const at = page.useParams()
  const { namespace, application } = at
  const { actionsOf } = useActions(snapshotActions, at)
  return (
    <JoinedViewTable
      label="Snapshots"
      at={at}
      {...snapshots.view(namespace, application)}
      useJoin={useListedSnapshots}
      columns={columns}
      filters={filters}
      actions={({ snapshot }) => actionsOf(snapshot)}
      firstSort={firstSort}
      preferences={preferences}
      empty={
        <MessagePanel titleText="No snapshots found">
          A snapshot records the images of this application. Each successful build creates one.
        </MessagePanel>
      }
    />
  )
}

const facts = factColumns<ListedSnapshot, ApplicationParams>(({ snapshot }) => referenceOf(snapshot))

const columns: Column<ListedSnapshot, ApplicationParams>[] = [
  statusColumn('word', ({ snapshot }) => <StatusLabel status={displaySnapshotStatus(snapshot)} />, {
    sortBy: ({ snapshot }) => snapshotStatuses.indexOf(displaySnapshotStatus(snapshot)),
  }),
  nameColumn(nameOfListed, {
    cell: ({ snapshot }) => <TitledName title={referenceOf(snapshot).shaTitle} name={nameOf(snapshot)} />,
    linkTo: ({ snapshot }, at) => paths.snapshot({ ...at, snapshot: nameOf(snapshot) }),
    suffix: ({ snapshot }) => (
      <>
        <KindLabel snapshot={snapshot} />
        <CommitByline
          object={snapshot}
          pullRequests={pullRequestsIn(snapshot)
            .map(({ number }) => `#${number}`)
            .join(', ')}
        />
        <OriginLabel object={snapshot} />
      </>
    ),
  }),
  ageColumn('created', 'Created at', ({ snapshot }) => creationTimeOf(snapshot)),
  {
    id: 'components',
    label: 'Components',
    width: 15,
    visibleFrom: 'lg',
    sortBy: ({ snapshot }) => componentsIn(snapshot).length,
    firstDirection: 'desc',
    cell: ({ snapshot }, at) => <ComponentsCell snapshot={snapshot} at={at} />,
  },
  {
    id: 'reference',
    label: 'Reference',
    widthRem: valueWidthsRem.reference,
    visibleFrom: 'lg',
    cell: ({ snapshot }, at) => (
      <Reference at={at} pullRequests={pullRequestsIn(snapshot)} sha={referenceOf(snapshot).sha} />
    ),
  },
  {
    id: 'lastRelease',
    label: 'Last release',
    width: 15,
    visibleFrom: 'xl',
    cell: (row, at) => <LastRelease row={row} at={at} />,
  },
  { ...facts.branch, hiddenByDefault: true },
  { ...facts.byUser, hiddenByDefault: true },
]

const filters: Filter<ListedSnapshot>[] = [
  {
    id: 'name',
    label: 'name or commit',
    text: ({ snapshot }) => {
      const { shaTitle = '', sha = '' } = referenceOf(snapshot)
      return `${nameOf(snapshot)} ${shaTitle} ${sha}`
    },
  },
  byStatus(({ snapshot }) => displaySnapshotStatus(snapshot), snapshotStatuses),
  byUser(({ snapshot }) => userOf(snapshot)),
  {
    id: 'releasable',
    label: 'Releasable only',
    hides: ({ snapshot }) => !isReleasable(snapshot),
    query: { where: { isReleasable: ['yes'] } },
  },
  {
    id: 'hide-pull-requests',
    label: 'Hide pull requests',
    hides: ({ snapshot }) => isUnmerged(snapshot),
    query: { where: { isUnmerged: ['no'] } },
  },
]

function LastRelease({ row: { snapshot, lastRelease, releases }, at }: { row: ListedSnapshot; at: ApplicationParams }) {
  if (lastRelease)
    return (
      <>
        <ReleaseStatusLabel release={lastRelease} />{' '}
        <Link to={paths.release({ ...at, release: nameOf(lastRelease) })}>{specOf(lastRelease).releasePlan}</Link>
      </>
    )
  if (releases === 'loading')
    return <Skeleton width="5rem" screenreaderText={`Loading the last release of ${nameOf(snapshot)}`} />
  return releases === 'known' ? '-' : 'Not known'
}

const explanations = {
  'Pull request': 'Contains changes of a pull request, which have not been merged',
  Group: 'Contains changes of several pull requests, which are tested together',
  Override: 'Created by a user to set the images of the application',
  Manual: 'Created by a user and not by a build',
} as const

/** Why there is a snapshot, unless a push created it, as it creates most of them. */
function KindLabel({ snapshot }: { snapshot: Snapshot }) {
  const origin = originOfSnapshot(snapshot)
  if (origin === 'Push') return null
  return (
    <>
      {' '}
      <Label isCompact variant="outline" title={explanations[origin]}>
        {origin}
      </Label>
    </>
  )
}

/** The components whose images are new, and how many have the images that they had before. */
function ComponentsCell({ snapshot, at }: { snapshot: Snapshot; at: ApplicationParams }) {
  const names = componentsIn(snapshot).map(({ name }) => name)
  const fresh = newComponentsOf(snapshot)
  const shown = fresh.length > 0 ? fresh : names.slice(0, 1)
  const otherCount = names.length - shown.length
  if (names.length === 0) return 'None'
  return (
    <>
      <ComponentLinks at={at} components={shown} />
      {otherCount > 0 && `, ${otherCount} more`}
    </>
  )
}
