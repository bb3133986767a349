import type { PolicyRule } from '@slipway/kube/core-types'
import { expect, it, test } from 'vitest'
import { componentType } from '../builds/component'
import type { GrantableRole } from '../platform/public-info'
import { aRoleBinding } from '../testing'
import {
  accessRequest,
  deliveredRules,
  gives,
  grantersIn,
  type Right,
  rolesOfUser,
  rolesWith,
  type RoleWithRules,
} from './missing-right'

const deletion: Right = { verb: 'delete', type: componentType }
const { group, plural } = componentType
const rule = (over: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: ['get', 'delete'],
  apiGroups: [group],
  resources: [plural],
  ...over,
})

test.each<[string, PolicyRule, boolean]>([
  ['of the verb, group and resource', rule(), true],
  ['of all verbs', rule({ verbs: ['*'] }), true],
  ['of all groups and resources', rule({ apiGroups: ['*'], resources: ['*'] }), true],
  ['of another verb', rule({ verbs: ['get'] }), false],
  ['of another group', rule({ apiGroups: [''] }), false],
  ['of a subresource', rule({ resources: [`${plural}/status`] }), false],
  ['of some objects only', rule({ resourceNames: ['cart'] }), false],
  ['of paths', { verbs: ['*'], nonResourceURLs: ['*'] }, false],
])('a rule %s gives the right: %s', (_, given, expected) => expect(gives([given], deletion)).toBe(expected))

test.each<[string, PolicyRule, Partial<Right>, boolean]>([
  ['of a subresource', rule({ resources: [`${plural}/status`] }), { subresource: 'status' }, true],
  ['of that subresource of everything', rule({ resources: ['*/status'] }), { subresource: 'status' }, true],
  ['of the whole kind only', rule(), { subresource: 'status' }, false],
  ['of this object', rule({ resourceNames: ['cart'] }), { name: 'cart' }, true],
  ['of another object', rule({ resourceNames: ['cart'] }), { name: 'web' }, false],
  ['of all objects', rule(), { name: 'cart' }, true],
])('a rule %s gives a narrower right: %#', (_, given, narrower, expected) =>
  expect(gives([given], { ...deletion, ...narrower })).toBe(expected),
)

const role = (name: string): GrantableRole => ({
  displayName: name,
  description: '',
  roleRef: {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    name: `konflux-${name.toLowerCase()}-user-actions`,
  },
})
const [admin, maintainer, contributor] = [role('Admin'), role('Maintainer'), role('Contributor')]
const platform = [admin, maintainer, contributor]
const withRules: RoleWithRules[] = platform.map((each) => ({ role: each, rules: deliveredRules(each) }))
const bound = ({ roleRef }: GrantableRole, kind: 'User' | 'Group', ...names: string[]) =>
  aRoleBinding({ roleRef, subjects: names.map((name) => ({ kind, apiGroup: roleRef.apiGroup, name })) })

test.each<[string, string, string[]]>([
  ['delete', 'components', ['Admin']],
  ['update', 'components', ['Admin', 'Maintainer']],
  ['list', 'components', ['Admin', 'Maintainer', 'Contributor']],
  ['delete', 'imagined', []],
])('the right to %s %s is in the roles %j', (verb, resource, expected) => {
  const found = rolesWith(withRules, [{ verb, type: { ...componentType, plural: resource } }])
  expect(found.map(({ displayName }) => displayName)).toEqual(expected)
})

it('a role must give all of the rights', () => {
  expect(rolesWith(withRules, [{ verb: 'update', type: componentType }, deletion])).toEqual([admin])
})

it('a role that the platform does not deliver has no known rules', () => {
  expect(deliveredRules(role('Auditor'))).toEqual([])
})

it('a user has the roles of bindings for the user or one of the groups', () => {
  const bindings = [
    bound(contributor, 'User', 'ann', 'bob'),
    bound(maintainer, 'Group', 'shop'),
    bound(admin, 'User', 'cy'),
  ]
  expect(rolesOfUser(platform, bindings, { username: 'ann', groups: ['shop'] })).toEqual([maintainer, contributor])
  expect(rolesOfUser(platform, bindings, { username: 'shop', groups: ['bob'] })).toEqual([])
})

it('those with a role that may create bindings can give access', () => {
  const bindings = [
    bound(admin, 'User', 'eve', 'cy'),
    bound(admin, 'Group', 'owners'),
    bound(maintainer, 'User', 'ann'),
  ]
  expect(grantersIn(withRules, bindings)).toEqual(['cy', 'eve', 'owners (Group)'])
})

it('a request names the user, the role, the purpose and the command', () => {
  const asked = { username: "o'neil", namespace: 'shop', action: 'Delete component', rights: [deletion] }
  expect(accessRequest({ ...asked, role: admin })).toBe(
    `Please give o'neil the role Admin in the namespace shop.
For: Delete component (delete ${plural}.${group})

kubectl create rolebinding konflux-admin-o-neil-user-actions --namespace=shop --clusterrole=konflux-admin-user-actions --user='o'\\''neil'`,
  )
  expect(accessRequest({ ...asked, role: undefined })).toBe(
    `Please give o'neil access in the namespace shop.
For: Delete component (delete ${plural}.${group})`,
  )
})
