import type { RoleBinding, Subject } from '@slipway/kube/core-types'
import { describe, expect, it, test } from 'vitest'
import { nameOf } from '@slipway/kube/object'
import type { GrantableRole } from '../platform/public-info'
import { aRoleBinding } from '../testing'
import { hasChangeableSubject, roleChange, type SubjectOutcome } from './role-change'
import { subjectText } from './user-access'

const apiGroup = 'rbac.authorization.k8s.io'
const roles = ['admin', 'maintainer', 'contributor'].map((name): GrantableRole => ({
  displayName: name,
  description: '',
  roleRef: { apiGroup, kind: 'ClusterRole', name: `konflux-${name}-user-actions` },
}))
const user = (name: string): Subject => ({ kind: 'User', apiGroup, name })
const group = (name: string): Subject => ({ kind: 'Group', apiGroup, name })
const account: Subject = { kind: 'ServiceAccount', namespace: 'team', name: 'pipeline' }
const bound = (name: string, role: string, ...subjects: Subject[]): RoleBinding =>
  aRoleBinding({
    metadata: { name, namespace: 'team' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: `konflux-${role}-user-actions` },
    subjects,
  })

const change = (selected: RoleBinding[], others: RoleBinding[] = [], username?: string) =>
  roleChange('team', selected, 'Maintainer', roles, [...selected, ...others], username)
const outcomes = ({ subjects }: ReturnType<typeof change>) =>
  subjects.map(({ subject, outcome }): [string, SubjectOutcome] => [subjectText(subject), outcome])

test.each<[title: string, selected: RoleBinding[], others: RoleBinding[], expected: [string, SubjectOutcome][]]>([
  ['a user of another role changes', [bound('a', 'contributor', user('ann'))], [], [['ann', 'changes']]],
  ['so does a group', [bound('a', 'admin', group('crew'))], [], [['crew (Group)', 'changes']]],
  ['a user who has the role keeps it', [bound('a', 'maintainer', user('ann'))], [], [['ann', 'has']]],
  [
    'a user who has both roles only loses the other',
    [bound('a', 'contributor', user('ann'))],
    [bound('b', 'maintainer', user('ann'))],
    [['ann', 'merges']],
  ],
  [
    'a group of the name of a user who has the role changes',
    [bound('a', 'contributor', group('ann'))],
    [bound('b', 'maintainer', user('ann'))],
    [['ann (Group)', 'changes']],
  ],
  [
    'service accounts and everyone stay as they are',
    [bound('a', 'contributor', account, group('system:authenticated'), user('ann'))],
    [],
    [
      ['team/pipeline (ServiceAccount)', 'stays'],
      ['system:authenticated (Group)', 'stays'],
      ['ann', 'changes'],
    ],
  ],
  [
    'a subject that is named twice counts once',
    [bound('a', 'admin', user('ann'), user('ann'))],
    [],
    [['ann', 'changes']],
  ],
])('%s', (_, selected, others, expected) => expect(outcomes(change(selected, others))).toEqual(expected))

describe('the bindings of a change', () => {
  it('are one new binding for each subject, as typed, and the old ones without them', () => {
    const one = bound('one', 'contributor', user('Ann@Example.com'), account)
    const two = bound('two', 'admin', user('Ann@Example.com'), user('bob'))
    const { created, left } = change([one, two])
    expect(created.map(({ metadata, roleRef, subjects }) => [metadata.name, roleRef.name, subjects])).toEqual([
      ['konflux-maintainer-ann-example-com-user-actions', 'konflux-maintainer-user-actions', [user('Ann@Example.com')]],
      ['konflux-maintainer-bob-user-actions', 'konflux-maintainer-user-actions', [user('bob')]],
    ])
    expect(left).toEqual([
      { binding: one, remaining: [account] },
      { binding: two, remaining: [] },
    ])
  })

  it('have names that no other binding has, also for a group of the name of a user', () => {
    const taken = bound('konflux-maintainer-ann-user-actions', 'contributor', user('ann'))
    const { created } = change([taken, bound('b', 'contributor', group('ann'))])
    const names = created.map(nameOf)
    expect(new Set([...names, nameOf(taken)]).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^konflux-maintainer-ann-[0-9a-z]{7}-user-actions$/)
  })

  it('require each binding that is why a subject needs no new one, as it was read', () => {
    const other = bound('konflux-maintainer-ann-user-actions', 'maintainer', user('ann'))
    const { created, required } = change(
      [bound('a', 'admin', user('ann')), bound('b', 'contributor', user('ann'))],
      [other],
    )
    expect(created).toEqual([])
    expect(required).toEqual([other])
  })

  it('are none for a role that is not configured', () =>
    expect(roleChange('team', [bound('a', 'admin', user('ann'))], 'Contributor', roles.slice(0, 2), [])).toEqual({
      subjects: [],
      required: [],
      created: [],
      left: [],
    }))

  it('come in an order in which the signed-in user loses rights last', () => {
    const own = bound('own', 'admin', user('me'))
    const crew = bound('crew', 'admin', group('crew'))
    const ann = bound('ann', 'admin', user('ann'))
    expect(change([own, crew, ann], [], 'me').left.map(({ binding }) => nameOf(binding))).toEqual([
      'ann',
      'crew',
      'own',
    ])
  })
})

test.each<[title: string, binding: RoleBinding, expected: boolean]>([
  ['a user', bound('a', 'admin', account, user('ann')), true],
  ['a group', bound('a', 'admin', group('crew')), true],
  ['no person', bound('a', 'admin', account, group('system:authenticated')), false],
  ['no subjects', { ...bound('a', 'admin'), subjects: undefined }, false],
])('whether the role of %s can be changed', (_, binding, expected) =>
  expect(hasChangeableSubject(binding)).toBe(expected),
)
