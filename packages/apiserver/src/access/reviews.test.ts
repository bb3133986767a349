import { describe, expect, it, test } from 'vitest'
import { createAuthorizer } from './authorizer'
import { answerReview, type ReviewKind } from './reviews'
import { aBinding, aClusterRole, aRole, aRule, aUser, accessOf } from './testing'

const user = { name: 'ada', groups: ['dev'], uid: '7' }
const rule = aRule('get', 'pods', { resourceNames: ['x'] })
const authorizer = createAuthorizer(() =>
  accessOf({
    roles: [aRole('a', 'r', rule)],
    clusterRoles: [aClusterRole('c', { verbs: ['get'], nonResourceURLs: ['/version'] })],
    roleBindings: [aBinding('a', 'b', 'Role/r', aUser('ada'))],
    clusterRoleBindings: [aBinding(undefined, 'c', 'ClusterRole/c', aUser('ada'))],
  }),
)
const ask = (kind: ReviewKind, spec: unknown, namespace?: string) =>
  answerReview(kind, { apiVersion: 'authorization.k8s.io/v1', kind, metadata: {}, spec } as never, {
    authorizer,
    user,
    namespace,
  })
const getX = { verb: 'get', resource: 'pods', name: 'x', namespace: 'a' }

test.each<[string, ReviewKind, object, object]>([
  [
    'allowed',
    'SelfSubjectAccessReview',
    { resourceAttributes: getX },
    { allowed: true, reason: 'RBAC: allowed by RoleBinding "b/a" of Role "r" to User "ada"' },
  ],
  ['denied', 'SelfSubjectAccessReview', { resourceAttributes: { ...getX, name: 'y' } }, { allowed: false }],
  [
    'a path',
    'SelfSubjectAccessReview',
    { nonResourceAttributes: { path: '/version', verb: 'get' } },
    { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "c" of ClusterRole "c" to User "ada"' },
  ],
  ['another user', 'SubjectAccessReview', { user: 'bob', resourceAttributes: getX }, { allowed: false }],
  [
    'no prototype',
    'SelfSubjectAccessReview',
    JSON.parse('{"resourceAttributes":{"__proto__":{"verb":"get"}}}'),
    { allowed: false },
  ],
])('%s is answered, not refused', (_, kind, spec, status) => {
  expect(ask(kind, spec)).toEqual({ review: expect.objectContaining({ kind, spec, status }) })
})

test.each<[string, ReviewKind, unknown, string, string]>([
  [
    'neither kind of attributes',
    'SelfSubjectAccessReview',
    {},
    'spec.resourceAttributes',
    'Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    'both kinds',
    'SelfSubjectAccessReview',
    { resourceAttributes: getX, nonResourceAttributes: { path: '/', verb: 'get' } },
    'spec.nonResourceAttributes',
    'Invalid value: {"path":"/","verb":"get"}: cannot be specified in combination with resourceAttributes',
  ],
  [
    'nobody',
    'SubjectAccessReview',
    { resourceAttributes: getX },
    'spec.user',
    'Invalid value: "": at least one of user or group must be specified',
  ],
  [
    'another namespace than the path',
    'LocalSubjectAccessReview',
    { user: 'bob', resourceAttributes: { ...getX, namespace: 'b' } },
    'spec.resourceAttributes.namespace',
    'Invalid value: "b": must match metadata.namespace',
  ],
  ['no namespace', 'SelfSubjectRulesReview', undefined, 'spec.namespace', 'Invalid value: "": namespace is required'],
])('%s is invalid', (_, kind, spec, field, message) => {
  expect(ask(kind, spec, 'a')).toEqual({ causes: [{ reason: 'FieldValueInvalid', field, message }] })
})

it('refuses attributes that are no texts', () => {
  expect(ask('SelfSubjectAccessReview', { resourceAttributes: { verb: 7 } })).toMatchObject({
    causes: [{ field: 'spec.resourceAttributes.verb' }],
  })
})

describe('about oneself', () => {
  it('lists the rules in a namespace', () => {
    expect(ask('SelfSubjectRulesReview', { namespace: 'a' })).toMatchObject({
      review: {
        status: {
          resourceRules: [rule],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
          incomplete: false,
        },
      },
    })
  })

  it('says who one is', () => {
    expect(ask('SelfSubjectReview', undefined)).toMatchObject({
      review: { status: { userInfo: { username: 'ada', uid: '7', groups: ['dev'] } } },
    })
  })
})
