import { manualClock } from '@slipway/kube/testing'
import { describe, expect, it, test } from 'vitest'
import { reviews } from '../builtin/reviews'
import { StatusError } from '../errors'
import type { AnyObject, ReviewKind } from '../resource'
import { createAuthorizer } from '../authorization/authorizer'
import { reviewAccess } from './reviews'
import { aBinding, aClusterRole, aGroup, aRole, aRule, aUser, accessOf } from './testing'

const user = { name: 'ada', groups: ['dev'], uid: '7', extra: { team: ['a', 'b'] } }
const rule = aRule('get', 'pods', { resourceNames: ['x'] })
const authorizer = createAuthorizer(() =>
  accessOf({
    roles: [aRole('a', 'r', rule)],
    clusterRoles: [aClusterRole('c', { verbs: ['get'], nonResourceURLs: ['/version'] })],
    roleBindings: [
      aBinding('a', 'b', 'Role/r', aUser('ada')),
      aBinding('b', 'b', 'ClusterRole/gone', aUser('ada')),
      aBinding('b', 'b', 'Role/lost', aGroup('dev')),
    ],
    clusterRoleBindings: [aBinding(undefined, 'c', 'ClusterRole/c', aUser('ada'))],
  }),
)

function review(kind: ReviewKind, spec: unknown, namespace?: string, metadata: object = {}): AnyObject {
  const resource = reviews.find((known) => known.review === kind)
  if (!resource) throw new Error(`no ${kind}`)
  const body: AnyObject = { apiVersion: 'v1', kind, metadata, spec }
  return reviewAccess(resource, kind, body, { authorizer, clock: manualClock(), user, namespace })
}

function rejection(review: () => unknown): object {
  try {
    review()
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
  throw new Error('expected an error')
}

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
    'a denial due to a missing role',
    'SelfSubjectAccessReview',
    { resourceAttributes: { ...getX, namespace: 'b' } },
    {
      allowed: false,
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
    },
  ],
  [
    'a path',
    'SelfSubjectAccessReview',
    { nonResourceAttributes: { path: '/version', verb: 'get' } },
    { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "c" of ClusterRole "c" to User "ada"' },
  ],
  ['another user', 'SubjectAccessReview', { user: 'bob', resourceAttributes: getX }, { allowed: false }],
  [
    'only groups',
    'SubjectAccessReview',
    { groups: ['dev'], resourceAttributes: { ...getX, namespace: 'b' } },
    { allowed: false, reason: 'RBAC: role.rbac.authorization.k8s.io "lost" not found' },
  ],
  [
    'no prototype',
    'SelfSubjectAccessReview',
    JSON.parse('{"resourceAttributes":{"__proto__":{"verb":"get"}}}'),
    { allowed: false },
  ],
])('%s returns a status, not an error', (_, kind, spec, status) => {
  expect(review(kind, spec)).toMatchObject({ kind, spec, status })
})

test.each<[string, ReviewKind, unknown, string, string]>([
  [
    'no attributes',
    'SelfSubjectAccessReview',
    {},
    'spec.resourceAttributes',
    'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    'both kinds',
    'SelfSubjectAccessReview',
    { resourceAttributes: getX, nonResourceAttributes: { path: '/', verb: 'get' } },
    'spec.nonResourceAttributes',
    'Invalid value: {"path":"/","verb":"get"}: cannot be specified in combination with resourceAttributes',
  ],
  [
    'no user or group',
    'SubjectAccessReview',
    { resourceAttributes: getX },
    'spec.user',
    'Invalid value: "": at least one of user or group must be specified',
  ],
  [
    'a namespace that differs from the path',
    'LocalSubjectAccessReview',
    { user: 'bob', resourceAttributes: { ...getX, namespace: 'b' } },
    'spec.resourceAttributes.namespace',
    'Invalid value: "b": must match metadata.namespace',
  ],
  [
    'a path, in a namespace',
    'LocalSubjectAccessReview',
    { user: 'bob', nonResourceAttributes: { path: '/', verb: 'get' } },
    'spec.nonResourceAttributes',
    'Invalid value: {"path":"/","verb":"get"}: disallowed on this kind of request',
  ],
])('%s is invalid', (_, kind, spec, field, message) => {
  expect(rejection(() => review(kind, spec, 'a'))).toMatchObject({
    code: 422,
    message: `${kind}.authorization.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: 'authorization.k8s.io', kind, causes: [{ reason: 'FieldValueInvalid', field, message }] },
  })
})

test.each<[ReviewKind, string]>([
  ['SelfSubjectAccessReview', 'Invalid value: {"name":"x"}: must be empty'],
  ['LocalSubjectAccessReview', 'Invalid value: {"name":"x"}: must be empty except for namespace'],
])('metadata of a %s must be empty', (kind, message) => {
  const spec = { user: 'bob', resourceAttributes: getX }
  expect(rejection(() => review(kind, spec, 'a', { name: 'x' }))).toMatchObject({
    details: { causes: [{ reason: 'FieldValueInvalid', field: 'metadata', message }] },
  })
})

describe('a self review', () => {
  it('lists the rules in a namespace', () => {
    expect(review('SelfSubjectRulesReview', { namespace: 'a' })).toMatchObject({
      spec: {},
      status: {
        resourceRules: [rule],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
        incomplete: false,
      },
    })
  })

  it('names the roles that do not exist', () => {
    expect(review('SelfSubjectRulesReview', { namespace: 'b' })).toMatchObject({
      status: {
        resourceRules: [],
        evaluationError:
          '[clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
      },
    })
  })

  it('requires a namespace', () => {
    expect(rejection(() => review('SelfSubjectRulesReview', {}))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'no namespace on request',
    })
  })

  it('returns the user and the time', () => {
    expect(review('SelfSubjectReview', undefined)).toMatchObject({
      metadata: { creationTimestamp: '2026-01-31T09:00:00Z' },
      status: { userInfo: { username: 'ada', uid: '7', groups: ['dev'], extra: { team: ['a', 'b'] } } },
    })
  })
})
