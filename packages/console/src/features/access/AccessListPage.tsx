import { EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core'
import UsersIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-users-icon'
import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { grantedRole, subjectTexts, usernamesOf } from '@slipway/model/access/user-access'
import { useState } from 'react'
import { useNavigate, type LoaderFunctionArgs } from 'react-router'
import { prefetchAccess, disabledReason, requireAccess, useAccess } from '../../api/access/access'
import type { AccessCheck } from '../../api/access/access-review'
import { queryClient } from '../../api/query-client'
import { objectRows, type RowKind, useJoined, useList } from '../../api/source'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { roleBindings } from '../../resources/role-bindings'
import { ActionButton } from '../../ui/actions/ActionButton'
import { Page } from '../../ui/page/Page'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { ResourceTable } from '../../ui/table/ResourceTable'
import type { Column, Filter } from '../../ui/table/rows'
import { WithRoles } from './WithRoles'

const check = (verb: AccessCheck['verb'], namespace: string): AccessCheck => ({
  verb,
  type: roleBindingType,
  namespace,
})
const toGrant = (namespace: string) => [check('create', namespace)]
const toRevoke = (namespace: string) => [check('delete', namespace)]
/** Editing makes new bindings in place of the old one. */
const toEdit = (namespace: string) => [check('update', namespace), ...toGrant(namespace), ...toRevoke(namespace)]

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace } = paramsOf(params, 'namespace')
  const ready = queryClient.prefetchQuery(publicInfo.get())
  await Promise.all([requireAccess('list', roleBindingType, namespace), prefetchAccess(toEdit(namespace))])
  void queryClient.prefetchQuery(roleBindings.list(namespace))
  await ready
  return null
}

export { AccessListPage as Component }
function AccessListPage() {
  const { namespace } = useRequiredParams('namespace')
  return (
    <Page title="User access" breadcrumbs={[{ label: 'User access' }]} description="Who may do what in this namespace.">
      <WithRoles>{(roles) => <AccessTable namespace={namespace} roles={roles} />}</WithRoles>
    </Page>
  )
}

function AccessTable({ namespace, roles }: { namespace: string; roles: GrantableRole[] }) {
  const navigate = useNavigate()
  const [revoking, setRevoking] = useState<Grant>()
  const mayEdit = useAccess(toEdit(namespace))
  const mayRevoke = useAccess(toRevoke(namespace))
  const source = useJoined(
    [useList(roleBindings.list(namespace))],
    ([bindings]) => bindings && grantsOf(bindings, roles),
    grantRows,
  )
  return (
    <>
      <ResourceTable
        label="User access"
        source={source}
        columns={columns}
        filters={filters}
        toolbar={<GrantAccess namespace={namespace} />}
        empty={roles.length > 0 ? <NoAccess namespace={namespace} /> : <NoRoles />}
        actions={({ binding, role }) => {
          const noUser = usernamesOf(binding).length === 0 && 'This binding has no user'
          return [
            {
              label: 'Edit access',
              disabledReason: noUser || disabledReason(mayEdit, "You don't have permission to edit access"),
              onSelect: () => void navigate(paths.editAccess({ namespace, binding: nameOf(binding) })),
            },
            {
              label: 'Revoke access',
              isDanger: true,
              disabledReason: noUser || disabledReason(mayRevoke, "You don't have permission to revoke access"),
              onSelect: () => setRevoking({ binding, role }),
            },
          ]
        }}
      />
      {revoking && <RevokeAccessDialog {...revoking} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

const RevokeAccessDialog = lazyComponent(() => import('./RevokeAccessDialog'), 'RevokeAccessDialog', {
  Missing: ChunkLoadAlert,
})

/** A binding that gives people a role of the platform. */
interface Grant {
  binding: RoleBinding
  /** As the platform calls it. */
  role: string
}

const grantRows: RowKind<Grant> = {
  idOf: ({ binding }) => objectRows.idOf(binding),
  nameOf: ({ binding }) => nameOf(binding),
  isBeingDeleted: ({ binding }) => objectRows.isBeingDeleted(binding),
}

/** Only roles of the platform: a namespace has bindings of controllers and of the cluster too. */
const grantsOf = (bindings: readonly RoleBinding[], roles: GrantableRole[]): Grant[] =>
  bindings.flatMap((binding) => {
    const role = grantedRole(roles, binding)
    return role ? [{ binding, role: role.displayName }] : []
  })

const usersOf = ({ binding }: Grant) => subjectTexts(binding).join(' ')

const columns: Column<Grant>[] = [
  {
    id: 'username',
    label: 'Username',
    isRowHeader: true,
    width: 50,
    sortBy: usersOf,
    cell: ({ binding }) => <Subjects binding={binding} />,
  },
  { id: 'role', label: 'Role', width: 15, sortBy: ({ role }) => role, cell: ({ role }) => role },
  { id: 'binding', label: 'Role Binding', sortBy: grantRows.nameOf, cell: grantRows.nameOf },
]

const filters: Filter<Grant>[] = [{ id: 'username', label: 'username', text: usersOf }]

/** Everybody whom a binding gives its role. */
function Subjects({ binding }: { binding: RoleBinding }) {
  const subjects = subjectTexts(binding)
  return subjects.length > 0 ? subjects.join(', ') : '-'
}

function GrantAccess({ namespace }: { namespace: string }) {
  const mayGrant = useAccess(toGrant(namespace))
  return (
    <ActionButton
      to={paths.grantAccess({ namespace })}
      disabledReason={disabledReason(mayGrant, 'You cannot grant access in this namespace')}
    >
      Grant access
    </ActionButton>
  )
}

const NoAccess = ({ namespace }: { namespace: string }) => (
  <EmptyState headingLevel="h2" titleText="No user has one of the platform's roles" icon={UsersIcon}>
    <EmptyStateBody>Give people a role, and they can work in this namespace with you.</EmptyStateBody>
    <EmptyStateFooter>
      <EmptyStateActions>
        <GrantAccess namespace={namespace} />
      </EmptyStateActions>
    </EmptyStateFooter>
  </EmptyState>
)

const NoRoles = () => (
  <EmptyState headingLevel="h2" titleText="This platform is configured with no role" icon={UsersIcon}>
    <EmptyStateBody>
      People may have been given access all the same. Whoever runs the platform names the roles that are shown here.
    </EmptyStateBody>
  </EmptyState>
)
