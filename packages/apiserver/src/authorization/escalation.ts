import type { ClusterRole, PolicyRule, Role, RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { allRules, missingRole, superuserGroup, type Authorizer } from './authorizer'
import { forbiddenObject } from './forbidden'
import { uncoveredRules, type Subject } from './rules'

/** Users may grant only permissions that they hold. Source: pkg/registry/rbac of Kubernetes. */

/** Why a role or binding may not be written; `message` is the complete message of the Status. */
export interface Denial {
  code: 403 | 404
  reason: 'Forbidden' | 'NotFound'
  message: string
}

export interface RoleWrite<T extends Role | ClusterRole | RoleBinding> {
  authorizer: Authorizer
  user: Subject
  /** roleType, clusterRoleType, roleBindingType or clusterRoleBindingType. */
  type: ResourceType
  object: T
  /** The stored object; only for an update. */
  old?: T
}

/** A user may write a role if they hold every rule in it, or may `escalate` it. */
export function checkRoleWrite(write: RoleWrite<Role | ClusterRole>): Denial | undefined {
  const { authorizer, user, type, object, old } = write
  if (user.groups.includes(superuserGroup) || (old && differsOnlyInOwnership(object, old))) return undefined
  const namespace = namespaceOf(object)
  const { group, plural: resource } = type
  // A create request has no name in its path.
  const name = old && nameOf(old)
  if (authorizer.authorize({ user, verb: 'escalate', group, resource, namespace, name }).allowed) return undefined
  const held = authorizer.rulesFor(user, namespace)
  const denial = denyMissing(write, uncoveredRules(held, object.rules ?? []))
  if (denial) return denial
  // Aggregation may add any rule; removing it makes the role's own rules effective.
  if ((aggregates(object) || (old && aggregates(old))) && uncoveredRules(held, allRules).length > 0) {
    return forbidden(write, 'must have cluster-admin privileges to use the aggregationRule')
  }
  return undefined
}

/** A user may write a binding if they hold every rule of its role there, or may `bind` the role. */
export function checkBindingWrite(write: RoleWrite<RoleBinding>): Denial | undefined {
  const { authorizer, user, type, object, old } = write
  if (user.groups.includes(superuserGroup) || (old && differsOnlyInOwnership(object, old))) return undefined
  const namespace = namespaceOf(object)
  // The binding is not validated yet: without a role it grants nothing.
  const { kind, name } = object.roleRef ?? {}
  if (!kind || !name) return undefined
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles'
  if (authorizer.authorize({ user, verb: 'bind', group: type.group, resource, namespace, name }).allowed) {
    return undefined
  }
  const rules = authorizer.rulesOf(object.roleRef, namespace)
  if (!rules) return { code: 404, reason: 'NotFound', message: missingRole(object.roleRef) }
  return denyMissing(write, uncoveredRules(authorizer.rulesFor(user, namespace), rules))
}

const aggregates = (role: Role | ClusterRole): boolean =>
  'aggregationRule' in role && !!role.aggregationRule?.clusterRoleSelectors?.length

/** The garbage collector changes owners and finalizers of roles whose rules it does not hold. */
function differsOnlyInOwnership(object: KubeObject, old: KubeObject): boolean {
  const comparable = ({ metadata, ...others }: KubeObject) => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, resourceVersion: _r, ...rest } = metadata
    return JSON.stringify(sorted({ ...others, metadata: rest }))
  }
  return comparable(object) === comparable(old)
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)])
}

const forbidden = ({ type, object }: RoleWrite<Role | RoleBinding>, detail: string): Denial => ({
  code: 403,
  reason: 'Forbidden',
  message: forbiddenObject({ group: type.group, resource: type.plural, name: nameOf(object) }, detail),
})

function denyMissing(write: RoleWrite<Role | RoleBinding>, missing: readonly PolicyRule[]): Denial | undefined {
  if (missing.length === 0) return undefined
  const { name, groups } = write.user
  const lines = [...new Set(mergeVerbs(missing).map(printedRule))].sort()
  const subject = `user ${JSON.stringify(name)} (groups=${quotedList(groups)})`
  const text = `${subject} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`
  return forbidden(write, text)
}

/** Merges rules that differ only in verbs, in order. */
function mergeVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const byTarget = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const { verbs, ...target } = rule
    const key = rule.nonResourceURLs ? JSON.stringify(rule) : JSON.stringify(target)
    const known = byTarget.get(key)
    byTarget.set(key, known ? { ...known, verbs: [...new Set([...known.verbs, ...verbs])] } : rule)
  }
  return [...byTarget.values()]
}

const printedRule = (rule: PolicyRule): string =>
  `{${[
    ['APIGroups', rule.apiGroups] as const,
    ['Resources', rule.resources] as const,
    ['NonResourceURLs', rule.nonResourceURLs] as const,
    ['ResourceNames', rule.resourceNames] as const,
    ['Verbs', rule.verbs] as const,
  ]
    .flatMap(([label, values]) => (values?.length ? [`${label}:${quotedList(values)}`] : []))
    .join(', ')}}`

/** As Go prints a list of strings: `["a" "b"]`. */
const quotedList = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`
