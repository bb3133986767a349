import type { RoleRef, Subject } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { describe, expect, it, test } from 'vitest'
import { createGrants, subjectsOf, type Concern, type RbacKind } from './grants'

const ada: Subject = { kind: 'User', name: 'ada' }
const team: Subject = { kind: 'Group', name: 'team' }
const robot: Subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'tools' }

let version = 0
const object = (name: string, namespace?: string): KubeObject => ({
  metadata: { name, namespace, resourceVersion: String(++version) },
})
const binding = (
  name: string,
  namespace: string | undefined,
  role: Pick<RoleRef, 'kind' | 'name'>,
  ...subjects: Subject[]
) => ({ ...object(name, namespace), roleRef: role, subjects }) as KubeObject
const role = { kind: 'Role', name: 'reader' } as const
const clusterRole = { kind: 'ClusterRole', name: 'viewer' } as const

/** `namespace: subject` of each concern, `*` for all namespaces. */
const shown = (concerns: readonly Concern[]): string[] =>
  concerns.flatMap(({ namespace = '*', subjects }) => subjects.map((subject) => `${namespace}: ${subject}`))

function startGrants() {
  const grants = createGrants()
  grants.set('Role', object('reader', 'a'))
  grants.set('Role', object('reader', 'b'))
  grants.set('RoleBinding', binding('ada', 'a', role, ada))
  grants.set('RoleBinding', binding('ada', 'b', role, ada))
  grants.set('RoleBinding', binding('team', 'a', clusterRole, team, robot))
  grants.set('ClusterRoleBinding', binding('team', undefined, clusterRole, team))
  return grants
}

describe('a change', () => {
  test.each<[string, RbacKind, KubeObject, string[]]>([
    ['a new role that nothing binds', 'Role', object('other', 'a'), []],
    ['a role', 'Role', object('reader', 'a'), ['a: user ada']],
    ['a role of the same name elsewhere', 'Role', object('reader', 'c'), []],
    [
      'a cluster role',
      'ClusterRole',
      object('viewer'),
      ['a: group team', 'a: user system:serviceaccount:tools:robot', '*: group team'],
    ],
    ['a cluster role with the name of a role', 'ClusterRole', object('reader'), []],
    ['a new binding', 'RoleBinding', binding('new', 'c', clusterRole, ada), ['c: user ada']],
    [
      'a binding with another subject',
      'RoleBinding',
      binding('ada', 'a', role, team),
      ['a: user ada', 'a: group team'],
    ],
    ['a cluster role binding', 'ClusterRoleBinding', binding('all', undefined, clusterRole, ada), ['*: user ada']],
    ['a binding without subjects', 'RoleBinding', binding('none', 'a', role), []],
    [
      'an account without a namespace, which is that of the binding',
      'RoleBinding',
      binding('robots', 'a', role, { kind: 'ServiceAccount', name: 'robot' }),
      ['a: user system:serviceaccount:a:robot'],
    ],
  ])('of %s concerns those who are bound to it', (_, kind, changed, concerned) => {
    expect(shown(startGrants().set(kind, changed))).toEqual(concerned)
  })

  it('that deletes a binding concerns its subjects, once', () => {
    const grants = startGrants()
    const deleted = binding('ada', 'a', role, ada)
    expect(shown(grants.delete('RoleBinding', deleted))).toEqual(['a: user ada'])
    expect(grants.delete('RoleBinding', deleted)).toEqual([])
    expect(shown(grants.set('Role', object('reader', 'a')))).toEqual([])
  })

  it('that deletes a role concerns those who are still bound to it, and so does its return', () => {
    const grants = startGrants()
    expect(shown(grants.delete('Role', object('reader', 'a')))).toEqual(['a: user ada'])
    expect(shown(grants.set('Role', object('reader', 'a')))).toEqual(['a: user ada'])
  })

  it('of a binding to another role moves it there', () => {
    const grants = startGrants()
    grants.set('RoleBinding', binding('ada', 'a', clusterRole, ada))
    expect(shown(grants.set('Role', object('reader', 'a')))).toEqual([])
    expect(shown(grants.set('ClusterRole', object('viewer')))).toContain('a: user ada')
  })
})

describe('a list after a gap', () => {
  it('concerns those of bindings that are new, changed or gone, and no other user', () => {
    const grants = createGrants()
    const same = binding('same', 'a', role, ada)
    const gone = binding('gone', 'b', role, ada)
    const changed = binding('changed', 'c', role, ada)
    expect(shown(grants.replace('RoleBinding', [same, gone, changed]))).toHaveLength(3)
    const list = [same, binding('changed', 'c', role, team), binding('new', 'd', role, robot)]
    expect(shown(grants.replace('RoleBinding', list)).sort()).toEqual([
      'b: user ada',
      'c: group team',
      'c: user ada',
      'd: user system:serviceaccount:tools:robot',
    ])
    expect(grants.replace('RoleBinding', list)).toEqual([])
  })

  it('leaves the other kinds alone', () => {
    const grants = startGrants()
    expect(grants.replace('ClusterRole', [])).toEqual([])
    expect(shown(grants.set('Role', object('reader', 'a')))).toEqual(['a: user ada'])
  })
})

it('bindings name a user by name and by groups', () => {
  expect(subjectsOf({ name: 'ada', groups: ['team', 'system:authenticated'] })).toEqual([
    'user ada',
    'group team',
    'group system:authenticated',
  ])
})
