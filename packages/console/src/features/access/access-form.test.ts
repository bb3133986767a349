import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { aRoleBinding } from '@slipway/model/testing'
import { describe, expect, it, test } from 'vitest'
import type { Write } from '../../api/writes/writes'
import { editWrites, grantWrites, schema } from './access-form'

const roleRef = (role: string) => ({
  apiGroup: roleBindingType.group,
  kind: 'ClusterRole' as const,
  name: `konflux-${role}-user-actions`,
})
const roles: GrantableRole[] = ['admin', 'maintainer', 'contributor'].map((role) => ({
  displayName: role,
  description: '',
  roleRef: roleRef(role),
}))
const user = (name: string) => ({ kind: 'User' as const, apiGroup: roleBindingType.group, name })
const group = { kind: 'Group' as const, apiGroup: roleBindingType.group, name: 'testers' }

const problemsOf = (values: object) => schema.safeParse(values).error?.issues.map(({ message }) => message) ?? []
const rule = expect.stringMatching(/^Must be 2 to 45 characters long/) as string

test.each<[string, object, string[]]>([
  ['UA-30 no usernames at all', { role: 'Admin' }, ['Required.']],
  ['UA-29 no username', { usernames: [], role: 'Admin' }, ['Must have at least 1 username.']],
  ['UA-24 an invalid name', { usernames: ['ann', 'b!', 'c!'], role: 'Admin' }, [rule]],
  ['UA-24 an e-mail address', { usernames: ['Ann.Lee@Example.com'], role: 'Admin' }, []],
  ['UA-31 no role', { usernames: ['ann'] }, ['Required.']],
  ['UA-31 an empty role', { usernames: ['ann'], role: '' }, ['Required.']],
  ['UA-32 another role', { usernames: ['ann'], role: 'Owner' }, ['Invalid role.']],
  ['UA-32 a role in different case', { usernames: ['ann'], role: 'admin' }, ['Invalid role.']],
])('%s', (_, values, problems) => expect(problemsOf(values)).toEqual(problems))

/** `create konflux-admin-ann-user-actions ann` */
const describeWrite = (write: Write) =>
  'object' in write
    ? [
        write.verb,
        nameOf(write.object),
        ...((write.object as RoleBinding).subjects ?? []).map(({ name }) => name),
      ].join(' ')
    : `${write.verb} ${write.ref.name}`

it('UA-34, UA-37, UA-49 granting creates one binding per user', () => {
  const writes = grantWrites('team', { usernames: ['ann', 'Bob.B'], role: 'Maintainer' }, roles)
  expect(writes.map(describeWrite)).toEqual([
    'create konflux-maintainer-ann-user-actions ann',
    'create konflux-maintainer-bob-b-user-actions Bob.B',
  ])
  expect(writes.map((write) => 'object' in write && (write.object as RoleBinding).roleRef)).toEqual([
    roleRef('maintainer'),
    roleRef('maintainer'),
  ])
  expect(writes.map((write) => 'object' in write && write.object.metadata.namespace)).toEqual(['team', 'team'])
})

describe('UA-43 editing creates new bindings in place of the old one', () => {
  const old = (name: string, subjects: RoleBinding['subjects']) =>
    aRoleBinding({
      metadata: { name, namespace: 'team', uid: 'u', resourceVersion: '7' },
      roleRef: roleRef('contributor'),
      subjects,
    })
  const ann = 'konflux-contributor-ann-user-actions'
  test.each<[string, RoleBinding, string[], 'Contributor' | 'Admin', string[]]>([
    [
      'another role',
      old(ann, [user('ann')]),
      ['ann'],
      'Admin',
      ['create konflux-admin-ann-user-actions ann', `remove ${ann}`],
    ],
    [
      'another user',
      old(ann, [user('ann')]),
      ['bob'],
      'Contributor',
      ['create konflux-contributor-bob-user-actions bob', `remove ${ann}`],
    ],
    [
      'one more user',
      old(ann, [user('ann')]),
      ['ann', 'bob'],
      'Contributor',
      ['create konflux-contributor-bob-user-actions bob'],
    ],
    [
      'a binding that the console did not name',
      old('x', [user('ann')]),
      ['ann'],
      'Contributor',
      [`create ${ann} ann`, 'remove x'],
    ],
    [
      'one of several users',
      old('x', [user('ann'), user('bob')]),
      ['ann'],
      'Contributor',
      [`create ${ann} ann`, 'remove x'],
    ],
    [
      'one of several users in a binding that keeps its name',
      old(ann, [user('ann'), user('bob')]),
      ['ann'],
      'Contributor',
      [`replace ${ann} ann`],
    ],
    [
      'a user next to a group',
      old('x', [user('ann'), group]),
      ['ann'],
      'Admin',
      ['create konflux-admin-ann-user-actions ann', 'replace x testers'],
    ],
  ])('%s', (_, binding, usernames, role, expected) =>
    expect(editWrites(binding, { usernames, role }, roles).map(describeWrite)).toEqual(expected),
  )

  it('removes the edited binding only if it has not changed', () =>
    expect(editWrites(old('x', [user('ann')]), { usernames: ['ann'], role: 'Admin' }, roles).at(-1)).toMatchObject({
      options: { preconditions: { uid: 'u', resourceVersion: '7' } },
    }))

  it('replaces the edited binding only if it has not changed', () =>
    expect(
      editWrites(old('x', [user('ann'), group]), { usernames: ['ann'], role: 'Admin' }, roles).at(-1),
    ).toMatchObject({ object: { metadata: { uid: 'u', resourceVersion: '7' } } }))

  it('picks another name if the old binding has it but gives a different role', () => {
    const named = old('konflux-admin-ann-user-actions', [user('ann')])
    const [made, ...rest] = editWrites(named, { usernames: ['ann'], role: 'Admin' }, roles, [named])
    expect(made).toMatchObject({
      verb: 'create',
      object: { metadata: { name: expect.stringMatching(/^konflux-admin-ann-.{7}-user-actions$/) as string } },
    })
    expect(made).toMatchObject({ object: { roleRef: roleRef('admin') } })
    expect(rest.map(describeWrite)).toEqual(['remove konflux-admin-ann-user-actions'])
  })
})
