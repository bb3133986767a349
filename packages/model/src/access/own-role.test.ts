import type { PolicyRule, RoleBinding } from '@slipway/kube/core-types'
import { expect, it, test } from 'vitest'
import type { GrantableRole } from '../platform/public-info'
import { aRoleBinding } from '../testing'
import { deliveredRules } from './missing-right'
import { viewer } from './namespace-visibility'
import { lackedOf, ownRole, ownRoleText } from './own-role'
import { clusterRoleName, type UserRole } from './roles/user-actions'

const apiGroup = 'rbac.authorization.k8s.io'
const role = (name: UserRole): GrantableRole => ({
  displayName: name.replace(/^./, (first) => first.toUpperCase()),
  description: '',
  roleRef: { apiGroup, kind: 'ClusterRole', name: clusterRoleName(name) },
})
const [admin, maintainer, contributor] = [role('admin'), role('maintainer'), role('contributor')]
const roles = [admin, maintainer, contributor].map((each) => ({ role: each, rules: deliveredRules(each) }))
const user = { username: 'ann', groups: ['system:authenticated', 'testers'] }
const bound = ({ roleRef }: Pick<GrantableRole, 'roleRef'>, name = 'ann', kind: 'User' | 'Group' = 'User') =>
  aRoleBinding({ roleRef, subjects: [{ kind, apiGroup, name }] })
const custom = (name: string) => ({ roleRef: { apiGroup, kind: 'Role' as const, name } })
const list: PolicyRule = { verbs: ['list'], apiGroups: [''], resources: ['pods'] }
const rulesOf = (each: GrantableRole) => [...deliveredRules(each), list]

test.each<[when: string, text: string | undefined, bindings: RoleBinding[] | undefined, rules?: PolicyRule[]]>([
  ['the user has a role', 'Contributor', [bound(contributor), bound(admin, 'eve')]],
  ['a group of the user has it', 'Maintainer', [bound(maintainer, 'testers', 'Group')]],
  ['the user has two roles of the platform', 'Admin', [bound(contributor), bound(admin)]],
  [
    'the namespace is public besides',
    'Contributor',
    [bound(viewer, 'system:authenticated', 'Group'), bound(contributor)],
  ],
  ['the namespace is public', 'Viewer', [bound(viewer, 'system:authenticated', 'Group')]],
  ['the user has another role', 'Custom role: deployer', [bound(custom('deployer'))]],
  ['the user has another role twice', 'Custom role: deployer', [bound(custom('deployer')), bound(custom('deployer'))]],
  ['the user has one of the platform and another', 'Several roles', [bound(contributor), bound(custom('deployer'))]],
  ['the bindings are not known, and the rights are those of a role', 'Maintainer', undefined, rulesOf(maintainer)],
  ['the rights come from a binding of the cluster', 'Admin', [bound(admin, 'eve')], rulesOf(admin)],
  ['all rights are given', 'Admin', undefined, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]],
  ['the rights are those of a viewer', 'Read only', undefined, deliveredRules(viewer) as PolicyRule[]],
  ['there are no rights', 'Read only', undefined, []],
  [
    'the rights are less than those of a role, and change something',
    'Custom rights',
    undefined,
    [{ verbs: ['*'], apiGroups: [''], resources: ['secrets'] }],
  ],
  ['nothing is known', undefined, undefined],
  ['there is no binding, and the rights are not known', undefined, [], undefined],
])('when %s, the role is %s', (_, text, bindings, rules) => {
  const found = ownRole({ roles, bindings, user, rules })
  expect(found && ownRoleText(found)).toBe(text)
})

test.each<[RoleBinding[] | undefined, boolean]>([
  [[bound(contributor)], false],
  [undefined, true],
])('a role is judged only without bindings', (bindings, isJudged) =>
  expect(ownRole({ roles, bindings, user, rules: rulesOf(contributor) })).toEqual({
    kind: 'role',
    name: 'Contributor',
    isJudged,
  }),
)

it('a role lacks nothing of itself, and of a higher one what that can do besides', () => {
  expect(lackedOf(rulesOf(admin), rulesOf(contributor))).toEqual([])
  expect(lackedOf(rulesOf(maintainer), rulesOf(admin)).map(({ label }) => label)).toContain('Manage secrets')
})
