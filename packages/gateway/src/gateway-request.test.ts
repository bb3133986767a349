import { expect, test } from 'vitest'
import { parseGatewayRequest, type ApiCall } from './gateway-request'

const kubernetes = { upstream: 'kubernetes', isStream: false } as const

test.each<[string, ApiCall]>([
  ['GET /api/k8s/api/v1/namespaces', { ...kubernetes, verb: 'list', resource: 'namespaces' }],
  [
    'GET /api/k8s/api/v1/namespaces/a',
    { ...kubernetes, verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' },
  ],
  ['GET /api/k8s/api/v1/namespaces/a/pods', { ...kubernetes, verb: 'list', resource: 'pods', namespace: 'a' }],
  [
    'GET /api/k8s/api/v1/namespaces/a/pods/b/log?follow=true',
    { ...kubernetes, verb: 'get', resource: 'pods/log', namespace: 'a', name: 'b', isStream: true },
  ],
  [
    'GET /api/k8s/apis/tekton.dev/v1/namespaces/a/taskruns?watch=1&x=y',
    { ...kubernetes, verb: 'watch', resource: 'tekton.dev/taskruns', namespace: 'a', isStream: true },
  ],
  [
    'GET /api/k8s/apis/tekton.dev/v1/taskruns?watch=false',
    { ...kubernetes, verb: 'list', resource: 'tekton.dev/taskruns' },
  ],
  [
    'GET /api/k8s/apis/tekton.dev/v1/taskruns/t?watch=true',
    { ...kubernetes, verb: 'get', resource: 'tekton.dev/taskruns', name: 't' },
  ],
  ['GET /wss/k8s/api/v1/watch/pods', { ...kubernetes, verb: 'watch', resource: 'pods', isStream: true }],
  [
    'PATCH /api/k8s/apis/apps/v1/namespaces/a/deployments/b/status',
    { ...kubernetes, verb: 'patch', resource: 'apps/deployments/status', namespace: 'a', name: 'b' },
  ],
  ['POST /api/k8s/api/v1/namespaces/a/secrets', { ...kubernetes, verb: 'create', resource: 'secrets', namespace: 'a' }],
  [
    'PUT /api/k8s/api/v1/namespaces/a/finalize',
    { ...kubernetes, verb: 'update', resource: 'namespaces/finalize', namespace: 'a', name: 'a' },
  ],
  [
    'DELETE /api/k8s/api/v1/namespaces/a/pods',
    { ...kubernetes, verb: 'deletecollection', resource: 'pods', namespace: 'a' },
  ],
  ['DELETE /api/k8s/api/v1/nodes/n', { ...kubernetes, verb: 'delete', resource: 'nodes', name: 'n' }],
  ['GET /api/k8s/version', { ...kubernetes, verb: 'get' }],
  ['GET /api/k8s/apis/tekton.dev/v1', { ...kubernetes, verb: 'get' }],
  [
    'GET /api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records',
    {
      upstream: 'tekton-results',
      isStream: false,
      verb: 'get',
      resource: 'results.tekton.dev/results/records',
      namespace: 'a',
      name: '-',
    },
  ],
  [
    'GET /api/k8s/plugins/kubearchive/api/v1/namespaces/a/pods',
    { upstream: 'kubearchive', isStream: false, verb: 'list', resource: 'pods', namespace: 'a' },
  ],
  ['GET /api/k8s/plugins/toString/api/v1/pods', { verb: 'get', isStream: false }],
  ['GET /oauth2/callback?code=secret', { verb: 'get', isStream: false }],
  ['GET /api/k8s/api//v1', { verb: 'get', isStream: false }],
  ['OPTIONS *', { verb: 'options', isStream: false }],
])('parses %s as an API call', (line, expected) => {
  const [method = '', target = ''] = line.split(' ')
  expect(parseGatewayRequest(method, target).call).toEqual(expected)
})
