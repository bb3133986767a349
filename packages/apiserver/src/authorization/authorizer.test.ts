import type { PolicyRule } from '@slipway/kube/core-types'
import { describe, expect, it, test } from 'vitest'
import { createAuthorizer, type AccessObjects } from './authorizer'
import type { Attributes } from './rules'
import { aBinding, aClusterRole, aGroup, aRole, aRule, aServiceAccount, aUser, accessOf } from './testing'

const ada = { name: 'ada', groups: ['dev', 'system:authenticated'] }
const authorizerOf = (objects: Partial<AccessObjects>) => createAuthorizer(() => accessOf(objects))

/** Whether ada may send a request, given a ClusterRole with this rule, bound to her in namespace a. */
const mayWith = (rule: PolicyRule, attributes: Omit<Attributes, 'user'>) =>
  authorizerOf({
    clusterRoles: [aClusterRole('r', rule)],
    roleBindings: [aBinding('a', 'b', 'ClusterRole/r', aUser('ada'))],
  }).authorize({ user: ada, namespace: 'a', ...attributes }).allowed

test.each<[string, PolicyRule, Omit<Attributes, 'user'>, boolean]>([
  ['the verb and the resource', aRule('get', 'pods'), { verb: 'get', resource: 'pods' }, true],
  ['another verb', aRule('get', 'pods'), { verb: 'list', resource: 'pods' }, false],
  ['another resource', aRule('get', 'pods'), { verb: 'get', resource: 'secrets' }, false],
  ['another group', aRule('get', 'pods'), { verb: 'get', resource: 'pods', group: 'x.io' }, false],
  ['another namespace', aRule('get', 'pods'), { verb: 'get', resource: 'pods', namespace: 'b' }, false],
  ['no namespace', aRule('get', 'pods'), { verb: 'get', resource: 'pods', namespace: undefined }, false],
  ['all verbs', aRule('*', 'pods'), { verb: 'patch', resource: 'pods' }, true],
  ['all groups', aRule('get', 'pods', { apiGroups: ['*'] }), { verb: 'get', resource: 'pods', group: 'x.io' }, true],
  ['all resources', aRule('get', '*'), { verb: 'get', resource: 'pods', subresource: 'log' }, true],
  [
    'a resource is not its subresource',
    aRule('get', 'pods'),
    { verb: 'get', resource: 'pods', subresource: 'log' },
    false,
  ],
  ['a subresource', aRule('get', 'pods/log'), { verb: 'get', resource: 'pods', subresource: 'log' }, true],
  ['a subresource is not its resource', aRule('get', 'pods/log'), { verb: 'get', resource: 'pods' }, false],
  ['a subresource of all', aRule('get', '*/log'), { verb: 'get', resource: 'pods', subresource: 'log' }, true],
  [
    'all of another subresource',
    aRule('get', '*/log'),
    { verb: 'get', resource: 'pods', subresource: 'status' },
    false,
  ],
  ['a name', aRule('get', 'pods', { resourceNames: ['x'] }), { verb: 'get', resource: 'pods', name: 'x' }, true],
  ['another name', aRule('get', 'pods', { resourceNames: ['x'] }), { verb: 'get', resource: 'pods', name: 'y' }, false],
  ['list without the name', aRule('list', 'pods', { resourceNames: ['x'] }), { verb: 'list', resource: 'pods' }, false],
  [
    'a watch of the name',
    aRule('watch', 'pods', { resourceNames: ['x'] }),
    { verb: 'watch', resource: 'pods', name: 'x' },
    true,
  ],
  [
    'creating an object with a name',
    aRule('create', 'pods', { resourceNames: ['x'] }),
    { verb: 'create', resource: 'pods', name: 'x' },
    false,
  ],
  [
    'creating a subresource of a name',
    aRule('create', 'serviceaccounts/token', { resourceNames: ['x'] }),
    { verb: 'create', resource: 'serviceaccounts', subresource: 'token', name: 'x' },
    true,
  ],
  [
    'deleting a collection with a name',
    aRule('*', 'pods', { resourceNames: ['x'] }),
    { verb: 'deletecollection', resource: 'pods', name: 'x' },
    false,
  ],
  ['no names at all', aRule('create', 'pods', { resourceNames: [] }), { verb: 'create', resource: 'pods' }, true],
  [
    'a resource rule does not cover a path',
    aRule('*', '*', { apiGroups: ['*'] }),
    { verb: 'get', path: '/version' },
    false,
  ],
])('a rule applied to a request: %s', (_, rule, attributes, allowed) => {
  expect(mayWith(rule, attributes)).toBe(allowed)
})

test.each([
  ['/version', '/version', true],
  ['/version', '/version/', false],
  ['/apis/*', '/apis/tekton.dev', true],
  ['/apis/*', '/apis', false],
  ['*', '/anything', true],
])('the path rule %s covers %s: %s', (pattern, path, allowed) => {
  const authorizer = authorizerOf({
    clusterRoles: [aClusterRole('r', { verbs: ['get'], nonResourceURLs: [pattern] })],
    clusterRoleBindings: [aBinding(undefined, 'b', 'ClusterRole/r', aGroup('dev'))],
  })
  expect(authorizer.authorize({ user: ada, verb: 'get', path }).allowed).toBe(allowed)
})

describe('the reason', () => {
  const objects = {
    roles: [aRole('a', 'reader', aRule('get', 'pods'))],
    clusterRoles: [aClusterRole('viewer', aRule('list', 'pods'))],
  }
  const reasonFor = (verb: string, more: Partial<AccessObjects>, user = ada) =>
    authorizerOf({ ...objects, ...more }).authorize({ user, verb, resource: 'pods', namespace: 'a' })

  it('names the RoleBinding, the role and the user', () => {
    expect(reasonFor('get', { roleBindings: [aBinding('a', 'b', 'Role/reader', aUser('ada'))] })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/a" of Role "reader" to User "ada"',
    })
  })

  it('names the ClusterRoleBinding and the group', () => {
    const clusterRoleBindings = [aBinding(undefined, 'b', 'ClusterRole/viewer', aGroup('dev'))]
    expect(reasonFor('list', { clusterRoleBindings }).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "viewer" to Group "dev"',
    )
  })

  it('names the service account with its namespace, which defaults to that of the binding', () => {
    const robot = { name: 'system:serviceaccount:a:robot', groups: [] }
    const roleBindings = [aBinding('a', 'b', 'ClusterRole/viewer', aServiceAccount('robot'))]
    expect(reasonFor('list', { roleBindings }, robot).reason).toBe(
      'RBAC: allowed by RoleBinding "b/a" of ClusterRole "viewer" to ServiceAccount "robot/a"',
    )
  })

  it('names the missing roles of a denial', () => {
    const roleBindings = [aBinding('a', 'b', 'Role/gone', aUser('ada'))]
    expect(reasonFor('get', { roleBindings })).toEqual({
      allowed: false,
      reason: 'RBAC: role.rbac.authorization.k8s.io "gone" not found',
    })
  })

  it('is empty for a plain denial and for a superuser', () => {
    expect(reasonFor('get', {})).toEqual({ allowed: false, reason: '' })
    expect(reasonFor('get', {}, { name: 'root', groups: ['system:masters'] })).toEqual({ allowed: true, reason: '' })
  })
})

it('a changed binding takes effect when the list is replaced', () => {
  let objects = accessOf({ clusterRoles: [aClusterRole('r', aRule('get', 'pods'))] })
  const authorizer = createAuthorizer(() => objects)
  const get = { user: ada, verb: 'get', resource: 'pods', namespace: 'a' }
  expect(authorizer.authorize(get).allowed).toBe(false)
  objects = { ...objects, roleBindings: [aBinding('a', 'b', 'ClusterRole/r', aUser('ada'))] }
  expect(authorizer.authorize(get).allowed).toBe(true)
})

it('rulesFor lists the rules of a user in a namespace, each once', () => {
  const everywhere = aRule('get', 'namespaces')
  const here = aRule('*', 'pods')
  const authorizer = authorizerOf({
    roles: [aRole('a', 'r', here), aRole('b', 'r', aRule('*', 'secrets'))],
    clusterRoles: [aClusterRole('c', everywhere)],
    clusterRoleBindings: [aBinding(undefined, 'c', 'ClusterRole/c', aUser('ada'), aGroup('dev'))],
    roleBindings: [aBinding('a', 'r', 'Role/r', aUser('ada')), aBinding('b', 'r', 'Role/r', aUser('ada'))],
  })
  expect(authorizer.rulesFor(ada, 'a')).toEqual([everywhere, here])
  expect(authorizer.rulesFor(ada)).toEqual([everywhere])
})
