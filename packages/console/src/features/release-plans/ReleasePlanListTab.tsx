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
import { type NamespaceParams, paths } from '../../paths'
import { releaseDocsUrl } from '../../product'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { tablePreferences } from '../../ui/table/columns'
import { byName, byStatus, nameColumn, statusColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { releasePlanActions } from './release-plan-actions'
import { Admission, MatchStatus, Releasable } from './ReleasePlanFacts'

export const page = route(paths.releasePlans, ({ namespace }) => ({
  require: [{ verb: 'list', type: releasePlanType, namespace }],
  check: actionChecks(namespace, ...releasePlanActions),
}))

export { ReleasePlanListTab as Component }
function ReleasePlanListTab() {
  const { namespace } = page.useParams()
  const { actionsOf, dialog } = useActions(releasePlanActions, { namespace })
  return (
    <>
      <ViewTable
        label="Release plans"
        at={{ namespace }}
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

const columns: Column<ReleasePlan, NamespaceParams>[] = [
  nameColumn(nameOf, { linkTo: (plan, { namespace }) => paths.releasePlan({ namespace, releasePlan: nameOf(plan) }) }),
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
    widthRem: valueWidthsRem.type,
    visibleFrom: 'xl',
    sortBy: (plan) => flagText(plan, labels.autoRelease),
    cell: (plan) => flagText(plan, labels.autoRelease),
  },
  {
    id: 'standingAttribution',
    label: 'Standing attribution',
    widthRem: valueWidthsRem.count,
    visibleFrom: '2xl',
    sortBy: (plan) => flagText(plan, labels.standingAttribution),
    cell: (plan) => flagText(plan, labels.standingAttribution),
  },
  statusColumn('withVerdict', (plan) => <MatchStatus plan={plan} />, { sortBy: releasePlanStatus }),
  {
    id: 'admission',
    label: 'Release plan admission',
    width: 20,
    visibleFrom: 'xl',
    sortBy: (plan) => attachedAdmission(plan)?.name,
    cell: (plan) => <Admission plan={plan} />,
  },
]

const filters: Filter<ReleasePlan>[] = [byName(nameOf), byStatus(releasePlanStatus, releasePlanStatuses)]

const NoReleasePlans = () => (
  <MessagePanel
    titleText="No Release Plan found"
    icon={ListIcon}
    action={<ExternalLink href={releaseDocsUrl}>Learn how to release an application</ExternalLink>}
  >
    A release plan says where the snapshots of an application are released to.
  </MessagePanel>
)
