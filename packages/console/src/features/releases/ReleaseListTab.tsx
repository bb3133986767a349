import { nameOf, specOf } from '@slipway/kube/object'
import { userOf } from '@slipway/model/git/git-facts'
import { type Release, releaseStatuses, releaseType } from '@slipway/model/releases/release'
import { releaseRunOf, type ReleaseRunType } from '@slipway/model/releases/release-runs'
import { type RowsQuery, viewAhead } from '../../api/views/use-view'
import { type ApplicationParams, paths } from '../../paths'
import { releases } from '../../resources/releases'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { byUser } from '../../parts/commits/fact-columns'
import { ComponentLink, SnapshotLink } from '../../parts/links'
import { route } from '../../ui/page/route'
import { ReleaseRunLink } from '../../parts/releases/ReleaseRunLink'
import { displayReleaseStatus } from '../../parts/status/display-status'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byName, byStatus, creationTimeOf } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { viewQueryOf } from '../../ui/table/view-query'
import { ViewTable } from '../../ui/table/ViewTable'
import { componentOf } from './monitored-releases'
import { triggerRelease } from '../../parts/releases/actions'
import { HeldBackPlans } from '../../parts/releases/ReleasePlanStates'
import { releaseActions } from '../../parts/releases/release-actions'
import { releaseColumns } from '../../parts/releases/release-columns'

export const page = route(paths.releases, ({ namespace, application }) => ({
  require: [{ verb: 'list', type: releaseType, namespace }],
  check: actionChecks(namespace, ...releaseActions, triggerRelease),
  waitFor: [viewAhead(firstQuery(namespace, application))],
}))

/** What the tab shows without a choice of the user. */
function firstQuery(namespace: string, application: string): RowsQuery {
  const { view, archive } = releases.view(namespace, application)
  return viewQueryOf(view, { filters, filterValues: {}, sort: archive.sort })
}

const preferences = tablePreferences('releases-visible-columns')

export { ReleaseListTab as Component }
function ReleaseListTab() {
  const at = page.useParams()
  const { actionsOf, dialog } = useActions(releaseActions, at)
  return (
    <>
      <HeldBackPlans at={at} />
      <ViewTable
        label="Releases"
        at={at}
        {...releases.view(at.namespace, at.application)}
        columns={columns}
        filters={filters}
        actions={actionsOf}
        preferences={preferences}
        toolbar={<DefinedButton action={triggerRelease} at={at} />}
        empty={
          <MessagePanel titleText="No releases found" action={<DefinedButton action={triggerRelease} at={at} />}>
            A release takes a snapshot of this application through the pipelines of a release plan.
          </MessagePanel>
        }
      />
      {dialog}
    </>
  )
}

const runColumn = (id: string, type: ReleaseRunType): Column<Release, ApplicationParams> => ({
  id,
  label: `${type.toLowerCase().replace(/^./, (first) => first.toUpperCase())} pipeline run`,
  width: 15,
  hiddenByDefault: true,
  visibleFrom: 'lg',
  sortBy: (release) => releaseRunOf(release, type)?.name,
  cell: (release, { application }) => {
    const run = releaseRunOf(release, type)
    return run ? <ReleaseRunLink run={run} application={application} release={nameOf(release)} /> : '-'
  },
})

const common = releaseColumns<Release, ApplicationParams>((release) => release)

const columns: Column<Release, ApplicationParams>[] = [
  common.status,
  common.name,
  ageColumn('created', 'Created', creationTimeOf),
  common.duration,
  common.releasePlan,
  {
    id: 'releaseSnapshot',
    label: 'Release snapshot',
    width: 15,
    visibleFrom: 'lg',
    sortBy: (release) => specOf(release).snapshot,
    cell: (release, at) => {
      const { snapshot } = specOf(release)
      return snapshot ? <SnapshotLink at={at} snapshot={snapshot} /> : '-'
    },
  },
  runColumn('tenantCollectorPipelineRun', 'Tenant Collector'),
  runColumn('tenantPipelineRun', 'Tenant'),
  runColumn('managedPipelineRun', 'Managed'),
  runColumn('finalPipelineRun', 'Final'),
  {
    id: 'component',
    label: 'Component',
    width: 15,
    hiddenByDefault: true,
    visibleFrom: 'lg',
    sortBy: componentOf,
    cell: (release, at) => {
      const component = componentOf(release)
      return component ? <ComponentLink at={at} component={component} /> : '-'
    },
  },
  { ...common.branch, hiddenByDefault: true },
  { ...common.byUser, hiddenByDefault: true },
]

const filters: Filter<Release>[] = [
  byName(nameOf),
  {
    id: 'release plan',
    label: 'Release plan',
    choices: (release) => specOf(release).releasePlan,
    field: 'releasePlan',
  },
  {
    id: 'release snapshot',
    label: 'Release snapshot',
    choices: (release) => specOf(release).snapshot,
    field: 'releaseSnapshot',
  },
  byStatus(displayReleaseStatus, releaseStatuses),
  byUser(userOf),
]
