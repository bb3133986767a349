import type { PolicyRule, RoleBinding } from '@slipway/kube/core-types'
import type { GrantableRole } from '../platform/public-info'
import { type Capability, capabilitiesOf } from './capabilities'
import { bindingsOfUser, type ClusterUser, type RoleWithRules } from './missing-right'
import { viewer } from './namespace-visibility'
import { grantedRole } from './user-access'

/**
 * The role of the user in a namespace:
 * - `role`: one of the platform's; if `isJudged`, the user has all of its capabilities, and the bindings are not known
 * - `custom`: the only one is not the platform's
 * - `several`: at least one of several is not the platform's
 * - `rights`: without a role that is known; if `isReadOnly`, none of them changes anything
 */
export type OwnRole =
  | { kind: 'role'; name: string; isJudged: boolean }
  | { kind: 'custom'; name: string }
  | { kind: 'several'; names: readonly string[] }
  | { kind: 'rights'; isReadOnly: boolean }

interface Facts {
  /** Of the platform, the most privileged first. */
  roles: readonly RoleWithRules[]
  /** Of the namespace; `undefined` if they may not be read. */
  bindings: readonly RoleBinding[] | undefined
  user: ClusterUser | undefined
  /** Everything that the user may do in the namespace; `undefined` if the cluster does not say. */
  rules: readonly PolicyRule[] | undefined
}

/** `undefined` if nothing says which role it is. */
export function ownRole({ roles, bindings, user, rules }: Facts): OwnRole | undefined {
  const platform = roles.map(({ role }) => role)
  return (
    (bindings && user && boundRole(platform, bindingsOfUser(bindings, user))) ?? (rules && judgedRole(roles, rules))
  )
}

/** `undefined` without a binding: the rights may still come from one of the cluster. */
function boundRole(platform: readonly GrantableRole[], bindings: readonly RoleBinding[]): OwnRole | undefined {
  const granted = bindings.map((binding) => grantedRole([...platform, viewer], binding))
  // Each role of the platform contains those below it.
  const highest = [...platform, viewer].find((role) => granted.includes(role))
  const custom = bindings.flatMap(({ roleRef }, index) => (granted[index] ? [] : roleRef.name))
  const names = [...new Set([...(highest ? [highest.displayName] : []), ...custom])]
  const [name, ...others] = names
  if (name === undefined) return undefined
  if (others.length > 0) return { kind: 'several', names }
  return highest ? { kind: 'role', name, isJudged: false } : { kind: 'custom', name }
}

function judgedRole(roles: readonly RoleWithRules[], rules: readonly PolicyRule[]): OwnRole {
  const own = capabilitiesOf(rules)
  const covered = roles.find((role) => {
    const needed = capabilitiesOf(role.rules)
    return needed.length > 0 && needed.every((each) => own.includes(each))
  })
  if (covered) return { kind: 'role', name: covered.role.displayName, isJudged: true }
  return { kind: 'rights', isReadOnly: !own.some(({ isWrite }) => isWrite) }
}

/** `Contributor`, `Custom role: deployer`, `Several roles`, `Custom rights` or `Read only`. */
export function ownRoleText(role: OwnRole): string {
  switch (role.kind) {
    case 'role':
      return role.name
    case 'custom':
      return `Custom role: ${role.name}`
    case 'several':
      return 'Several roles'
    case 'rights':
      return role.isReadOnly ? 'Read only' : 'Custom rights'
  }
}

/** What a role can do and its user cannot. */
export const lackedOf = (rules: readonly PolicyRule[], role: readonly PolicyRule[]): readonly Capability[] => {
  const own = capabilitiesOf(rules)
  return capabilitiesOf(role).filter((each) => !own.includes(each))
}
