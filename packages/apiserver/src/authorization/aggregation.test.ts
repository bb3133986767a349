import type { ClusterRole } from '@slipway/kube/core-types'
import { expect, it } from 'vitest'
import { aggregatedRules } from './aggregation'
import { createAuthorizer, superuserGroup } from './authorizer'
import { defaultClusterRoleBindings, defaultClusterRoles } from './default-roles'
import { aClusterRole, aRule, accessOf } from './testing'

it('aggregation collects the distinct rules of the selected roles, sorted by role name', () => {
  const labelled = (name: string, label: string, verb: string) => {
    const role = aClusterRole(name, aRule(verb, 'pods'))
    return { ...role, metadata: { ...role.metadata, labels: { [label]: 'true' } } }
  }
  const shell: ClusterRole = {
    ...aClusterRole('all'),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: 'true' } }, { matchLabels: { y: 'true' } }] },
  }
  const roles = [
    labelled('c', 'x', 'get'),
    labelled('b', 'x', 'list'),
    labelled('d', 'y', 'get'),
    labelled('e', 'z', '*'),
  ]
  expect(aggregatedRules(shell, [shell, ...roles])).toEqual([aRule('list', 'pods'), aRule('get', 'pods')])
  expect(aggregatedRules(aClusterRole('plain'), roles)).toBeUndefined()
})

it('aggregation collects nothing for a selector without matches', () => {
  const shell = { ...aClusterRole('all'), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: 'y' } }] } }
  expect(aggregatedRules(shell, [aClusterRole('a', aRule('*', '*'))])).toEqual([])
})

it.each([
  { matchLabels: { x: 'true,y' } },
  { matchLabels: { '!!': 'a b' } },
  { matchExpressions: [{ key: '', operator: 'In' }] },
  { matchExpressions: [{ key: 'x', operator: 'Nonsense', values: ['true'] }] },
])('aggregation collects nothing, and does not fail, for the selector %j', (selector) => {
  const labelled = { ...aClusterRole('a', aRule('*', '*')), metadata: { name: 'a', labels: { x: 'true' } } }
  const shell = { ...aClusterRole('all'), aggregationRule: { clusterRoleSelectors: [selector] } } as ClusterRole
  expect(aggregatedRules(shell, [labelled])).toEqual([])
})

it('the default roles let every user read discovery, review their own access and check health, but nothing else', () => {
  const authorizer = createAuthorizer(() =>
    accessOf({ clusterRoles: defaultClusterRoles, clusterRoleBindings: defaultClusterRoleBindings }),
  )
  const user = { name: 'ada', groups: ['system:authenticated'] }
  const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
  const may = (path: string, who = user) => authorizer.authorize({ user: who, verb: 'get', path }).allowed
  expect(
    ['/api', '/apis/tekton.dev/v1', '/openapi/v3/api/v1', '/version', '/healthz'].map((path) => may(path)),
  ).toEqual(Array(5).fill(true))
  expect(may('/metrics')).toBe(false)
  expect(may('/readyz', anonymous)).toBe(true)
  expect(may('/api', anonymous)).toBe(false)
  const review = { user, verb: 'create', group: 'authorization.k8s.io' }
  expect(authorizer.authorize({ ...review, resource: 'selfsubjectaccessreviews' }).allowed).toBe(true)
  expect(authorizer.authorize({ ...review, resource: 'subjectaccessreviews' }).allowed).toBe(false)
})

it('the aggregated admin role includes the rules of edit and view', () => {
  let roles = defaultClusterRoles
  for (let round = 0; round < 3; round++) {
    roles = roles.map((role) => ({ ...role, rules: aggregatedRules(role, roles) ?? role.rules }))
  }
  const rules = roles.find((role) => role.metadata.name === 'admin')?.rules?.flatMap((rule) => rule.resources ?? [])
  expect(rules).toEqual(expect.arrayContaining(['rolebindings', 'secrets', 'pods/log']))
  expect(defaultClusterRoleBindings[0]?.subjects?.[0]?.name).toBe(superuserGroup)
})
