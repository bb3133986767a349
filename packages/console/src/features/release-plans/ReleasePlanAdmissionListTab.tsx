import ListIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-list-icon'
import { type KubeList, nameOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type Application, applicationType } from '@slipway/model/builds/application'
import {
  admittedApplications,
  flagText,
  type ReleasePlanAdmission,
  releasePlanAdmissionType,
} from '@slipway/model/releases/release-plan'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { accessQuery } from '../../api/access/access'
import { permission } from '../../api/access/permission'
import { paths } from '../../paths'
import { releaseDocsUrl } from '../../product'
import { applications } from '../../resources/applications'
import { actionChecks, type DefinedAction } from '../../ui/actions/defined-action'
import { deletingReason } from '../../ui/actions/deleting-reason'
import { useActions } from '../../ui/actions/use-actions'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import '../../ui/inline-list.css'

export const page = route(paths.releasePlanAdmissions, ({ namespace }) => ({
  require: [{ verb: 'list', type: releasePlanAdmissionType, namespace }],
  check: actionChecks(namespace, ...admissionActions),
}))

export { ReleasePlanAdmissionListTab as Component }
function ReleasePlanAdmissionListTab() {
  const { namespace } = page.useParams()
  const { actionsOf, dialog } = useActions(admissionActions, { namespace })
  return (
    <>
      <ViewTable
        label="Release plan admissions"
        view={{ kind: releasePlanAdmissionType.plural, namespaces: [namespace] }}
        columns={columns}
        filters={filters}
        firstSort="name"
        empty={<NoAdmissions />}
        actions={actionsOf}
      />
      {dialog}
    </>
  )
}

const admissionActions: readonly DefinedAction<ReleasePlanAdmission>[] = [
  {
    label: 'Delete',
    isDanger: true,
    needs: permission("You don't have access to delete this release plan admission", [
      'delete',
      releasePlanAdmissionType,
    ]),
    disabledReason: (admission) => deletingReason(admission, 'release plan admission'),
    dialog: (admission, { onClose }) => (
      <LazyConfirmDeleteDialog
        type={releasePlanAdmissionType}
        object={admission}
        noun="Release plan admission"
        onClose={onClose}
      >
        Releases to this namespace by the plans that it matches will fail. This cannot be undone.
      </LazyConfirmDeleteDialog>
    ),
  },
]

const columns: Column<ReleasePlanAdmission>[] = [
  nameColumn(nameOf),
  {
    id: 'application',
    label: 'Application',
    width: 30,
    sortBy: (admission) => admittedApplications(admission)[0],
    cell: (admission) => <Applications admission={admission} />,
  },
  {
    id: 'origin',
    label: 'Source Namespace',
    width: 20,
    sortBy: (admission) => specOf(admission).origin,
    cell: (admission) => specOf(admission).origin ?? '-',
  },
  {
    id: 'blockReleases',
    label: 'Block releases',
    width: 15,
    sortBy: (admission) => flagText(admission, labels.blockReleases),
    cell: (admission) => flagText(admission, labels.blockReleases),
  },
]

const filters: Filter<ReleasePlanAdmission>[] = [byName(nameOf)]

/**
 * The admitted applications, which are in the source namespace: by display name and with a link for users who may list
 * applications there, and otherwise as the admission names them. Requested only for rendered rows.
 */
function Applications({ admission }: { admission: ReleasePlanAdmission }) {
  const { origin, componentGroups } = specOf(admission)
  const namespace = origin ?? ''
  const mayList = useQuery({
    ...accessQuery({ verb: 'list', type: applicationType, namespace }),
    enabled: namespace !== '',
  })
  const { data: known } = useQuery({
    ...applications.displayNames(namespace),
    enabled: mayList.data === true,
    select: toDisplayNames,
  })
  const names = admittedApplications(admission)
  if (names.length === 0) return componentGroups ? `Component groups ${componentGroups.join(', ')}` : '-'
  return (
    <ul className="slipway-inline-list">
      {names.map((application) => {
        const displayName = known?.get(application)
        return (
          <li key={application}>
            {displayName === undefined ? (
              application
            ) : (
              <Link to={paths.application({ namespace, application })}>{displayName}</Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const toDisplayNames = ({ items }: KubeList<Application>): ReadonlyMap<string, string> =>
  new Map(items.map((application) => [nameOf(application), specOf(application).displayName || nameOf(application)]))

const NoAdmissions = () => (
  <MessagePanel
    titleText="No Release Plan Admission found"
    icon={ListIcon}
    action={<ExternalLink href={releaseDocsUrl}>Learn how to admit releases</ExternalLink>}
  >
    A release plan admission lets release plans of another namespace release to this one.
  </MessagePanel>
)
