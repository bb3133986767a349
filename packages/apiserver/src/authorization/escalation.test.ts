import {
  clusterRoleType,
  roleBindingType,
  roleType,
  type ClusterRole,
  type PolicyRule,
  type Role,
  type RoleBinding,
} from '@slipway/kube/core-types'
import { describe, expect, it, test } from 'vitest'
import { createAuthorizer, type AccessObjects } from '../authorization/authorizer'
import { checkBindingWrite, checkRoleWrite } from './escalation'
import { uncoveredRules } from './rules'
import { aBinding, aClusterRole, aRole, aRule, aUser, accessOf } from './testing'

const user = { name: 'ada', groups: ['dev', 'system:authenticated'] }

test.each<[string, PolicyRule[], PolicyRule[], PolicyRule[]]>([
  ['the same rule', [aRule('get', 'pods')], [aRule('get', 'pods')], []],
  [
    'rules that cover it in combination',
    [aRule('get', 'pods'), aRule('list', 'pods')],
    [aRule('get,list', 'pods')],
    [],
  ],
  ['a rule for everything', [aRule('*', '*', { apiGroups: ['*'] })], [aRule('get', 'pods/log')], []],
  ['all of a subresource', [aRule('get', '*/log')], [aRule('get', 'pods/log')], []],
  ['one verb too many', [aRule('get', 'pods')], [aRule('get,delete', 'pods')], [aRule('delete', 'pods')]],
  ['all verbs, holding one', [aRule('get', 'pods')], [aRule('*', 'pods')], [aRule('*', 'pods')]],
  [
    'all names, holding some',
    [aRule('get', 'pods', { resourceNames: ['x'] })],
    [aRule('get', 'pods')],
    [aRule('get', 'pods')],
  ],
  [
    'one name too many',
    [aRule('get', 'pods', { resourceNames: ['x'] })],
    [aRule('get', 'pods', { resourceNames: ['x', 'y'] })],
    [aRule('get', 'pods', { resourceNames: ['y'] })],
  ],
  [
    'paths',
    [{ verbs: ['get'], nonResourceURLs: ['/apis/*'] }],
    [{ verbs: ['get'], nonResourceURLs: ['/apis/x', '/version'] }],
    [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
  ],
])('held and requested rules: %s', (_, held, requested, missing) => {
  expect(uncoveredRules(held, requested)).toEqual(missing)
})

/** Ada holds this rule in namespace a. */
const holding = (rule: PolicyRule, more: Partial<AccessObjects> = {}) =>
  createAuthorizer(() =>
    accessOf({
      roles: [aRole('a', 'held', rule), ...(more.roles ?? [])],
      clusterRoles: more.clusterRoles,
      roleBindings: [aBinding('a', 'held', 'Role/held', aUser('ada'))],
    }),
  )

describe('writing a role', () => {
  const write = (object: Role, authorizer = holding(aRule('get,list', 'pods')), old?: Role) =>
    checkRoleWrite({ authorizer, user, type: roleType, object, old })

  it('is allowed with rules the writer holds', () => {
    expect(write(aRole('a', 'r', aRule('get', 'pods')))).toBeUndefined()
  })

  it('is denied with the missing rules, one per line', () => {
    expect(write(aRole('a', 'r', aRule('get,delete,create', 'pods,secrets')))).toEqual({
      code: 403,
      reason: 'Forbidden',
      message:
        'roles.rbac.authorization.k8s.io "r" is forbidden: user "ada" (groups=["dev" "system:authenticated"]) ' +
        'is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete" "create"]}',
    })
  })

  it('is denied in a namespace where the user does not hold the rules', () => {
    expect(write(aRole('b', 'r', aRule('get', 'pods')))?.code).toBe(403)
  })

  it('is allowed with the verb escalate on the role', () => {
    const rule = aRule('escalate', 'roles', { apiGroups: [roleType.group], resourceNames: ['r'] })
    const [role, other] = [aRole('a', 'r', aRule('*', '*')), aRole('a', 'other', aRule('*', '*'))]
    expect(write(role, holding(rule), aRole('a', 'r'))).toBeUndefined()
    expect(write(other, holding(rule), aRole('a', 'other'))?.code).toBe(403)
    // An object to be created has no name yet.
    expect(write(role, holding(rule))?.code).toBe(403)
    const any = aRule('escalate', 'roles', { apiGroups: [roleType.group] })
    expect(write(role, holding(any))).toBeUndefined()
  })

  it('is allowed when only owners and finalizers change', () => {
    const old = aRole('a', 'r', aRule('*', '*'))
    const without = { ...old, metadata: { ...old.metadata, finalizers: [], resourceVersion: '7' } }
    expect(write(without, undefined, old)).toBeUndefined()
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }
    expect(write(labelled, undefined, old)?.code).toBe(403)
  })

  it('requires all permissions to add or remove an aggregation rule', () => {
    const gathers = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
    const authorizer = holding(aRule('*', '*', { apiGroups: ['*'] }))
    const change = (object: ClusterRole, old?: ClusterRole) =>
      checkRoleWrite({ authorizer, user, type: clusterRoleType, object, old })?.message
    const message =
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: ' +
      'must have cluster-admin privileges to use the aggregationRule'
    expect(change({ ...aClusterRole('r'), ...gathers })).toBe(message)
    expect(change(aClusterRole('r'), { ...aClusterRole('r'), ...gathers })).toBe(message)
    expect(change({ ...aClusterRole('r'), aggregationRule: {} })).toBeUndefined()
  })

  it('is always allowed for system:masters', () => {
    const root = { name: 'root', groups: ['system:masters'] }
    const object = aRole('a', 'r', aRule('*', '*'))
    expect(checkRoleWrite({ authorizer: holding(aRule('get', 'x')), user: root, type: roleType, object })).toBe(
      undefined,
    )
  })
})

describe('writing a binding', () => {
  const roles = {
    roles: [aRole('a', 'reader', aRule('get', 'pods'))],
    clusterRoles: [aClusterRole('writer', aRule('update', 'pods'))],
  }
  const write = (object: RoleBinding, held = aRule('get', 'pods')) =>
    checkBindingWrite({ authorizer: holding(held, roles), user, type: roleBindingType, object })

  it('is allowed for a role whose rules the writer holds there', () => {
    expect(write(aBinding('a', 'b', 'Role/reader', aUser('bob')))).toBeUndefined()
  })

  it('is denied for a role with additional rules', () => {
    expect(write(aBinding('a', 'b', 'ClusterRole/writer', aUser('bob')))?.message).toMatch(
      /^rolebindings\.rbac\.authorization\.k8s\.io "b" is forbidden: user "ada" .*\n.*Verbs:\["update"\]}$/,
    )
  })

  it('is allowed with the verb bind on the role', () => {
    const held = aRule('bind', 'clusterroles', { apiGroups: [roleType.group], resourceNames: ['writer'] })
    expect(write(aBinding('a', 'b', 'ClusterRole/writer'), held)).toBeUndefined()
  })

  it('is not found for a role that does not exist', () => {
    expect(write(aBinding('a', 'b', 'Role/gone'))).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'role.rbac.authorization.k8s.io "gone" not found',
    })
  })

  it.each([{}, { roleRef: {} }])('leaves %j to validation', (nonsense) => {
    expect(write({ metadata: { namespace: 'a', name: 'b' }, ...nonsense } as RoleBinding)).toBeUndefined()
  })
})
