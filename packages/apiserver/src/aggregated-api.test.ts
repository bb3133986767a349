import { createKubeClient } from '@slipway/kube/client'
import { roleBindingType, roleType } from '@slipway/kube/core-types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AggregatedApi, AggregatedRequest } from './aggregated-api'
import { createApiServer, type ApiServer } from './api-server'
import { memoryStorage } from './storage/memory'

const group = 'forecasts.example.test'
const requests: AggregatedRequest[] = []
const forecasts: AggregatedApi = {
  group,
  versions: ['v1', 'v1beta1'],
  resources: [
    { name: 'places', kind: 'Place', namespaced: true, verbs: [] },
    { name: 'places/forecast', kind: 'Forecast', namespaced: true, verbs: ['get'] },
  ],
  respond(request) {
    requests.push(request)
    const body = request.name === 'unknown' ? undefined : { kind: 'Forecast', rain: request.query.get('day') }
    return Promise.resolve(body)
  },
}

let server: ApiServer
beforeAll(async () => {
  server = await createApiServer({
    storage: memoryStorage(),
    aggregatedApis: [forecasts],
    authenticate: (token) => ({ name: token, groups: token === 'admin' ? ['system:masters'] : [] }),
  })
  const client = createKubeClient({
    baseUrl: 'http://cluster.test',
    headers: { authorization: 'Bearer admin' },
    timeoutMs: Infinity,
    fetch: (input, init) => server.fetch(new Request(input, init)),
  })
  await client.create(roleType, {
    metadata: { name: 'forecasts', namespace: 'default' },
    rules: [{ apiGroups: [group], resources: ['places/forecast'], verbs: ['get'] }],
  })
  await client.create(roleBindingType, {
    metadata: { name: 'forecasts', namespace: 'default' },
    roleRef: { apiGroup: roleType.group, kind: 'Role', name: 'forecasts' },
    subjects: [{ kind: 'User', apiGroup: roleType.group, name: 'ada' }],
  })
})
afterAll(() => server.close())

async function send(path: string, { user = 'admin', method = 'GET', accept = 'application/json' } = {}) {
  const headers = { authorization: `Bearer ${user}`, accept }
  const response = await server.fetch(new Request(`http://cluster.test${path}`, { method, headers }))
  const text = await response.text()
  // A path that is not served has a text as its response.
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: response.status, body }
}

const place = `/apis/${group}/v1/namespaces/default/places`

it('an aggregated API responds to users who may send the request', async () => {
  requests.length = 0
  const { status, body } = await send(`${place}/paris/forecast?day=3`, { user: 'ada' })
  expect([status, body]).toEqual([200, { kind: 'Forecast', rain: '3' }])
  expect(requests).toMatchObject([
    { version: 'v1', resource: 'places/forecast', verb: 'get', namespace: 'default', name: 'paris' },
  ])
})

it.each<[string, Parameters<typeof send>, number]>([
  ['a user without the right', [`${place}/paris/forecast`, { user: 'eve' }], 403],
  [
    'a namespace in which the user has no right',
    [place.replace('default', 'other') + '/paris/forecast', { user: 'ada' }],
    403,
  ],
  ['a version that it does not have', [`${place.replace('/v1/', '/v2/')}/paris/forecast`], 404],
  ['a resource that it does not have', [`${place}/paris/history`], 404],
  ['an object that it does not have', [`${place}/unknown/forecast`], 404],
  ['a resource of which only the subresource responds', [`${place}/paris`], 405],
  ['another method', [`${place}/paris/forecast`, { method: 'DELETE' }], 405],
])('an aggregated API is not asked for %s', async (_, request, expected) => {
  expect((await send(...request)).status).toBe(expected)
})

it('discovery lists an aggregated API in both of its forms, its first version first', async () => {
  expect((await send(`/apis/${group}`)).body).toMatchObject({
    kind: 'APIGroup',
    versions: [{ version: 'v1' }, { version: 'v1beta1' }],
    preferredVersion: { version: 'v1' },
  })
  expect((await send(`/apis/${group}/v1`)).body).toMatchObject({
    kind: 'APIResourceList',
    resources: [
      { name: 'places', namespaced: true, verbs: [] },
      { name: 'places/forecast', kind: 'Forecast', verbs: ['get'] },
    ],
  })
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const { body } = await send('/apis', { accept })
  const groups = body.items as { metadata: { name: string }; versions: { version: string; resources: unknown[] }[] }[]
  expect(groups.find(({ metadata }) => metadata.name === group)?.versions[0]).toMatchObject({
    version: 'v1',
    resources: [{ resource: 'places', subresources: [{ subresource: 'forecast', verbs: ['get'] }] }],
  })
})
