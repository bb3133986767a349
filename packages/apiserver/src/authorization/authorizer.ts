import type {
  ClusterRole,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject as RbacSubject,
} from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { serviceAccountUser } from '@slipway/kube/user'
import { ruleAllows, type Attributes, type Subject } from './rules'

/** The input of RBAC. An unchanged list should keep its identity, so that it is not indexed again. */
export interface AccessObjects {
  roles: readonly Role[]
  clusterRoles: readonly ClusterRole[]
  roleBindings: readonly RoleBinding[]
  clusterRoleBindings: readonly RoleBinding[]
}

export interface Decision {
  allowed: boolean
  /** `RBAC: allowed by …`; for a denial, errors in the evaluation, such as a binding to a missing role. */
  reason: string
}

export interface Authorizer {
  authorize(attributes: Attributes): Decision
  /** Rules that apply to the user: cluster-wide ones and, given a namespace, those in that namespace. */
  rulesFor(user: Subject, namespace?: string): PolicyRule[]
  /** Errors for missing roles in the user's bindings: `clusterrole.rbac.authorization.k8s.io "x" not found`. */
  missingRoles(user: Subject, namespace?: string): string[]
  /** Rules of the role in a binding; `undefined` if the role does not exist. */
  rulesOf(roleRef: Pick<RoleRef, 'kind' | 'name'>, namespace?: string): PolicyRule[] | undefined
}

/** Members may do everything, regardless of roles. */
export const superuserGroup = 'system:masters'
export const allRules: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** A binding with one of its subjects. */
interface Grant {
  binding: RoleBinding
  subject: RbacSubject
}
/** Grants by namespace ('' for cluster-wide ones), then by subject, so that a request checks only its user's. */
type GrantIndex = Map<string, Map<string, Grant[]>>

/** RBAC on the objects that `read` returns, once for each decision. */
export function createAuthorizer(read: () => AccessObjects): Authorizer {
  const grantsIn = memoizeLast(indexGrants)
  const grantsEverywhere = memoizeLast(indexGrants)
  const rulesOfRoles = memoizeLast(indexRules)
  const rulesOfClusterRoles = memoizeLast(indexRules)

  function* grantsFor(objects: AccessObjects, user: Subject, namespace: string | undefined): Generator<Grant> {
    const { clusterRoleBindings, roleBindings } = objects
    const subjects = [`user ${user.name}`, ...new Set(user.groups.map((group) => `group ${group}`))]
    const scopes = [grantsEverywhere(clusterRoleBindings).get('')]
    if (namespace) scopes.push(grantsIn(roleBindings).get(namespace))
    for (const scope of scopes) for (const subject of subjects) yield* scope?.get(subject) ?? []
  }

  function rulesOf(
    { clusterRoles, roles }: AccessObjects,
    { kind, name }: Pick<RoleRef, 'kind' | 'name'>,
    namespace = '',
  ): PolicyRule[] | undefined {
    return kind === 'ClusterRole'
      ? rulesOfClusterRoles(clusterRoles).get(`/${name}`)
      : rulesOfRoles(roles).get(`${namespace}/${name}`)
  }

  return {
    authorize(attributes) {
      const { user, namespace } = attributes
      if (user.groups.includes(superuserGroup)) return { allowed: true, reason: '' }
      const objects = read()
      const missing = new Set<string>()
      for (const grant of grantsFor(objects, user, namespace)) {
        const { roleRef } = grant.binding
        const rules = rulesOf(objects, roleRef, namespaceOf(grant.binding))
        if (!rules) missing.add(missingRole(roleRef))
        else if (rules.some((rule) => ruleAllows(rule, attributes))) {
          return { allowed: true, reason: `RBAC: allowed by ${describeGrant(grant)}` }
        }
      }
      const texts = [...missing]
      return { allowed: false, reason: texts.length ? `RBAC: ${texts[1] ? `[${texts.join(', ')}]` : texts[0]}` : '' }
    },
    rulesFor(user, namespace) {
      const objects = read()
      const rules = new Set<PolicyRule>()
      for (const { binding } of grantsFor(objects, user, namespace)) {
        for (const rule of rulesOf(objects, binding.roleRef, namespaceOf(binding)) ?? []) rules.add(rule)
      }
      return [...rules]
    },
    missingRoles(user, namespace) {
      const objects = read()
      const missing = new Set<string>()
      for (const { binding } of grantsFor(objects, user, namespace)) {
        if (!rulesOf(objects, binding.roleRef, namespaceOf(binding))) missing.add(missingRole(binding.roleRef))
      }
      return [...missing]
    },
    rulesOf: (roleRef, namespace) => rulesOf(read(), roleRef, namespace),
  }
}

/** Memoizes a function for the last argument, compared by identity. */
function memoizeLast<A, B>(compute: (argument: A) => B): (argument: A) => B {
  let last: { argument: A; result: B } | undefined
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: compute(argument) }
    return last.result
  }
}

function indexGrants(bindings: readonly RoleBinding[]): GrantIndex {
  const index: GrantIndex = new Map()
  for (const binding of bindings) {
    const namespace = namespaceOf(binding) ?? ''
    let scope = index.get(namespace)
    if (!scope) index.set(namespace, (scope = new Map()))
    for (const subject of binding.subjects ?? []) {
      const key = subjectKey(subject, namespace)
      const grants = scope.get(key)
      if (grants) grants.push({ binding, subject })
      else scope.set(key, [{ binding, subject }])
    }
  }
  return index
}

function subjectKey({ kind, name, namespace }: RbacSubject, bindingNamespace: string): string {
  if (kind === 'Group') return `group ${name}`
  return kind === 'User' ? `user ${name}` : `user ${serviceAccountUser(namespace || bindingNamespace, name)}`
}

const indexRules = (roles: readonly Role[]): Map<string, PolicyRule[]> =>
  // The API accepts a role without rules.
  new Map(roles.map((role) => [`${namespaceOf(role) ?? ''}/${nameOf(role)}`, role.rules ?? []]))

export const missingRole = ({ kind, name }: Pick<RoleRef, 'kind' | 'name'>): string =>
  `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`

function describeGrant({ binding, subject }: Grant): string {
  const namespace = namespaceOf(binding)
  const bindingText = namespace
    ? `RoleBinding ${JSON.stringify(`${nameOf(binding)}/${namespace}`)}`
    : `ClusterRoleBinding ${JSON.stringify(nameOf(binding))}`
  const subjectName =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || (namespace ?? '')}` : subject.name
  const { kind, name } = binding.roleRef
  return `${bindingText} of ${kind} ${JSON.stringify(name)} to ${subject.kind} ${JSON.stringify(subjectName)}`
}
