import { roleBindingType } from '@slipway/kube/core-types'
import type { AccessCheck, AccessVerb } from '../api/access/access-review'
import { getQuery, listQuery } from '../api/queries'

export const roleBindings = {
  list: (namespace: string) => listQuery(roleBindingType, { namespace }),
  get: (namespace: string, name: string) => getQuery(roleBindingType, { namespace, name }),
}

const check = (verb: AccessVerb, namespace: string): AccessCheck => ({ verb, type: roleBindingType, namespace })

/** The permissions needed to grant access. */
export const grantAccessChecks = (namespace: string): AccessCheck[] => [check('create', namespace)]

/** The permissions needed to revoke access. */
export const revokeAccessChecks = (namespace: string): AccessCheck[] => [check('delete', namespace)]

/** The permissions needed to edit access, which creates new bindings in place of the old one. */
export const editAccessChecks = (namespace: string): AccessCheck[] => [
  check('update', namespace),
  ...grantAccessChecks(namespace),
  ...revokeAccessChecks(namespace),
]
