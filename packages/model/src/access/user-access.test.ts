import { describe, expect, it, test } from 'vitest'
import { aRoleBinding } from '../testing'
import type { GrantableRole } from '../platform/public-info'
import {
  accessBindingName,
  accessBindings,
  accessRoleOf,
  accessRoles,
  configuredRole,
  grantedRole,
  sanitisedUsername,
  subjectTexts,
  usernamesOf,
} from './user-access'

const role = (displayName: string, name: string): GrantableRole => ({
  displayName,
  description: '',
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
})
const admin = role('Boss', 'konflux-admin-user-actions')
const contributor = role('Reader', 'konflux-contributor-user-actions')
const roles = [admin, contributor]
const bound = (name: string, kind: 'ClusterRole' | 'Role' = 'ClusterRole') =>
  aRoleBinding({ roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name } })

test.each([
  ['UA-40, UA-41, UA-42', 'Ann.Lee@Example.com', 'ann-lee-example-com'],
  ['UA-41, UA-42', '--a_b--', 'a-b'],
  ['UA-40', 'ANN', 'ann'],
  ['UA-41', 'a b', 'a-b'],
  ['UA-42', '@ann@', 'ann'],
  ['UA-41', 'jörg', 'j-rg'],
])('%s %s becomes %s', (_, username, expected) => expect(sanitisedUsername(username)).toBe(expected))

it('UA-38, UA-39 a binding is named after the role and the user', () =>
  expect(accessBindingName('Maintainer', 'Ann.Lee@Example.com')).toBe(
    'konflux-maintainer-ann-lee-example-com-user-actions',
  ))

it('UA-36, UA-37, UA-49 a binding grants one user, as typed, the configured role in a namespace', () =>
  expect(accessBindings('team', 'Admin', admin, ['Ann.Lee@Example.com'])).toEqual([
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'konflux-admin-ann-lee-example-com-user-actions', namespace: 'team' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'konflux-admin-user-actions' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'Ann.Lee@Example.com' }],
    },
  ]))

describe('UA-38 users whose names sanitise to the same text', () => {
  const names = (usernames: string[], existing: Parameters<typeof accessBindings>[4] = []) =>
    accessBindings('team', 'Admin', admin, usernames, existing).map(({ metadata }) => metadata.name)
  const plain = 'konflux-admin-a-b-user-actions'
  const apart = expect.stringMatching(/^konflux-admin-a-b-[0-9a-z]{7}-user-actions$/) as string

  it('get separate bindings', () => {
    const [first, second, third] = names(['a.b', 'a_b', 'a b'])
    expect([first, second, third]).toEqual([plain, apart, apart])
    expect(second).not.toBe(third)
  })

  it('get separate bindings when one of them already has access', () => {
    const [existing] = accessBindings('team', 'Admin', admin, ['a.b'])
    expect(names(['a_b'], existing && [existing])).toEqual([apart])
    // For a user who already has access, the cluster rejects the duplicate.
    expect(names(['a.b'], existing && [existing])).toEqual([plain])
  })

  it('get separate bindings when the name belongs to a binding of another role', () => {
    const [existing] = accessBindings('team', 'Admin', contributor, ['a.b'])
    expect(names(['a.b'], existing && [existing])).toEqual([apart])
  })

  it('get the same bindings each time', () => expect(names(['a.b', 'a_b'])).toEqual(names(['a.b', 'a_b'])))
})

describe('the platform configuration', () => {
  it('UA-37 defines the cluster role of each role', () => {
    expect(accessRoles.map((each) => configuredRole(roles, each))).toEqual([contributor, undefined, admin])
  })

  test.each([
    ['a configured role', bound('konflux-admin-user-actions'), admin, 'Admin'],
    ['another role', bound('edit'), undefined, undefined],
    ['a role of the same name in the namespace', bound('konflux-admin-user-actions', 'Role'), undefined, undefined],
  ])('UA-33 recognises the role of a binding: %s', (_, binding, expected, accessRole) => {
    expect(grantedRole(roles, binding)).toBe(expected)
    expect(accessRoleOf(roles, binding)).toBe(accessRole)
  })

  it('recognises a role that the form does not offer', () => {
    const viewer = role('Viewer', 'konflux-viewer-user-actions')
    expect(grantedRole([viewer], bound('konflux-viewer-user-actions'))).toBe(viewer)
    expect(accessRoleOf([viewer], bound('konflux-viewer-user-actions'))).toBeUndefined()
  })
})

it('the usernames of a binding include only users', () => {
  const group = { kind: 'Group' as const, name: 'system:authenticated' }
  const user = (name: string) => ({ kind: 'User' as const, name })
  expect(usernamesOf(aRoleBinding({ subjects: [user('ann'), group, user('bob')] }))).toEqual(['ann', 'bob'])
  expect(usernamesOf({ ...aRoleBinding(), subjects: undefined })).toEqual([])
})

it('UA-47 lists each subject of a binding once, with its kind unless it is a user', () => {
  const account = (namespace: string) => ({ kind: 'ServiceAccount' as const, name: 'default', namespace })
  const ann = { kind: 'User' as const, name: 'ann' }
  const group = { kind: 'Group' as const, name: 'ann' }
  expect(subjectTexts(aRoleBinding({ subjects: [ann, group, account('a'), account('b'), ann] }))).toEqual([
    'ann',
    'ann (Group)',
    'a/default (ServiceAccount)',
    'b/default (ServiceAccount)',
  ])
  expect(subjectTexts({ ...aRoleBinding(), subjects: undefined })).toEqual([])
})
