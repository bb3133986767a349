import type { RoleBinding, Subject } from '@slipway/kube/core-types'
import { expect, it, test } from 'vitest'
import type { GrantableRole } from '../platform/public-info'
import { aRoleBinding } from '../testing'
import { publicBinding, publicGrants, withoutEveryone } from './namespace-visibility'
import { clusterRoleName } from './roles/user-actions'

const apiGroup = 'rbac.authorization.k8s.io'
const everyone: Subject = { kind: 'Group', apiGroup, name: 'system:authenticated' }
const ann: Subject = { kind: 'User', apiGroup, name: 'ann' }
const contributor: GrantableRole = {
  displayName: 'Contributor',
  description: '',
  roleRef: { apiGroup, kind: 'ClusterRole', name: clusterRoleName('contributor') },
}
const bound = (
  role: string,
  subjects: Subject[] | undefined,
  name = 'x',
  kind: 'ClusterRole' | 'Role' = 'ClusterRole',
) => ({
  ...aRoleBinding({ metadata: { name, namespace: 'team' }, roleRef: { apiGroup, kind, name: role } }),
  subjects,
})
const viewer = clusterRoleName('viewer')

test.each<[title: string, binding: RoleBinding, roles: string[]]>([
  ['everyone is a viewer', bound(viewer, [everyone]), ['Viewer']],
  ['everyone is a viewer, as others are', bound(viewer, [ann, everyone]), ['Viewer']],
  ['everyone has a configured role', bound(contributor.roleRef.name, [everyone]), ['Contributor']],
  ['only a user is a viewer', bound(viewer, [ann]), []],
  ['only a user of the name of the group is', bound(viewer, [{ ...everyone, kind: 'User' }]), []],
  ['everyone has a role that is not of the platform', bound('pipelines', [everyone]), []],
  ['everyone has a role of the namespace of that name', bound(viewer, [everyone], 'x', 'Role'), []],
  ['there are no subjects', bound(viewer, undefined), []],
])('a namespace in which %s', (_, binding, roles) =>
  expect(publicGrants([binding], [contributor]).map(({ role }) => role)).toEqual(roles),
)

it('is made public by a binding of the name that the platform has for it', () => {
  const { binding, isNew } = publicBinding('team', [bound(viewer, [ann], 'other')])
  expect(isNew).toBe(true)
  expect(binding).toMatchObject({
    metadata: { name: 'konflux-public-viewer', namespace: 'team' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: viewer },
    subjects: [everyone],
  })
  expect(publicGrants([binding], [])).toHaveLength(1)
})

it('is made public by adding everyone to that binding if it exists', () => {
  const existing = bound(viewer, [ann], 'konflux-public-viewer')
  expect(publicBinding('team', [existing])).toEqual({
    binding: { ...existing, subjects: [ann, everyone] },
    isNew: false,
  })
})

test.each<[Subject[] | undefined, Subject[]]>([
  [[ann, everyone], [ann]],
  [[everyone], []],
  [undefined, []],
])('the subjects besides everyone', (subjects, expected) =>
  expect(withoutEveryone(bound(viewer, subjects))).toEqual(expected),
)
