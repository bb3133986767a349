import { Label } from '@patternfly/react-core'
import ListIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-list-icon'
import { nameOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import {
  attachedAdmission,
  flagText,
  type ReleasePlan,
  releasePlanStatus,
  releasePlanStatuses,
  releasePlanType,
} from '@slipway/model/releases/release-plan'
import { releasePlanVerdict, unmatchedReason } from '@slipway/model/releases/release-plan-verdict'
import { Link } from 'react-router'
import { useAccess } from '../../api/access/use-access'
import { isBeingDeleted } from '../../api/archive/origin'
import { type NamespaceParams, paths } from '../../paths'
import { releaseDocsUrl } from '../../product'
import { editReleasePlanPermission } from '../../resources/release-plans'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { ApplicationLink } from '../../parts/links'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { tablePreferences } from '../../ui/table/columns'
import { byName, byStatus, nameColumn, statusColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { releasePlanActions } from './release-plan-actions'

export const page = route(paths.releasePlans, ({ namespace }) => ({
  require: [{ verb: 'list', type: releasePlanType, namespace }],
  check: actionChecks(namespace, ...releasePlanActions),
}))

export { ReleasePlanListTab as Component }
function ReleasePlanListTab() {
  const { namespace } = page.useParams()
  const mayEdit = useAccess(editReleasePlanPermission.checks(namespace)).isAllowed
  const { actionsOf, dialog } = useActions(releasePlanActions, { namespace })
  return (
    <>
      <ViewTable
        label="Release plans"
        at={{ namespace, mayEdit }}
        view={{ kind: releasePlanType.plural, namespaces: [namespace] }}
        columns={columns}
        filters={filters}
        actions={actionsOf}
        preferences={preferences}
        columnsTitle="Manage release plan columns"
        firstSort="name"
        empty={<NoReleasePlans />}
      />
      {dialog}
    </>
  )
}

const preferences = tablePreferences('release-plan-columns')

/** What cells need besides their row. */
interface At extends NamespaceParams {
  mayEdit: boolean
}

const columns: Column<ReleasePlan, At>[] = [
  nameColumn(nameOf, { cell: (plan, at) => <ReleasePlanName plan={plan} at={at} /> }),
  {
    id: 'application',
    label: 'Application',
    width: 15,
    sortBy: (plan) => specOf(plan).application ?? specOf(plan).componentGroup,
    cell: (plan, at) => <Releasable plan={plan} at={at} />,
  },
  {
    id: 'target',
    label: 'Target Namespace',
    width: 15,
    visibleFrom: 'lg',
    sortBy: (plan) => specOf(plan).target,
    cell: (plan) => specOf(plan).target ?? '-',
  },
  {
    id: 'autoRelease',
    label: 'Auto release',
    width: 15,
    visibleFrom: 'xl',
    sortBy: (plan) => flagText(plan, labels.autoRelease),
    cell: (plan) => flagText(plan, labels.autoRelease),
  },
  {
    id: 'standingAttribution',
    label: 'Standing attribution',
    width: 10,
    visibleFrom: '2xl',
    sortBy: (plan) => flagText(plan, labels.standingAttribution),
    cell: (plan) => flagText(plan, labels.standingAttribution),
  },
  statusColumn('withVerdict', (plan) => <MatchStatus plan={plan} />, { sortBy: releasePlanStatus }),
  {
    id: 'admission',
    label: 'Release plan admission',
    visibleFrom: 'xl',
    sortBy: (plan) => attachedAdmission(plan)?.name,
    cell: (plan) => <Admission plan={plan} />,
  },
]

const filters: Filter<ReleasePlan>[] = [byName(nameOf), byStatus(releasePlanStatus, releasePlanStatuses)]

/** A plan has no page of its own: its name leads users who may edit it to the form. */
function ReleasePlanName({ plan, at: { namespace, mayEdit } }: { plan: ReleasePlan; at: At }) {
  const name = nameOf(plan)
  if (!mayEdit || isBeingDeleted(plan)) return name
  return <Link to={paths.editReleasePlan({ namespace, releasePlan: name })}>{name}</Link>
}

/** The application of a plan, or the component group that it has instead. */
function Releasable({ plan, at: { namespace } }: { plan: ReleasePlan; at: At }) {
  const { application, componentGroup } = specOf(plan)
  if (application) return <ApplicationLink at={{ namespace, application }} />
  return componentGroup ? `Component group ${componentGroup}` : '-'
}

function MatchStatus({ plan }: { plan: ReleasePlan }) {
  const status = releasePlanStatus(plan)
  return (
    <span title={status === 'Not Matched' ? unmatchedReason(plan) : undefined}>
      <StatusLabel status={status} verdict={releasePlanVerdict(plan)} />
    </span>
  )
}

function Admission({ plan }: { plan: ReleasePlan }) {
  const admission = attachedAdmission(plan)
  if (!admission) return '-'
  return (
    <>
      {!admission.isActive && (
        <>
          <Label isCompact status="warning" title="This admission blocks releases">
            Blocked
          </Label>{' '}
        </>
      )}
      {admission.name}
    </>
  )
}

const NoReleasePlans = () => (
  <MessagePanel
    titleText="No Release Plan found"
    icon={ListIcon}
    action={<ExternalLink href={releaseDocsUrl}>Learn how to release an application</ExternalLink>}
  >
    A release plan says where the snapshots of an application are released to.
  </MessagePanel>
)
