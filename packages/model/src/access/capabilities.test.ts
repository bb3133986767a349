import type { PolicyRule } from '@slipway/kube/core-types'
import { inEachGroup } from '@slipway/kube/resource-type'
import { expect, it, test } from 'vitest'
import { componentType } from '../builds/component'
import { konfluxRules } from '../testing/konflux-roles'
import { capabilities, capabilitiesOf } from './capabilities'
import { userActionRoles, type UserRole } from './roles/user-actions'

const delivered = (role: UserRole) =>
  userActionRoles.find(({ metadata }) => metadata.name === `konflux-${role}-user-actions-core`)?.rules ?? []
const labels = (rules: readonly PolicyRule[]) => capabilitiesOf(rules).map(({ label }) => label)

const see = 'See applications, components, runs, tests and releases'
const [logs, access] = ['Read logs', 'See who has access']
const maintain = [
  'Create and change applications and components',
  'Manage integration tests',
  'Manage release plans, trigger releases',
]
test.each<[UserRole, string[]]>([
  ['viewer', [see, logs]],
  ['contributor', [see, logs, access]],
  ['maintainer', [see, logs, access, ...maintain]],
  ['admin', capabilities.map(({ label }) => label)],
])('as delivered, a %s can: %j', (role, expected) => expect(labels(delivered(role))).toEqual(expected))

test.each<UserRole>(['contributor', 'maintainer'])('nothing of a %s is missing in the roles of Konflux', (role) =>
  expect(labels(konfluxRules[role])).toEqual(expect.arrayContaining([see])),
)

const all = ['create', 'update', 'patch', 'delete', 'get', 'list']
it('a kind counts in any of its groups', () => {
  const [newest, oldest] = inEachGroup(componentType).map(({ group }) => group)
  const rules = (apiGroups: string[]): PolicyRule[] => [{ apiGroups, resources: ['*'], verbs: all }]
  expect(labels(rules([newest ?? '']))).toEqual(labels(rules([oldest ?? ''])))
  expect(labels(rules([newest ?? '']))).toContain('Delete applications and components')
})

it('a right to some objects only is none', () =>
  expect(labels([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'], resourceNames: ['a'] }])).toEqual([]))
