import { type PolicyRule, type RoleBinding, roleBindingType, type Subject } from '@slipway/kube/core-types'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import type { GrantableRole } from '../platform/public-info'
import { userActionRoles } from './roles/user-actions'
import { grantedRole, sanitisedUsername, subjectTexts } from './user-access'

/** What a user may do in a namespace: with all objects of a type, or with one of them. */
export interface Right {
  verb: string
  type: Pick<ResourceType, 'group' | 'plural'>
  subresource?: string
  /** Of the only object that it is about. */
  name?: string
}

/** A role that the platform can give, with the rules that it consists of. */
export interface RoleWithRules {
  role: GrantableRole
  rules: readonly PolicyRule[]
}

/** Such as `delete secrets`, or with the group of the type after a dot. */
export const rightText = ({ verb, type }: Right): string => `${verb} ${qualifiedPlural(type)}`

/** Whether rules give a right, as the authorizer of Kubernetes reads them. */
export const gives = (rules: readonly PolicyRule[], { verb, type, subresource, name }: Right): boolean =>
  rules.some(
    ({ verbs, apiGroups = [], resources = [], resourceNames = [] }) =>
      includes(verbs, verb) &&
      includes(apiGroups, type.group) &&
      includesResource(resources, type.plural, subresource) &&
      (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name))),
  )

const includes = (names: readonly string[], name: string): boolean => names.includes(name) || names.includes('*')

const includesResource = (resources: readonly string[], plural: string, subresource: string | undefined): boolean =>
  subresource === undefined
    ? includes(resources, plural)
    : includes(resources, `${plural}/${subresource}`) || resources.includes(`*/${subresource}`)

/** The roles that give all of some rights, in the order of the platform: the most privileged first. */
export const rolesWith = (roles: readonly RoleWithRules[], rights: readonly Right[]): GrantableRole[] =>
  roles.filter(({ rules }) => rights.every((right) => gives(rules, right))).map(({ role }) => role)

/** The rules of a role as the platform delivers it, for users who may not read roles. */
export const deliveredRules = ({ roleRef }: GrantableRole): readonly PolicyRule[] =>
  userActionRoles.find(({ metadata }) => metadata.name === `${roleRef.name}-core`)?.rules ?? []

/** Who a user is to the cluster. */
export interface ClusterUser {
  username: string
  groups: readonly string[]
}

/** The platform's roles that a user has by the bindings of a namespace, also through a group. */
export const rolesOfUser = (
  roles: readonly GrantableRole[],
  bindings: readonly RoleBinding[],
  user: ClusterUser,
): GrantableRole[] => rolesIn(roles, bindingsOfUser(bindings, user))

/** The bindings that name a user or one of the user's groups. */
export const bindingsOfUser = (bindings: readonly RoleBinding[], user: ClusterUser): RoleBinding[] =>
  bindings.filter(({ subjects = [] }) => subjects.some((subject) => isUser(subject, user)))

const isUser = ({ kind, name }: Subject, { username, groups }: ClusterUser): boolean =>
  kind === 'User' ? name === username : kind === 'Group' && groups.includes(name)

const rolesIn = (roles: readonly GrantableRole[], bindings: readonly RoleBinding[]): GrantableRole[] => {
  const granted = new Set(bindings.map((binding) => grantedRole(roles, binding)))
  return roles.filter((role) => granted.has(role))
}

const grant: Right = { verb: 'create', type: roleBindingType }

/** The users and groups whose role lets them give roles in a namespace. */
export function grantersIn(roles: readonly RoleWithRules[], bindings: readonly RoleBinding[]): string[] {
  const granting = rolesWith(roles, [grant])
  return [...new Set(bindings.filter((binding) => grantedRole(granting, binding)).flatMap(subjectTexts))].sort()
}

interface AccessRequest {
  username: string
  namespace: string
  /** What the user wants to do, as its button says. */
  action: string
  rights: readonly Right[]
  /** The least role that gives the rights; `undefined` if none is known to. */
  role: GrantableRole | undefined
}

/** A request that a user can send to those who give access, with the command that grants it. */
export function accessRequest({ username, namespace, action, rights, role }: AccessRequest): string {
  const wish = `Please give ${username} ${role ? `the role ${role.displayName}` : 'access'} in the namespace ${namespace}.`
  const purpose = `For: ${action} (${rights.map(rightText).join(', ')})`
  return [wish, purpose, ...(role ? ['', grantCommand(role, namespace, username)] : [])].join('\n')
}

const grantCommand = (role: GrantableRole, namespace: string, username: string): string =>
  [
    'kubectl create rolebinding',
    bindingNameFor(role, username),
    `--namespace=${namespace}`,
    `--${role.roleRef.kind.toLowerCase()}=${role.roleRef.name}`,
    `--user=${shellQuoted(username)}`,
  ].join(' ')

const bindingNameFor = ({ roleRef }: GrantableRole, username: string): string =>
  `${roleRef.name.replace(/-user-actions$/, '')}-${sanitisedUsername(username)}-user-actions`

const shellQuoted = (text: string): string => (/^[\w.@:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
