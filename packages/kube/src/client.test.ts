import { getEventListeners } from 'node:events'
import { expect, it, test, vi } from 'vitest'
import { manualClock } from './testing'
import { createKubeClient, type KubeClient } from './client'
import { configMapType, namespaceType, selfSubjectAccessReviewType, type ConfigMap } from './core-types'
import { nameOf } from './object'
import { defineResource } from './resource-type'
import { ApiError, retryAfterMs } from './status'

const appType = defineResource({
  group: 'example.io',
  version: 'v1',
  kind: 'App',
  plural: 'apps',
  namespaced: true,
})

interface Call {
  method: string
  url: string
  headers: Headers
  body: unknown
}

/** A client that records its calls and gets the given response. */
function scene(
  answer: () => Response | Promise<Response> = () => Response.json({ metadata: {}, items: [] }),
  options: { timeoutMs?: number; headers?: Record<string, string> } = {},
) {
  const calls: Call[] = []
  const client = createKubeClient({
    baseUrl: '/api/k8s',
    ...options,
    async fetch(input, init) {
      calls.push({
        method: init?.method ?? 'GET',
        url: String(input),
        headers: new Headers(init?.headers),
        body: init?.body === undefined ? undefined : JSON.parse(String(init.body)),
      })
      return answer()
    },
  })
  return { client, calls }
}

const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

const settings = (metadata: ConfigMap['metadata'] = { name: 'b', namespace: 'a' }): ConfigMap => ({ metadata })

test.each<[string, (client: KubeClient) => Promise<unknown>, string]>([
  [
    'CALL-02, CALL-04, CALL-08 list',
    (c) => c.list(configMapType, { namespace: 'a' }),
    'GET /api/k8s/api/v1/namespaces/a/configmaps',
  ],
  [
    'CALL-05, CALL-08 get',
    (c) => c.get(appType, 'b', { namespace: 'a' }),
    'GET /api/k8s/apis/example.io/v1/namespaces/a/apps/b',
  ],
  ['CALL-20 create', (c) => c.create(configMapType, settings()), 'POST /api/k8s/api/v1/namespaces/a/configmaps'],
  ['CALL-21 replace', (c) => c.replace(configMapType, settings()), 'PUT /api/k8s/api/v1/namespaces/a/configmaps/b'],
  [
    'replace status',
    (c) => c.replaceStatus(configMapType, settings()),
    'PUT /api/k8s/api/v1/namespaces/a/configmaps/b/status',
  ],
  [
    'CALL-23 patch',
    (c) => c.patch(appType, 'b', [], { namespace: 'a' }),
    'PATCH /api/k8s/apis/example.io/v1/namespaces/a/apps/b',
  ],
  ['CALL-24 delete', (c) => c.delete(namespaceType, 'a'), 'DELETE /api/k8s/api/v1/namespaces/a'],
  [
    'log',
    (c) => c.log('p', { namespace: 'a', container: 'c' }),
    'GET /api/k8s/api/v1/namespaces/a/pods/p/log?container=c',
  ],
  ['followLog', (c) => c.followLog('p', { namespace: 'a' }), 'GET /api/k8s/api/v1/namespaces/a/pods/p/log?follow=true'],
  [
    'review',
    (c) => c.review(selfSubjectAccessReviewType, { resourceAttributes: { verb: 'get' } }),
    'POST /api/k8s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  ],
  [
    'createToken',
    (c) => c.createToken('a', 'robot', 60).catch(() => {}),
    'POST /api/k8s/api/v1/namespaces/a/serviceaccounts/robot/token',
  ],
  [
    'CALL-09 list with all options',
    (c) =>
      c.list(configMapType, {
        labels: { matchLabels: { app: 'x' } },
        fields: { 'metadata.name': 'b' },
        limit: 10,
        continue: 'token',
      }),
    'GET /api/k8s/api/v1/configmaps?labelSelector=app%3Dx&fieldSelector=metadata.name%3Db&limit=10&continue=token',
  ],
  [
    'CALL-25, CALL-26 create as a dry run',
    (c) =>
      c.create(configMapType, settings(), {
        dryRun: true,
        fieldManager: 'm',
        fieldValidation: 'Strict',
        pretty: true,
      }),
    'POST /api/k8s/api/v1/namespaces/a/configmaps?dryRun=All&fieldManager=m&fieldValidation=Strict&pretty=true',
  ],
  [
    'CALL-25 replace and patch as a dry run',
    async (c) => {
      await c.replace(configMapType, settings(), { dryRun: true })
      await c.patch(configMapType, 'b', [], { namespace: 'a', dryRun: true })
    },
    [
      'PUT /api/k8s/api/v1/namespaces/a/configmaps/b?dryRun=All',
      'PATCH /api/k8s/api/v1/namespaces/a/configmaps/b?dryRun=All',
    ].join('\n'),
  ],
  [
    'create in the namespace of the options',
    (c) => c.create(configMapType, settings({ name: 'b' }), { namespace: 'a' }),
    'POST /api/k8s/api/v1/namespaces/a/configmaps',
  ],
])('%s', async (_, call, expected) => {
  const { client, calls } = scene()
  await call(client)
  expect(calls.map(({ method, url }) => `${method} ${url}`).join('\n')).toBe(expected)
})

it('CALL-03 a call of a client with a prefix goes to the prefix', async () => {
  const urls: string[] = []
  const client = createKubeClient({
    baseUrl: '/api/k8s/plugins/kubearchive',
    fetch: async (input) => (urls.push(String(input)), Response.json({ items: [] })),
  })
  await client.list(appType, { namespace: 'a' })
  expect(urls).toEqual(['/api/k8s/plugins/kubearchive/apis/example.io/v1/namespaces/a/apps'])
})

it('CALL-23 a patch is JSON patch', async () => {
  const { client, calls } = scene()
  const patch = [{ op: 'replace' as const, path: '/data/a', value: 'x' }]
  await client.patch(configMapType, 'b', patch, { namespace: 'a' })
  expect(calls[0]?.headers.get('content-type')).toBe('application/json-patch+json')
  expect(calls[0]?.body).toEqual(patch)
})

it('a merge patch is an object, and may request only the metadata', async () => {
  const { client, calls } = scene()
  await client.patch(configMapType, 'b', { data: { a: null } }, { namespace: 'a' })
  await client.patch(configMapType, 'b', { data: {} }, { namespace: 'a', metadataOnly: true, dryRun: true })
  expect(calls[0]?.headers.get('content-type')).toBe('application/merge-patch+json')
  expect(calls[0]?.headers.get('accept')).toBe('application/json')
  expect(calls[0]?.body).toEqual({ data: { a: null } })
  expect(calls[1]?.headers.get('accept')).toMatch(/^application\/json;as=PartialObjectMetadata;/)
  expect(calls[1]?.url).toBe('/api/k8s/api/v1/namespaces/a/configmaps/b?dryRun=All')
})

it('pages end with the first one that has no token', async () => {
  const tokens = ['one', 'two', '']
  const { client, calls } = scene(() => Response.json({ metadata: { continue: tokens[calls.length - 1] }, items: [] }))
  let count = 0
  for await (const page of client.pages(configMapType, { limit: 5 })) if (page.items) count++
  expect(count).toBe(3)
  expect(calls.map(({ url }) => url.split('?')[1])).toEqual(['limit=5', 'limit=5&continue=one', 'limit=5&continue=two'])
})

it('CALL-24 a delete has a body only if it has options', async () => {
  const { client, calls } = scene()
  await client.delete(appType, 'b', { namespace: 'a' })
  await client.delete(appType, 'b', { namespace: 'a', propagationPolicy: 'Foreground', preconditions: { uid: 'u' } })
  await client.delete(appType, 'b', { namespace: 'a', propagationPolicy: 'Background' })
  expect(calls[0]?.body).toBeUndefined()
  expect(calls[2]?.body).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' })
  expect(calls[1]?.body).toEqual({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Foreground',
    preconditions: { uid: 'u' },
  })
})

it('CALL-25 a dry-run delete sets dryRun only in its body', async () => {
  const { client, calls } = scene()
  await client.delete(configMapType, 'b', { namespace: 'a', dryRun: true, preconditions: { uid: 'u' } })
  await client.delete(configMapType, 'b', { namespace: 'a', dryRun: true })
  expect(calls.map(({ url }) => url)).toEqual(Array(2).fill('/api/k8s/api/v1/namespaces/a/configmaps/b'))
  expect(calls[0]?.body).toEqual({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid: 'u' },
    dryRun: ['All'],
  })
  expect(calls[1]?.body).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] })
})

it('writes carry the type of the object and the headers of the client', async () => {
  const { client, calls } = scene(undefined, { headers: { 'x-requested-with': 'slipway' } })
  await client.create(appType, { metadata: { name: 'b', namespace: 'a' } })
  expect(calls[0]?.body).toMatchObject({ apiVersion: 'example.io/v1', kind: 'App' })
  expect(calls[0]?.headers.get('content-type')).toBe('application/json')
  expect(calls[0]?.headers.get('x-requested-with')).toBe('slipway')
  expect(calls[0]?.headers.get('accept')).toBe('application/json')
})

it('CALL-22 a replace without a name is rejected', async () => {
  const { client, calls } = scene()
  await expect(client.replace(configMapType, settings({ namespace: 'a' }))).rejects.toThrow(
    'Resource payload name not specified',
  )
  expect(calls).toHaveLength(0)
})

it('CALL-27 a namespace in the options that differs from the payload is rejected', async () => {
  const { client, calls } = scene()
  const message = 'Resource payload namespace vs. query options namespace mismatch'
  await expect(client.create(configMapType, settings(), { namespace: 'z' })).rejects.toThrow(message)
  await expect(client.replace(configMapType, settings(), { namespace: 'z' })).rejects.toThrow(message)
  expect(calls).toHaveLength(0)
})

it('CALL-28 a name in the options that differs from the payload is rejected', async () => {
  const { client, calls } = scene()
  await expect(client.replace(configMapType, settings(), { name: 'z' })).rejects.toThrow(
    'Resource payload name vs. query options name mismatch',
  )
  expect(calls).toHaveLength(0)
})

it('CALL-29 a Status without success is an error, whatever the HTTP code', async () => {
  const { client } = scene(() =>
    Response.json({ kind: 'Status', status: 'Failure', code: 409, reason: 'AlreadyExists', message: 'b exists' }),
  )
  const error = await failureOf(client.create(configMapType, settings()))
  expect(error).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'b exists' })
})

it('a successful Status is a result', async () => {
  const { client } = scene(() => Response.json({ kind: 'Status', status: 'Success' }))
  await expect(client.delete(configMapType, 'b', { namespace: 'a' })).resolves.toMatchObject({ status: 'Success' })
})

it('CALL-31 a call without a response times out with an error that names the URL and the time limit', async () => {
  const client = createKubeClient({
    baseUrl: '/api/k8s',
    timeoutMs: 5,
    fetch: (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  })
  const error = await failureOf(client.get(namespaceType, 'a'))
  expect(error.message).toBe('Call to /api/k8s/api/v1/namespaces/a timed out after 5ms.')
  expect(error).toMatchObject({ code: 408, reason: 'Timeout' })
})

it('CALL-31 a response whose body never ends times out', async () => {
  const client = createKubeClient({
    baseUrl: '',
    timeoutMs: 5,
    fetch: async (_, init) =>
      new Response(
        new ReadableStream({
          start: (body) => init?.signal?.addEventListener('abort', () => body.error(init.signal?.reason)),
        }),
      ),
  })
  expect((await failureOf(client.get(namespaceType, 'a'))).code).toBe(408)
})

it('CALL-30 a call times out after 60000 ms by default, even if the request ignores its signal', async () => {
  const clock = manualClock()
  const signals: (AbortSignal | null | undefined)[] = []
  const client = createKubeClient({
    baseUrl: '',
    clock,
    fetch: (_, init) => {
      signals.push(init?.signal)
      return new Promise(() => {})
    },
  })
  const states: string[] = []
  void failureOf(client.get(namespaceType, 'a')).then(({ reason }) => states.push(reason))
  await clock.advance(59_999)
  expect(states).toEqual([])
  await clock.advance(1)
  expect(states).toEqual(['Timeout'])
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
})

it('a completed call leaves neither a timer nor a listener behind', async () => {
  const clock = manualClock()
  const client = createKubeClient({ baseUrl: '', clock, fetch: async () => Response.json({ metadata: {} }) })
  const { signal } = new AbortController()
  await client.get(namespaceType, 'a', { signal })
  expect(clock.pending).toBe(0)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it('a call with an aborted signal sends nothing', async () => {
  const { client, calls } = scene()
  const signal = AbortSignal.abort(new Error('not wanted'))
  await expect(client.get(namespaceType, 'a', { signal })).rejects.toThrow('not wanted')
  expect(calls).toEqual([])
})

it('CALL-38 list items get the apiVersion and kind of their type', async () => {
  const { client } = scene(() =>
    Response.json({ kind: 'AppList', metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'x' } }] }),
  )
  const list = await client.list(appType)
  expect(list.items).toEqual([{ apiVersion: 'example.io/v1', kind: 'App', metadata: { name: 'x' } }])
  expect(list.metadata.resourceVersion).toBe('7')
})

it('CALL-38 a list with null items is empty', async () => {
  const { client } = scene(() => Response.json({ kind: 'AppList', metadata: {}, items: null }))
  expect((await client.list(appType)).items).toEqual([])
})

it.each(['null', '7', '[]', '{}', '{"message":"all is well"}', '{"items":"none"}', '{"items":{}}'])(
  'a list that returns %s fails instead of being empty',
  async (body) => {
    const { client } = scene(() => new Response(body))
    expect(await failureOf(client.list(appType))).toMatchObject({
      reason: 'InvalidAnswer',
      message: 'Call to /api/k8s/apis/example.io/v1/apps returned something that is not a list.',
    })
  },
)

it.each(['null', '7', '[]', '{}', '{"metadata":null}'])('a get that returns %s fails', async (body) => {
  const { client } = scene(() => new Response(body))
  expect(await failureOf(client.get(appType, 'x', { namespace: 'a' }))).toMatchObject({
    reason: 'InvalidAnswer',
    message: 'Call to /api/k8s/apis/example.io/v1/namespaces/a/apps/x returned something that is not an object.',
  })
})

it('list items that are not objects are dropped', async () => {
  const { client } = scene(() =>
    Response.json({ metadata: null, items: [null, 'x', { spec: {} }, { metadata: { name: 'x' } }] }),
  )
  const { items, metadata } = await client.list(appType)
  expect(items.map(nameOf)).toEqual(['x'])
  expect(metadata).toEqual({})
})

it.each([
  ['header', Response.json({}, { status: 429, headers: { 'retry-after': '7' } }), 7_000],
  ['Status', Response.json({ kind: 'Status', details: { retryAfterSeconds: 5 } }, { status: 503 }), 5_000],
  [
    'header with a date, which is ignored',
    new Response('', { status: 503, headers: { 'retry-after': 'Sat, 31 Jan' } }),
    0,
  ],
  ['response without a time', new Response('', { status: 503 }), 0],
])('an error has the wait that the server requests: %s', async (_, response, ms) => {
  const { client } = scene(() => response)
  expect(retryAfterMs(await failureOf(client.list(appType)))).toBe(ms)
})

it('an error has the id of the request, if the server names it', async () => {
  const headers = { 'x-request-id': '1b4e28ba' }
  const named = scene(() => new Response('', { status: 502, headers }))
  expect(await failureOf(named.client.list(appType))).toMatchObject({ code: 502, requestId: '1b4e28ba' })
  const unnamed = scene(() => new Response('', { status: 502 }))
  expect(await failureOf(unnamed.client.list(appType))).toMatchObject({ code: 502, requestId: undefined })
})

it('a network failure has code 0', async () => {
  const { client } = scene(() => Promise.reject(new TypeError('Failed to fetch')))
  const error = await failureOf(client.get(namespaceType, 'a'))
  expect(error).toMatchObject({ code: 0, message: 'Call to /api/k8s/api/v1/namespaces/a failed: Failed to fetch' })
})

it('a response that is not JSON is an error', async () => {
  const { client } = scene(() => new Response('<html>'))
  expect((await failureOf(client.get(namespaceType, 'a'))).reason).toBe('InvalidAnswer')
})

it('an aborted call rejects with the reason of its signal', async () => {
  const controller = new AbortController()
  const { client } = scene(async () => {
    controller.abort(new DOMException('gone', 'AbortError'))
    throw controller.signal.reason
  })
  await expect(client.get(namespaceType, 'a', { signal: controller.signal })).rejects.toBe(controller.signal.reason)
})

test.each([
  ['the gateway’s own 401', 401, { 'www-authenticate': 'Session' }, true],
  ['an upstream’s 401', 401, { 'www-authenticate': 'Bearer' }, false],
  ['a 401 without the session challenge', 401, {}, false],
  ['another code with the session challenge', 403, { 'www-authenticate': 'Session' }, false],
])('SESS-09 %s', async (_, status, headers, isSessionEnd) => {
  const { client } = scene(() => Response.json({}, { status, headers }))
  expect((await failureOf(client.get(namespaceType, 'a'))).isSessionEnd).toBe(isSessionEnd)
})

it('ERR-22 an error carries the server’s Status', async () => {
  const status = {
    kind: 'Status',
    status: 'Failure',
    reason: 'Invalid',
    message: 'm',
    details: { causes: [{ field: 'spec.a', message: 'Required value' }] },
    code: 422,
  }
  const { client } = scene(() => Response.json(status, { status: 422 }))
  const error = await failureOf(client.create(configMapType, settings()))
  expect(error).toMatchObject({ code: 422, reason: 'Invalid', message: 'Error "Required value" for field "spec.a".' })
  expect(error.status?.details?.causes).toHaveLength(1)
})

it('text() returns the body unchanged and turns a failure into an error', async () => {
  const log = scene(() => new Response('{"a":1}\nb\n'))
  expect(await log.client.text('/api/v1/namespaces/a/pods/b/log')).toBe('{"a":1}\nb\n')
  expect(log.calls[0]?.headers.get('accept')).toBe('*/*')
  const refused = scene(() =>
    Response.json({ kind: 'Status', status: 'Failure', message: 'no', code: 403 }, { status: 403 }),
  )
  expect((await failureOf(refused.client.text('/x'))).code).toBe(403)
})

it('stream() resolves when the response starts, however long it lasts', async () => {
  vi.useFakeTimers()
  let write: ((text: string) => void) | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      write = (text) => controller.enqueue(new TextEncoder().encode(text))
    },
  })
  const { client, calls } = scene(() => new Response(body), { timeoutMs: 5 })
  const reader = (await client.stream('/api/v1/namespaces/a/pods/b/log?follow=true')).getReader()
  await vi.advanceTimersByTimeAsync(60_000)
  write?.('late')
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('late')
  expect(calls[0]?.headers.get('accept')).toBe('*/*')
})

it('a stream ends with its caller’s signal, however long it has lasted', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const client = createKubeClient({
    baseUrl: '',
    fetch: async (_, init) => {
      signals.push(init?.signal)
      return new Response('a log')
    },
  })
  const controller = new AbortController()
  await client.stream('/log', { signal: controller.signal })
  expect(signals.map((signal) => signal?.aborted)).toEqual([false])
  controller.abort()
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
})

it('CALL-31 a stream that does not start times out, and so does a failure whose body never ends', async () => {
  const clock = manualClock()
  const signals: (AbortSignal | null | undefined)[] = []
  let response = new Promise<Response>(() => {})
  const client = createKubeClient({
    baseUrl: '',
    clock,
    fetch: (_, init) => {
      signals.push(init?.signal)
      return response
    },
  })
  const silent = failureOf(client.stream('/log', { signal: new AbortController().signal }))
  await clock.advance(60_000)
  expect((await silent).code).toBe(408)
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  response = Promise.resolve(new Response(new ReadableStream(), { status: 403 }))
  const refused = failureOf(client.stream('/log'))
  await clock.advance(60_000)
  expect((await refused).code).toBe(408)
})

it('a rejected stream fails with the server’s message, and one that does not start in time fails', async () => {
  const { client } = scene(() => Response.json({ message: 'no such pod' }, { status: 404 }))
  expect(await failureOf(client.stream('/log'))).toMatchObject({ code: 404, message: 'no such pod' })
  const slow = createKubeClient({
    baseUrl: '',
    timeoutMs: 5,
    fetch: (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  expect(await failureOf(slow.stream('/log'))).toMatchObject({ code: 408 })
  const { client: broken } = scene(() => Promise.reject(new TypeError('fetch failed')))
  expect(await failureOf(broken.stream('/log'))).toMatchObject({ code: 0 })
})
