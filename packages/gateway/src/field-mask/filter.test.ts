import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { json, startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { fromOurPage, signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'
import { openRaw } from '../../test/raw-request'

const secrets = '/api/k8s/api/v1/namespaces/a/secrets'
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const secretWith = (value: string) => ({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: {
    name: 'token',
    namespace: 'a',
    uid: 'u',
    resourceVersion: '7',
    labels: { data: 'kept' },
    annotations: { [lastApplied]: value, 'build.appstudio.openshift.io/common-secret': 'kept' },
    managedFields: [{ manager: 'kubectl', fieldsV1: { 'f:data': { '.': {}, 'f:password': {} } } }],
  },
  data: { password: value, username: value },
  type: 'kubernetes.io/basic-auth',
})
const stored = secretWith('c2VjcmV0')
const blanked = secretWith('')
const listOf = (secret: object) => ({ kind: 'List', apiVersion: 'v1', metadata: { continue: 'c' }, items: [secret] })

let gateway: ListeningGateway
let archive: EchoUpstream
let cookie: string
beforeAll(async () => {
  archive = await startEchoUpstream()
  gateway = await startListeningGateway({ kubeArchive: { url: archive.url, token: 'gateway' } })
  cookie = await signIn(gateway.app)
})
beforeEach(() => {
  gateway.upstream.seen.splice(0)
  gateway.upstream.respond = json(stored)
})
afterAll(async () => {
  await gateway.close()
  await archive.close()
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ method, url, headers: { host: gateway.host, cookie, ...fromOurPage, ...headers } })

describe('the values of Secrets are blank in the response', () => {
  test.each<[string, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, object, object]>([
    ['to a get', 'GET', `${secrets}/token`, stored, blanked],
    ['to a list', 'GET', secrets, listOf(stored), listOf(blanked)],
    ['to a list of all namespaces', 'GET', '/api/k8s/api/v1/secrets?limit=5', listOf(stored), listOf(blanked)],
    ['to a create', 'POST', `${secrets}?dryRun=All`, stored, blanked],
    ['to a create with watch=true', 'POST', `${secrets}?watch=true`, stored, blanked],
    ['to an update', 'PUT', `${secrets}/token`, stored, blanked],
    ['to a patch', 'PATCH', `${secrets}/token?dryRun=All`, stored, blanked],
    ['to a delete', 'DELETE', `${secrets}/token`, stored, blanked],
    ['to a delete of all', 'DELETE', secrets, listOf(stored), listOf(blanked)],
    [
      'that is a table of objects',
      'GET',
      `${secrets}?includeObject=Object`,
      { kind: 'Table', rows: [{ cells: ['token', 2], object: stored }] },
      { kind: 'Table', rows: [{ cells: ['token', 2], object: blanked }] },
    ],
  ])('%s', async (_, method, url, sent, kept) => {
    gateway.upstream.respond = json(sent)
    const response = await call(method, url)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(kept)
  })

  it('to a get with a field mask, which may name them', async () => {
    gateway.upstream.respond = json(stored)
    const masked = await call('GET', `${secrets}/token?fieldMask=data.password,metadata.annotations`)
    expect(masked.json()).toMatchObject({ data: { password: '' }, metadata: { annotations: { [lastApplied]: '' } } })
    expect(masked.body).not.toContain('username')
    gateway.upstream.respond = json(listOf(stored))
    const list = await call('GET', `${secrets}?fieldMask=data`)
    expect(list.json()).toMatchObject({ items: [{ data: { password: '', username: '' } }] })
  })

  it('of KubeArchive', async () => {
    archive.respond = json(listOf(stored))
    const list = await call('GET', '/api/k8s/plugins/kubearchive/api/v1/namespaces/a/secrets')
    expect(list.json()).toEqual(listOf(blanked))
    archive.respond = json(stored)
    const one = await call('GET', '/api/k8s/plugins/kubearchive/api/v1/namespaces/a/secrets/token?fieldMask=data')
    expect(one.json()).toMatchObject({ data: blanked.data })
  })

  it('of the upstream in the length and version of the blanked object only', async () => {
    gateway.upstream.respond = (_request, response) => {
      const body = JSON.stringify(stored)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, etag: '"1"' })
      response.end(body)
    }
    const { headers } = await call('GET', `${secrets}/token`)
    expect(headers).not.toHaveProperty('content-length')
    expect(headers).not.toHaveProperty('etag')
  })
})

it('a response with Secrets is blanked before it is compressed', async () => {
  gateway.upstream.respond = json({ kind: 'SecretList', items: Array(100).fill(stored) })
  const response = await call('GET', secrets, { 'accept-encoding': 'br' })
  expect(response.headers['content-encoding']).toBe('br')
  const list = JSON.parse(brotliDecompressSync(response.rawPayload).toString()) as unknown
  expect(list).toEqual({ kind: 'SecretList', items: Array(100).fill(blanked) })
})

it('objects of other kinds keep their data, even if they are named secrets', async () => {
  const configMap = { kind: 'ConfigMap', data: { a: 'b' }, metadata: { annotations: { [lastApplied]: '{}' } } }
  gateway.upstream.respond = json(configMap)
  expect((await call('GET', '/api/k8s/api/v1/namespaces/a/configmaps/secrets')).json()).toEqual(configMap)
  expect((await call('GET', '/api/k8s/api/v1/namespaces/secrets/configmaps/a')).json()).toEqual(configMap)
})

test.each([200, 422])('a Status about a Secret is passed on with status %i', async (code) => {
  const status = { kind: 'Status', message: 'data[a]: invalid', details: { name: 'token', causes: [] }, code }
  gateway.upstream.respond = json(status, code)
  const response = await call('DELETE', `${secrets}/token`)
  expect([response.statusCode, response.json()]).toEqual([code, status])
})

it('requests from the upstream only the JSON types that the client accepts', async () => {
  const accept = 'application/vnd.kubernetes.protobuf,application/json;as=Table;g=meta.k8s.io;v=v1,*/*'
  await call('GET', secrets, { accept })
  const types = gateway.upstream.seen[0]?.headers.filter(([name]) => name === 'accept').map(([, value]) => value)
  expect(types).toEqual(['application/json;as=Table;g=meta.k8s.io;v=v1,application/json'])
})

test.each(['application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor'])(
  'a request that only accepts %s is rejected',
  async (accept) => {
    const response = await call('GET', secrets, { accept })
    expect(response.json()).toMatchObject({ code: 406, message: expect.stringContaining('only served as') })
    expect(gateway.upstream.seen).toEqual([])
  },
)

test.each<[string, Record<string, string>]>([
  ['in YAML', { 'content-type': 'application/yaml' }],
  ['as plain text', { 'content-type': 'text/plain' }],
  ['without a type', { 'content-type': '' }],
  ['compressed', { 'content-encoding': 'gzip' }],
])('a response %s is withheld, since its values cannot be blanked', async (_, headers) => {
  gateway.upstream.respond = json(stored, 200, headers)
  const response = await call('GET', `${secrets}/token`)
  expect(response.json()).toMatchObject({ kind: 'Status', code: 502 })
  expect(response.body).not.toContain('c2VjcmV0')
})

describe('a watch of Secrets', () => {
  const events = [
    ...['ADDED', 'MODIFIED', 'DELETED', 'LATER'].map((type) => [
      { type, object: stored },
      { type, object: blanked },
    ]),
    [{ type: 'BOOKMARK', object: { kind: 'Secret', metadata: { resourceVersion: '8', annotations: { a: 'b' } } } }],
    [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }],
  ].map(([sent, kept = sent]) => ({ sent, kept }))

  test.each([
    '/api/v1/namespaces/a/secrets?watch=true',
    '/api/v1/watch/secrets',
    '/api/v1/watch/namespaces/a/secrets/token',
  ])('sends each event at once, with blank values: %s', async (path) => {
    const began = new Promise<ServerResponse>((resolve) => {
      gateway.upstream.respond = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.flushHeaders()
        resolve(response)
      }
    })
    const headers: [string, string][] = [
      ['Host', gateway.host],
      ['Cookie', cookie],
    ]
    const response = await openRaw({ port: gateway.port, target: `/api/k8s${path}`, headers })
    const upstream = await began
    for (const { sent, kept } of events) {
      upstream.write(`${JSON.stringify(sent)}\n`)
      const [line] = (await once(response, 'data')) as [Buffer]
      expect(line.toString()).toBe(`${JSON.stringify(kept)}\n`)
    }
    const ended = once(upstream, 'close')
    response.destroy()
    await ended
  })

  const open = (path: string) =>
    new WebSocket(`ws://${gateway.host}/wss/k8s${path}`, { headers: { cookie, origin: gateway.origin } })

  it('sends each event with blank values over a websocket', async () => {
    gateway.upstream.onSocket = (socket) => {
      for (const { sent } of events) socket.send(JSON.stringify(sent))
      socket.close(1000)
    }
    const socket = open('/api/v1/namespaces/a/secrets?watch=true')
    const frames: unknown[] = []
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
    await once(socket, 'close')
    expect(frames).toEqual(events.map(({ kept }) => kept))
  })

  it('sends the masked fields with blank values over a websocket', async () => {
    gateway.upstream.onSocket = (socket) => socket.send(JSON.stringify({ type: 'ADDED', object: stored }))
    const socket = open('/api/v1/secrets?watch=true&fieldMask=data')
    const [frame] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(frame.toString())).toMatchObject({ type: 'ADDED', object: { data: blanked.data } })
    socket.terminate()
  })

  it('closes a websocket at a frame that is not JSON, such as one in base64', async () => {
    gateway.upstream.onSocket = (socket) => socket.send(Buffer.from(JSON.stringify(stored)).toString('base64'))
    const socket = open('/api/v1/secrets?watch=true')
    socket.on('message', (data) => expect.unreachable(String(data)))
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1011)
  })

  test.each(['/api/v1/namespaces/a/secrets/token?watch=true', '/api/v1/secrets', '/api/v1/secrets?watch=0'])(
    'rejects a websocket for anything else: %s',
    async (path) => {
      const [error] = (await once(open(path), 'error')) as [Error]
      expect(error.message).toContain('400')
      expect(gateway.upstream.seen).toEqual([])
    },
  )
})

it('an object in response to the handshake of a websocket is not passed on', async () => {
  gateway.upstream.rejectSockets = { status: 200, body: JSON.stringify(stored) }
  const socket = new WebSocket(`ws://${gateway.host}/wss/k8s/api/v1/secrets?watch=true`, {
    headers: { cookie, origin: gateway.origin },
  })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, NodeJS.ReadableStream]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  gateway.upstream.rejectSockets = undefined
  expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 400, message: expect.stringContaining('websocket') })
})
