import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'
import { openRaw } from '../../test/raw-request'

const pods = '/api/v1/namespaces/a/pods'
const reviewPath = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

let gateway: ListeningGateway
/** Status of the next reviews; `undefined` for a failure. */
let status: object | undefined
/** The open responses of the upstream, which are not reviews. */
let streams: ServerResponse[]

beforeEach(async () => {
  gateway = await startListeningGateway()
  status = { allowed: true }
  streams = []
  gateway.upstream.respond = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === reviewPath) {
      response.writeHead(status ? 201 : 500, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ status }))
    }
    const type = request.url?.includes('/log') ? 'text/plain' : 'application/json'
    response.writeHead(200, { 'content-type': type }).flushHeaders()
    streams.push(response)
  }
  gateway.upstream.onSocket = () => {}
})
afterEach(() => gateway.close())

const reviews = () =>
  gateway.upstream.seen.flatMap(({ target, headers, body }) =>
    target === reviewPath
      ? [
          {
            user: headers.find(([name]) => name === 'impersonate-user')?.[1],
            spec: (JSON.parse(body) as { spec: unknown }).spec,
          },
        ]
      : [],
  )

async function openSocket(target: string, cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${gateway.host}/wss/k8s${target}`, { headers: { cookie, origin: gateway.origin } })
  await once(socket, 'open')
  return socket
}

const openResponse = (target: string, cookie: string) =>
  openRaw({
    port: gateway.port,
    target: `/api/k8s${target}`,
    headers: [
      ['Host', gateway.host],
      ['Cookie', cookie],
    ],
  })

it('a watch on a websocket ends with an ERROR event and 4403 within 30 s after its right was taken', async () => {
  const socket = await openSocket(`${pods}?watch=true&fieldSelector=metadata.name%3Dp`, await signIn(gateway.app))
  const messages: unknown[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await gateway.clock.advance(19_000)
  expect(reviews()).toEqual([])
  status = { allowed: false }
  const closed = once(socket, 'close')
  await gateway.clock.advance(2_000)
  const [code, reason] = (await closed) as [number, Buffer]
  expect([code, String(reason)]).toEqual([4403, 'You are no longer allowed to read this.'])
  expect(messages).toEqual([
    { type: 'ERROR', object: expect.objectContaining({ kind: 'Status', code: 403, reason: 'Forbidden' }) },
  ])
  expect(reviews()).toEqual([
    {
      user: 'ada@slipway.test',
      spec: {
        resourceAttributes: {
          verb: 'watch',
          group: '',
          version: 'v1',
          resource: 'pods',
          namespace: 'a',
          name: 'p',
        },
      },
    },
  ])
})

it('a watch over HTTP ends with an ERROR event, and its call at the upstream too', async () => {
  const response = await openResponse(`${pods}?watch=true`, await signIn(gateway.app))
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  streams[0]?.write('{"type":"ADDED"}\n')
  const body = text(response)
  const left = once(streams[0] as ServerResponse, 'close')
  status = { allowed: false }
  await gateway.clock.advance(21_000)
  const [added, last, rest] = (await body).split('\n')
  expect(added).toBe('{"type":"ADDED"}')
  expect(JSON.parse(last ?? '')).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 403 } })
  expect(rest).toBe('')
  await left
})

it('a followed log is cut, since there is no way to say why', async () => {
  const response = await openResponse(`${pods}/p/log?follow=true`, await signIn(gateway.app))
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  const body = text(response)
  body.catch(() => {})
  status = { allowed: false }
  await gateway.clock.advance(21_000)
  await expect(body).rejects.toThrow()
  expect(reviews()).toMatchObject([
    { spec: { resourceAttributes: { verb: 'get', resource: 'pods', subresource: 'log', name: 'p' } } },
  ])
})

describe('an open response of a plugin', () => {
  const results = 'results.tekton.dev'
  const records = `/apis/${results}/v1alpha2/parents/a/results/-`
  const podLog = { verb: 'get', group: '', version: 'v1', resource: 'pods', subresource: 'log', namespace: 'a' }
  const runs = { group: 'tekton.dev', version: 'v1', resource: 'taskruns', namespace: 'a' }
  let plugin: EchoUpstream
  beforeEach(async () => {
    plugin = await startEchoUpstream()
    plugin.respond = (request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
      if (/livez|page_size/.test(request.url ?? '')) response.end()
      else response.write('the first line')
    }
    const own = { url: plugin.url, token: () => 'a' }
    await gateway.close()
    const { respond } = gateway.upstream
    gateway = await startListeningGateway({ tektonResults: own, kubeArchive: own })
    gateway.upstream.respond = respond
    await gateway.app.pluginsProbed()
  })
  afterEach(() => plugin.close())

  test.each<[string, string, object[]]>([
    ['the log of a pod', '/kubearchive/api/v1/namespaces/a/pods/p/log?container=c', [podLog]],
    [
      'the log of a task run',
      '/kubearchive/apis/tekton.dev/v1/namespaces/a/taskruns/t/log',
      [{ ...runs, verb: 'get', name: 't' }, podLog],
    ],
    ['a list', '/kubearchive/apis/tekton.dev/v1/namespaces/a/taskruns', [{ ...runs, verb: 'list' }]],
    ['an object by uid', '/kubearchive/apis/tekton.dev/v1/namespaces/a/taskruns/uid/u', [{ ...runs, verb: 'get' }]],
    [
      'a log of Tekton Results',
      `/tekton-results${records}/logs/l`,
      [{ verb: 'get', group: results, resource: 'logs', namespace: 'a' }],
    ],
    [
      'records of all namespaces',
      `/tekton-results${records.replace('/a/', '/-/')}/records`,
      [{ verb: 'list', group: results, resource: 'records', namespace: '' }],
    ],
  ])('is cut within 30 s after the right that the plugin checks was taken: %s', async (_, target, expected) => {
    status = { allowed: false }
    const response = await openResponse(`/plugins${target}`, await signIn(gateway.app))
    const body = text(response)
    body.catch(() => {})
    await gateway.clock.advance(19_000)
    expect(response.destroyed).toBe(false)
    expect(reviews()).toEqual([])
    await gateway.clock.advance(2_000)
    await expect(body).rejects.toThrow()
    await vi.waitFor(() => expect(reviews()).toHaveLength(expected.length))
    expect(reviews().map(({ spec }) => spec)).toEqual(expected.map((resourceAttributes) => ({ resourceAttributes })))
  })
})

it('the streams of a user that need one permission share one review in 20 s', async () => {
  const [ada, bob] = [await signIn(gateway.app), await signIn(gateway.app, { user: 'bob@slipway.test' })]
  const sockets: WebSocket[] = []
  for (const cookie of [ada, ada, bob]) sockets.push(await openSocket(`${pods}?watch=true`, cookie))
  for (let round = 1; round <= 3; round++) {
    await gateway.clock.advance(21_000)
    await vi.waitFor(() => expect(reviews()).toHaveLength(2 * round))
  }
  const closed = once(sockets[0] as WebSocket, 'close')
  sockets[0]?.terminate()
  await closed
  expect(sockets[1]?.readyState).toBe(WebSocket.OPEN)
  for (const socket of sockets) socket.terminate()
})

test.each<[string, object | undefined]>([
  ['is allowed', { allowed: true }],
  ['fails', undefined],
  ['could not be decided', { allowed: false, evaluationError: 'the webhook did not respond' }],
])('a stream goes on if its review %s', async (_, result) => {
  status = result
  const socket = await openSocket(`${pods}?watch=true`, await signIn(gateway.app))
  for (let round = 1; round <= 2; round++) {
    await gateway.clock.advance(21_000)
    await vi.waitFor(() => expect(reviews()).toHaveLength(round))
  }
  expect(socket.readyState).toBe(WebSocket.OPEN)
  socket.terminate()
})
