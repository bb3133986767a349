import { roleBindingType } from '@slipway/kube/core-types'
import { permission } from '../api/access/permission'
import { getQuery, listQuery } from '../api/queries'

export const roleBindings = {
  list: (namespace: string) => listQuery(roleBindingType, { namespace }),
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
