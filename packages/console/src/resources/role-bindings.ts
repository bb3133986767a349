import { roleBindingType } from '@slipway/kube/core-types'
import { permission } from '../api/access/permission'
import { getQuery, listQuery } from '../api/queries'

export const roleBindings = {
  list: (namespace: string) => listQuery(roleBindingType, { namespace }),
  /** Who has which role, for what is beside the subject of a page. Many users may not list the bindings. */
  grants: (namespace: string) =>
    listQuery(
      roleBindingType,
      { namespace, mask: ['metadata.name', 'roleRef', 'subjects'] },
      { live: false, isReviewed: true },
    ),
  get: (namespace: string, name: string) => getQuery(roleBindingType, { namespace, name }),
}

export const grantAccessPermission = permission('You cannot grant access in this namespace', [
  'create',
  roleBindingType,
])

/** Editing access creates new bindings in place of the old one. */
export const editAccessPermission = permission(
  "You don't have permission to edit access",
  ['update', roleBindingType],
  ['create', roleBindingType],
  ['delete', roleBindingType],
)

/** The same rights: a binding for everyone is created, or taken from among other subjects of one. */
export const changeVisibilityPermission = permission(
  "You don't have access to change who can see this namespace",
  ['create', roleBindingType],
  ['update', roleBindingType],
  ['delete', roleBindingType],
)
