import type { ClusterRole, PolicyRule, Role, RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { allRules, missingRole, superuserGroup, type Authorizer, type Subject } from '../authorization/authorizer'
import { forbiddenObject } from './forbidden'
import { uncoveredRules } from './rules'

/** Nobody hands out what they do not hold. Source: pkg/registry/rbac of Kubernetes. */

/** Why a role or binding may not be written; `message` is the whole sentence of the Status. */
export interface Refusal {
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
  /** The stored object, on an update. */
  old?: T
}

/** A role may be written by who holds every rule in it, or may `escalate` it. */
export function refuseRoleWrite(write: RoleWrite<Role | ClusterRole>): Refusal | undefined {
  const { authorizer, user, type, object, old } = write
  if (user.groups.includes(superuserGroup) || (old && sameButForCollection(object, old))) return undefined
  const namespace = namespaceOf(object)
  const { group, plural: resource } = type
  // A request that creates has no name in its path.
  const name = old && nameOf(old)
  if (authorizer.authorize({ user, verb: 'escalate', group, resource, namespace, name }).allowed) return undefined
  const held = authorizer.rulesFor(user, namespace)
  const refusal = notHeld(write, uncoveredRules(held, object.rules ?? []))
  if (refusal) return refusal
  // What gathers may gather anything, and what gathered may have been kept tight by it.
  if ((aggregates(object) || (old && aggregates(old))) && uncoveredRules(held, allRules).length > 0) {
    return forbidden(write, 'must have cluster-admin privileges to use the aggregationRule')
  }
  return undefined
}

/** A binding may be written by who holds every rule of its role there, or may `bind` that role. */
export function refuseBindingWrite(write: RoleWrite<RoleBinding>): Refusal | undefined {
  const { authorizer, user, type, object, old } = write
  if (user.groups.includes(superuserGroup) || (old && sameButForCollection(object, old))) return undefined
  const namespace = namespaceOf(object)
  // Looked at before it is validated: what names no role gives nothing away.
  const { kind, name } = object.roleRef ?? {}
  if (!kind || !name) return undefined
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles'
  if (authorizer.authorize({ user, verb: 'bind', group: type.group, resource, namespace, name }).allowed) {
    return undefined
  }
  const wanted = authorizer.rulesOf(object.roleRef, namespace)
  if (!wanted) return { code: 404, reason: 'NotFound', message: missingRole(object.roleRef) }
  return notHeld(write, uncoveredRules(authorizer.rulesFor(user, namespace), wanted))
}

const aggregates = (role: Role | ClusterRole): boolean =>
  'aggregationRule' in role && !!role.aggregationRule?.clusterRoleSelectors?.length

/** The garbage collector changes owners and finalizers of roles that it could not write itself. */
function sameButForCollection(object: KubeObject, old: KubeObject): boolean {
  const rest = ({ metadata, ...others }: KubeObject) => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, resourceVersion: _r, ...kept } = metadata
    return JSON.stringify(sorted({ ...others, metadata: kept }))
  }
  return rest(object) === rest(old)
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)])
}

const forbidden = ({ type, object }: RoleWrite<Role | RoleBinding>, detail: string): Refusal => ({
  code: 403,
  reason: 'Forbidden',
  message: forbiddenObject({ group: type.group, resource: type.plural, name: nameOf(object) }, detail),
})

function notHeld(write: RoleWrite<Role | RoleBinding>, missing: readonly PolicyRule[]): Refusal | undefined {
  if (missing.length === 0) return undefined
  const { name, groups } = write.user
  const lines = [...new Set(compacted(missing).map(printedRule))].sort()
  const who = `user ${JSON.stringify(name)} (groups=${quotedList(groups)})`
  const text = `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`
  return forbidden(write, text)
}

/** Joins the verbs of rules about the same thing, in the order they came. */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const byThing = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const { verbs, ...thing } = rule
    const key = rule.nonResourceURLs ? JSON.stringify(rule) : JSON.stringify(thing)
    const known = byThing.get(key)
    byThing.set(key, known ? { ...known, verbs: [...new Set([...known.verbs, ...verbs])] } : rule)
  }
  return [...byThing.values()]
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
