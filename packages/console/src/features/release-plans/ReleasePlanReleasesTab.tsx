import { nameOf, specOf } from '@slipway/kube/object'
import { type Release, releaseStatuses, releaseType } from '@slipway/model/releases/release'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { applicationOf, SnapshotLink } from '../../parts/links'
import { releaseActions } from '../../parts/releases/release-actions'
import { releaseColumns } from '../../parts/releases/release-columns'
import { displayReleaseStatus } from '../../parts/status/display-status'
import { paths } from '../../paths'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ageColumn, byName, byStatus, creationTimeOf } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'

export const page = route(paths.releasePlanReleases, ({ namespace }) => ({
  require: [{ verb: 'list', type: releaseType, namespace }],
  check: actionChecks(namespace, ...releaseActions),
}))

export { ReleasePlanReleasesTab as Component }
/** The releases of one plan, any of which can be run again. */
function ReleasePlanReleasesTab() {
  const { namespace, releasePlan } = page.useParams()
  const { data: plan } = useSuspenseQuery(releasePlans.get(namespace, releasePlan))
  const { application } = specOf(plan)
  const { actionsOf, dialog } = useActions(releaseActions, { namespace, application: application ?? '' })
  return (
    <>
      <ViewTable
        label="Releases"
        view={releases.viewOfPlan(namespace, releasePlan)}
        columns={columns}
        filters={filters}
        actions={application ? actionsOf : undefined}
        firstSort="-created"
        empty={<MessagePanel titleText="No releases found">This plan has no releases in the cluster.</MessagePanel>}
      />
      {application && (
        <p>
          <Link
            to={`${paths.releases({ namespace, application })}?${new URLSearchParams({ 'release plan': releasePlan })}`}
          >
            Those in the archive, too
          </Link>
        </p>
      )}
      {dialog}
    </>
  )
}

const common = releaseColumns<Release, void>((release) => release)

const columns: Column<Release>[] = [
  common.status,
  common.name,
  ageColumn('created', 'Created', creationTimeOf),
  common.duration,
  {
    id: 'releaseSnapshot',
    label: 'Release snapshot',
    width: 15,
    visibleFrom: 'lg',
    sortBy: (release) => specOf(release).snapshot,
    cell: (release) => {
      const { snapshot } = specOf(release)
      return snapshot ? <SnapshotLink at={applicationOf(release)} snapshot={snapshot} /> : '-'
    },
  },
]

const filters: Filter<Release>[] = [byName(nameOf), byStatus(displayReleaseStatus, releaseStatuses)]
