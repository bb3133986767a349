import { expect, test } from 'vitest'
import type { Attributes } from './rules'
import { forbiddenMessage } from './forbidden'

const user = { name: 'u', groups: [] }

test.each<[Omit<Attributes, 'user'>, string]>([
  [
    { verb: 'get', resource: 'pods', name: 'x', namespace: 'ns' },
    'pods "x" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace "ns"',
  ],
  [
    { verb: 'list', group: 'tekton.dev', resource: 'pipelineruns' },
    'pipelineruns.tekton.dev is forbidden: ' +
      'User "u" cannot list resource "pipelineruns" in API group "tekton.dev" at the cluster scope',
  ],
  [
    { verb: 'get', resource: 'pods', subresource: 'log', name: '<b>&', namespace: 'ns' },
    'pods "<b>&" is forbidden: User "u" cannot get resource "pods/log" in API group "" in the namespace "ns"',
  ],
  [{ verb: 'get', path: '/<x>' }, 'forbidden: User "u" cannot get path "/&lt;x&gt;"'],
])('the message for %j', (attributes, message) => {
  expect(forbiddenMessage({ user, ...attributes })).toBe(message)
})

test('the message ends with the evaluation error', () => {
  expect(forbiddenMessage({ user, verb: 'get', path: '/x' }, 'RBAC: role "r" not found')).toBe(
    'forbidden: User "u" cannot get path "/x": RBAC: role "r" not found',
  )
})
