import { expect, it, test } from 'vitest'
import { parseApiRequest } from './api-request'

test.each<[method: string, path: string, right: string, namespace?: string]>([
  ['GET', '/api/v1/namespaces/a/secrets', 'list secrets', 'a'],
  ['GET', '/api/v1/namespaces/a/secrets?limit=1&fields=x', 'list secrets', 'a'],
  ['GET', '/api/v1/namespaces/a/secrets?watch=true', 'watch secrets', 'a'],
  ['GET', '/api/v1/namespaces/a/secrets/token', 'get secrets token', 'a'],
  ['GET', '/api/v1/namespaces/a/pods/b/log?container=c', 'get pods/log b', 'a'],
  ['GET', '/api/v1/namespaces/a', 'get namespaces a', 'a'],
  ['GET', '/api/v1/namespaces', 'list namespaces'],
  ['GET', '/apis/tekton.dev/v1/pipelineruns', 'list pipelineruns.tekton.dev'],
  ['GET', '/apis/tekton.dev/v1/namespaces/a%2Fb/pipelineruns/c', 'get pipelineruns.tekton.dev c', 'a/b'],
  ['POST', '/apis/tekton.dev/v1/namespaces/a/pipelineruns', 'create pipelineruns.tekton.dev', 'a'],
  ['PUT', '/api/v1/namespaces/a/secrets/token', 'update secrets token', 'a'],
  ['PATCH', '/apis/tekton.dev/v1/namespaces/a/pipelineruns/c', 'patch pipelineruns.tekton.dev c', 'a'],
  ['DELETE', '/api/v1/namespaces/a/secrets/token', 'delete secrets token', 'a'],
  ['DELETE', '/api/v1/namespaces/a/secrets', 'deletecollection secrets', 'a'],
  ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/x', 'get clusterroles.rbac.authorization.k8s.io x'],
])('%s %s needs the right to %s', (method, path, expected, inNamespace) => {
  const { right, namespace } = parseApiRequest(method, path) ?? expect.fail('it needs no right')
  const { verb, type, subresource, name } = right
  const resource = [type.plural, ...(subresource ? [subresource] : [])].join('/')
  expect([verb, [resource, type.group].filter(Boolean).join('.'), name].filter(Boolean).join(' ')).toBe(expected)
  expect(namespace).toBe(inNamespace)
})

it.each(['/version', '/apis', '/apis/tekton.dev/v1', '/api/v1', '/openapi/v3'])('%s is not about objects', (path) =>
  expect(parseApiRequest('GET', path)).toBeUndefined(),
)
