import { expect, it, test } from 'vitest'
import { configMapType, namespaceType } from './core-types'
import { queryString, resourcePath, type PathOptions } from './path'
import { apiVersionOf, defineResource, qualifiedPlural, type ResourceType } from './resource-type'

const runType = defineResource({
  group: 'tekton.dev',
  version: 'v1',
  kind: 'PipelineRun',
  plural: 'pipelineruns',
  namespaced: true,
})

test.each<[string, ResourceType, PathOptions, string]>([
  ['CALL-04 a core list', configMapType, {}, '/api/v1/configmaps'],
  ['CALL-04 a cluster-scoped core list', namespaceType, {}, '/api/v1/namespaces'],
  ['CALL-05 a grouped list', runType, {}, '/apis/tekton.dev/v1/pipelineruns'],
  ['CALL-06 a namespaced core list', configMapType, { namespace: 'a' }, '/api/v1/namespaces/a/configmaps'],
  ['CALL-06 a namespaced list', runType, { namespace: 'a' }, '/apis/tekton.dev/v1/namespaces/a/pipelineruns'],
  ['CALL-07 an item', runType, { namespace: 'a', name: 'b' }, '/apis/tekton.dev/v1/namespaces/a/pipelineruns/b'],
  ['CALL-07 a cluster-scoped item', namespaceType, { name: 'a' }, '/api/v1/namespaces/a'],
  [
    'CALL-07 a hostile name',
    configMapType,
    { namespace: 'a', name: '../b?c' },
    '/api/v1/namespaces/a/configmaps/..%2Fb%3Fc',
  ],
  ['CALL-06 a hostile namespace', configMapType, { namespace: 'a/../b' }, '/api/v1/namespaces/a%2F..%2Fb/configmaps'],
  ['a namespace for a cluster-scoped kind is ignored', namespaceType, { namespace: 'a' }, '/api/v1/namespaces'],
  [
    'a subresource',
    configMapType,
    { namespace: 'a', name: 'b', subresource: 'status' },
    '/api/v1/namespaces/a/configmaps/b/status',
  ],
])('%s', (_, type, options, path) => expect(resourcePath(type, options)).toBe(path))

it.each(['', '.', '..'])('CALL-07 rejects the name %j, whose path would address something else', (name) => {
  const message = `An object cannot be named '${name}'.`
  expect(() => resourcePath(configMapType, { namespace: 'a', name })).toThrow(message)
  // No namespace means all namespaces.
  if (name) expect(() => resourcePath(configMapType, { namespace: name })).toThrow(message)
})

test.each([
  [{}, ''],
  [{ a: undefined, b: '' }, ''],
  [{ limit: 10, watch: true, dryRun: false }, '?limit=10&watch=true&dryRun=false'],
  [{ labelSelector: 'k in (a,b)' }, '?labelSelector=k+in+%28a%2Cb%29'],
])('the query string of %j is %s', (params, text) => expect(queryString(params)).toBe(text))

it('gives the apiVersion and qualified plural of a kind', () => {
  expect(apiVersionOf(runType)).toBe('tekton.dev/v1')
  expect(apiVersionOf(configMapType)).toBe('v1')
  expect(qualifiedPlural(runType)).toBe('pipelineruns.tekton.dev')
  expect(qualifiedPlural(configMapType)).toBe('configmaps')
})
