import type { ClusterRole, PolicyRule, Role, RoleBinding, RoleRef } from '@slipway/kube/core-types'
import type { UserInfo } from './user'

/** Everything RBAC looks at. A list that did not change should keep its identity: it is then not indexed again. */
export interface AccessObjects {
  roles: readonly Role[]
  clusterRoles: readonly ClusterRole[]
  roleBindings: readonly RoleBinding[]
  clusterRoleBindings: readonly RoleBinding[]
}

export type Subject = Pick<UserInfo, 'name' | 'groups'>

/** One request, as far as permission goes: about a resource, or about a bare `path`. */
export interface Attributes {
  user: Subject
  verb: string
  group?: string
  /** Plural name. */
  resource?: string
  subresource?: string
  namespace?: string
  /** For list and watch: the name in a `metadata.name=` field selector. */
  name?: string
  /** Set for requests that are not about a resource: `/version`. */
  path?: string
}

export interface Decision {
  allowed: boolean
  /** `RBAC: allowed by …`; on a refusal, what went wrong while looking (a binding to a role that does not exist). */
  reason: string
}

export interface Authorizer {
  authorize(attributes: Attributes): Decision
  /** Rules that hold for the user: cluster-wide ones and, with a namespace, the ones of that namespace. */
  rulesFor(user: Subject, namespace?: string): PolicyRule[]
  /** Rules of the role a binding names; `undefined` when there is no such role. */
  rulesOf(roleRef: Pick<RoleRef, 'kind' | 'name'>, namespace?: string): PolicyRule[] | undefined
}

export function createAuthorizer(read: () => AccessObjects): Authorizer {
  throw new Error(String(read))
}
