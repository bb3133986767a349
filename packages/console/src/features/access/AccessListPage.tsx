import UsersIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-users-icon'
import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { hasChangeableSubject } from '@slipway/model/access/role-change'
import { grantedRole, subjectTexts, usernamesOf } from '@slipway/model/access/user-access'
import { permission } from '../../api/access/permission'
import { objectRows, type RowKind, useJoined, useList } from '../../api/source'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { editAccessPermission, grantAccessPermission, roleBindings } from '../../resources/role-bindings'
import { actionChecks, type DefinedAction } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { Page } from '../../ui/page/Page'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { changeNamespaceVisibility, NamespaceVisibility } from './NamespaceVisibility'
import { WithRoles } from './WithRoles'

export const page = route(paths.access, ({ namespace }) => ({
  require: [{ verb: 'list', type: roleBindingType, namespace }],
  check: actionChecks(namespace, grantAccess, changeNamespaceVisibility, changeRole, ...accessActions),
  waitFor: [publicInfo.get()],
  read: [roleBindings.list(namespace)],
}))

export { AccessListPage as Component }
function AccessListPage() {
  const { namespace } = page.useParams()
  return (
    <Page
      title="User access"
      breadcrumbs={[{ label: 'User access' }]}
      description="People with access to this namespace, and their roles."
    >
      <WithRoles>{(roles) => <AccessTable namespace={namespace} roles={roles} />}</WithRoles>
    </Page>
  )
}

function AccessTable({ namespace, roles }: { namespace: string; roles: GrantableRole[] }) {
  const { actionsOf, dialog } = useActions(accessActions, { namespace })
  const bulk = useActions([changeRole], { namespace })
  const all = useList(roleBindings.list(namespace))
  const source = useJoined([all], ([bindings]) => bindings && grantsOf(bindings, roles), grantRows)
  return (
    <>
      {all.rows && <NamespaceVisibility at={{ namespace }} bindings={all.rows} roles={roles} />}
      <ListTable
        label="User access"
        source={source}
        columns={columns}
        filters={filters}
        toolbar={<DefinedButton action={grantAccess} at={{ namespace }} />}
        empty={roles.length > 0 ? <NoAccess namespace={namespace} /> : <NoRoles />}
        actions={actionsOf}
        bulkActions={(grants, deselect) => bulk.actionsOf({ grants, roles, deselect })}
      />
      {dialog}
      {bulk.dialog}
    </>
  )
}

const RevokeAccessDialog = lazyComponent(() => import('./RevokeAccessDialog'), 'RevokeAccessDialog', {
  Missing: ChunkLoadAlert,
})

const ChangeRoleDialog = lazyComponent(() => import('./ChangeRoleDialog'), 'ChangeRoleDialog', {
  Missing: ChunkLoadAlert,
})

/** A binding that gives users one of the platform's roles. */
interface Grant {
  binding: RoleBinding
  /** Display name of the role. */
  role: string
}

const grantAccess: DefinedAction = {
  label: 'Grant access',
  needs: grantAccessPermission,
  to: (_, at) => paths.grantAccess(at),
}

const withoutUser = ({ binding }: Grant) => usernamesOf(binding).length === 0 && 'This binding has no user'

const accessActions: readonly DefinedAction<Grant>[] = [
  {
    label: 'Edit access',
    needs: editAccessPermission,
    disabledReason: withoutUser,
    to: ({ binding }, { namespace }) => paths.editAccess({ namespace, binding: nameOf(binding) }),
  },
  {
    label: 'Revoke access',
    isDanger: true,
    needs: permission("You don't have permission to revoke access", ['delete', roleBindingType]),
    disabledReason: withoutUser,
    dialog: (grant, { onClose }) => <RevokeAccessDialog {...grant} onClose={onClose} />,
  },
]

interface SelectedGrants {
  grants: readonly Grant[]
  roles: readonly GrantableRole[]
  deselect: () => void
}

/** Gives the users and groups of several bindings another role at once. */
const changeRole: DefinedAction<SelectedGrants> = {
  label: 'Change role',
  isWrite: true,
  needs: editAccessPermission,
  disabledReason: ({ grants }) =>
    !grants.some(({ binding }) => hasChangeableSubject(binding)) &&
    'None of the selected bindings has a user or a group',
  dialog: ({ grants, roles, deselect }, { at, onClose }) => (
    <ChangeRoleDialog
      namespace={at.namespace}
      bindings={grants.map(({ binding }) => binding)}
      roles={roles}
      onDone={deselect}
      onClose={onClose}
    />
  ),
}

const grantRows: RowKind<Grant> = {
  idOf: ({ binding }) => objectRows.idOf(binding),
  nameOf: ({ binding }) => nameOf(binding),
  isBeingDeleted: ({ binding }) => objectRows.isBeingDeleted(binding),
}

/** Only bindings of the platform's roles: a namespace also has bindings of controllers and of the cluster. */
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

/** All subjects of a binding. */
function Subjects({ binding }: { binding: RoleBinding }) {
  const subjects = subjectTexts(binding)
  return subjects.length > 0 ? subjects.join(', ') : '-'
}

const NoAccess = ({ namespace }: { namespace: string }) => (
  <MessagePanel
    titleText="No user has one of the platform's roles"
    icon={UsersIcon}
    action={<DefinedButton action={grantAccess} at={{ namespace }} />}
  >
    Give people a role so that they can work with you in this namespace.
  </MessagePanel>
)

const NoRoles = () => (
  <MessagePanel titleText="No roles are configured" icon={UsersIcon}>
    People may still have access by other means. The platform's operators configure the roles that are shown here.
  </MessagePanel>
)
