import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { json, startEchoUpstream } from '@slipway/connect/testing'
import {
  fromOurPage,
  signIn,
  startGateway,
  startListeningGateway,
  type ListeningGateway,
} from '../../test/gateway-under-test'
import { openRaw } from '../../test/raw-request'

const pods = '/api/k8s/api/v1/namespaces/a/pods'
const aPod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'a', uid: `uid-${name}`, resourceVersion: '7', labels: { 'a.b/c': 'd', e: 'f' } },
  spec: { containers: [{ name: 'one', image: 'i' }] },
  status: { phase: 'Running' },
})
const cut = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: `uid-${name}`, resourceVersion: '7' },
})

let gateway: ListeningGateway
let cookie: string
beforeEach(async () => {
  gateway = await startListeningGateway()
  cookie = await signIn(gateway.app)
})
afterEach(() => gateway.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url, headers: { host: gateway.host, cookie, ...headers } })

describe('a response', () => {
  it('an object has the fields of the mask and those that are always included', async () => {
    gateway.upstream.respond = json(aPod('one'))
    const response = await get(`${pods}/one?fieldMask=metadata.labels.%60a.b/c%60&fieldMask=spec.containers.name`)
    expect(response.json()).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { uid: 'uid-one', resourceVersion: '7', labels: { 'a.b/c': 'd' } },
      spec: { containers: [{ name: 'one' }] },
    })
  })

  test.each(['', '&watch=False', '&watch=0'])('a list that is not watched is masked as a list: "%s"', async (query) => {
    gateway.upstream.respond = json({ kind: 'PodList', items: [aPod('one')] })
    const response = await get(`${pods}?fieldMask=metadata.name${query}`)
    expect(response.json()).toEqual({ kind: 'PodList', items: [cut('one')] })
  })

  test.each(['', '1', 'TRUE'])('a list with watch=%s is masked as events', async (value) => {
    gateway.upstream.respond = json({ type: 'ADDED', object: aPod('one') })
    const response = await get(`${pods}?fieldMask=metadata.name&watch=${value}`)
    expect(response.json()).toEqual({ type: 'ADDED', object: cut('one') })
  })

  it('a list keeps its metadata', async () => {
    const metadata = { resourceVersion: '9', continue: 'token', remainingItemCount: 3 }
    const list = { apiVersion: 'v1', items: [aPod('one'), aPod('two')], kind: 'PodList', metadata }
    gateway.upstream.respond = json(list)
    const response = await get(`${pods}?fieldMask=metadata.name&limit=2`)
    expect(response.json()).toEqual({ ...list, items: [cut('one'), cut('two')] })
  })

  it('the upstream receives a request for plain JSON, without the mask and with the rest of the query unchanged', async () => {
    await get(`${pods}?labelSelector=a%3Db&field%4dask=spec&limit=%35&fieldMask=kind`, {
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json',
      'accept-encoding': 'br',
    })
    const [seen] = gateway.upstream.seen
    expect(seen?.target).toBe('/api/v1/namespaces/a/pods?labelSelector=a%3Db&limit=%35')
    expect(seen?.headers).toEqual(
      expect.arrayContaining([
        ['accept', 'application/json'],
        ['accept-encoding', 'identity'],
      ]),
    )
  })

  it('a filtered response has neither the length nor the ETag of the original', async () => {
    gateway.upstream.respond = (_request, response) => {
      const body = JSON.stringify(aPod('one'))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, etag: '"1"' })
      response.end(body)
    }
    const response = await get(`${pods}/one?fieldMask=metadata.name`)
    expect(response.headers).not.toHaveProperty('content-length')
    expect(response.headers).not.toHaveProperty('etag')
    expect(response.json()).toEqual(cut('one'))
  })

  test.each([
    [403, { kind: 'Status', code: 403, message: 'no', details: { kind: 'pods' } }],
    [500, { message: 'of another kind' }],
    [200, { kind: 'Status', status: 'Success', details: { name: 'one' } }],
  ])('a %i response that is an error or a Status is not filtered: %j', async (code, body) => {
    gateway.upstream.respond = json(body, code)
    for (const path of [pods, `${pods}/one`]) {
      const response = await get(`${path}?fieldMask=metadata.name`)
      expect(response.statusCode).toBe(code)
      expect(response.json()).toEqual(body)
    }
  })

  it('the namespace list, which the gateway computes itself, is filtered too', async () => {
    gateway.upstream.respond = (request, response) =>
      request.url?.includes('subjectaccessreviews')
        ? json({ status: { allowed: true } })(request, response, '')
        : json({ metadata: { resourceVersion: '9' }, items: [aPod('one')] })(request, response, '')
    const response = await get('/api/k8s/api/v1/namespaces?fieldMask=metadata.name')
    expect(response.json()).toMatchObject({ kind: 'NamespaceList', items: [cut('one')] })
  })

  it('a filtered and compressed response does not make Node warn of a listener leak', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => void warnings.push(warning)
    process.on('warning', onWarning)
    gateway.upstream.respond = json({ items: Array.from({ length: 100 }, (_, index) => aPod(`pod-${index}`)) })
    await get(`${pods}?fieldMask=metadata.name`, { 'accept-encoding': 'gzip' })
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('a response is filtered before it is compressed', async () => {
    gateway.upstream.respond = json({ items: Array.from({ length: 100 }, (_, index) => aPod(`pod-${index}`)) })
    const response = await get(`${pods}?fieldMask=metadata.name`, { 'accept-encoding': 'gzip;q=0.5, br' })
    expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    const { items } = JSON.parse(brotliDecompressSync(response.rawPayload).toString()) as { items: unknown[] }
    expect(items).toHaveLength(100)
    expect(items[99]).toEqual(cut('pod-99'))
  })

  test.each([
    ['is truncated', '{"kind":"PodList","items":[{"kind":"Pod"'],
    ['is not valid JSON', '{"kind":"PodList","items":[{"kind" "Pod"}]}'],
    ['continues after its end', '{"kind":"PodList","items":[]}{}'],
  ])('a response that %s is aborted, not completed', async (_, body) => {
    gateway.upstream.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(body)
    }
    for (const encoding of ['identity', 'gzip', 'br']) {
      const response = await openRaw({
        port: gateway.port,
        target: `${pods}?fieldMask=metadata.name`,
        headers: [
          ['Host', gateway.host],
          ['Cookie', cookie],
          ['Accept-Encoding', encoding],
        ],
      })
      const [error] = (await once(response.resume(), 'error')) as [NodeJS.ErrnoException]
      expect(error.code).toBe('ECONNRESET')
    }
  })

  it('a response in an encoding that was not requested becomes a 502', async () => {
    gateway.upstream.respond = json({}, 200, { 'content-encoding': 'gzip' })
    const response = await get(`${pods}?fieldMask=metadata.name`)
    expect(response.json()).toMatchObject({ kind: 'Status', code: 502 })
  })
})

describe('plugins', () => {
  it('responses of KubeArchive are filtered like those of the cluster, and masks for Tekton Results are rejected', async () => {
    const archive = await startEchoUpstream()
    const plugin = { url: archive.url, token: 'gateway' as const }
    const other = await startGateway({ kubeArchive: plugin, tektonResults: plugin })
    const headers = { host: '127.0.0.1:8080', cookie: await signIn(other.app) }
    archive.respond = json({ kind: 'List', apiVersion: 'v1', items: [aPod('one')], metadata: { continue: 'c' } })
    const ask = (path: string) => other.app.inject({ url: `/api/k8s/plugins/${path}`, headers })

    const list = await ask('kubearchive/api/v1/namespaces/a/pods?limit=1&fieldMask=metadata.name')
    expect(list.json()).toEqual({ kind: 'List', apiVersion: 'v1', items: [cut('one')], metadata: { continue: 'c' } })
    expect(archive.seen.at(-1)?.target).toBe('/api/v1/namespaces/a/pods?limit=1')
    archive.respond = json(aPod('one'))
    const one = await ask('kubearchive/api/v1/namespaces/a/pods/uid/1?fieldMask=metadata.name')
    expect(one.json()).toEqual(cut('one'))
    const records =
      'tekton-results/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records?fieldMask=metadata.name'
    expect((await ask(records)).json()).toMatchObject({ code: 400, message: expect.stringContaining('encoded') })
    await other.close()
    await archive.close()
  })
})

describe('a watch', () => {
  const events = [
    [
      { type: 'ADDED', object: aPod('one') },
      { type: 'ADDED', object: cut('one') },
    ],
    [{ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: '8', annotations: { a: 'b' } } } }],
    [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }],
  ].map(([sent, kept = sent]) => ({ sent, kept }))

  it('a watch with a mask sends each event at once', async () => {
    const began = new Promise<ServerResponse>((resolve) => {
      gateway.upstream.respond = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.flushHeaders()
        resolve(response)
      }
    })
    const target = `${pods}?watch=true&fieldMask=metadata.name&allowWatchBookmarks=true`
    const headers: [string, string][] = [
      ['Host', gateway.host],
      ['Cookie', cookie],
    ]
    const response = await openRaw({ port: gateway.port, target, headers })
    expect(gateway.upstream.seen[0]?.target).toBe('/api/v1/namespaces/a/pods?watch=true&allowWatchBookmarks=true')
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

  it('a websocket sends each event in a frame, in order, and never sends the mask to the upstream', async () => {
    const repeated = Array.from({ length: 50 }, () => events).flat()
    gateway.upstream.onSocket = (socket) => {
      for (const { sent } of repeated) socket.send(JSON.stringify(sent))
      socket.close(1000)
    }
    const socket = open('/api/v1/pods?watch=true&fieldMask=metadata.name')
    const frames: unknown[] = []
    socket.on('message', (data: Buffer, isBinary) => frames.push([JSON.parse(data.toString()), isBinary]))
    await once(socket, 'close')
    expect(frames).toEqual(repeated.map(({ kept }) => [kept, false]))
    expect(gateway.upstream.seen[0]?.target).toBe('/api/v1/pods?watch=true')
  })

  test.each(['{"type":"ADDED","object":{', '{"type":"ADDED"}{}', 'bye'])(
    'a websocket closes with a reason at a frame that is not an event: %s',
    async (frame) => {
      gateway.upstream.onSocket = (socket) => socket.send(frame)
      const socket = open('/api/v1/pods?watch=true&fieldMask=metadata.name')
      const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
      expect([code, reason.toString()]).toEqual([1011, 'The cluster sent an event that is not valid JSON.'])
    },
  )

  test.each(['/api/v1/pods?fieldMask=a', '/api/v1/pods?watch=true&fieldMask=a..b', '/api/v1?watch=1&fieldMask=a'])(
    'a websocket with an invalid mask is rejected before it opens: %s',
    async (path) => {
      const socket = open(path)
      const [error] = (await once(socket, 'error')) as [Error]
      expect(error.message).toContain('400')
      expect(gateway.upstream.seen).toEqual([])
    },
  )
})

describe('rejected requests', () => {
  test.each<[string, number, string, Record<string, string>, RegExp]>([
    ['with a malformed mask', 400, `${pods}?fieldMask=spec..a`, {}, /character 6/],
    ['with an empty mask', 400, `${pods}?fieldMask`, {}, /a field name is missing/],
    ['for a log', 400, `${pods}/one/log?fieldMask=a`, {}, /is only supported for objects, lists and watches/],
    ['for a discovery document', 400, '/api/k8s/apis/apps/v1?fieldMask=a', {}, /is only supported for objects/],
    ['for the version', 400, '/api/k8s/version?fieldMask=a', {}, /is only supported for objects/],
    ['with includeObject', 400, `${pods}?fieldMask=a&includeObject=None`, {}, /cannot be combined/],
    ['for a table', 406, `${pods}?fieldMask=a`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }, /plain/],
    ['for protobuf', 406, `${pods}?fieldMask=a`, { accept: 'application/vnd.kubernetes.protobuf' }, /plain/],
    ['for YAML', 406, `${pods}?fieldMask=a`, { accept: 'application/yaml, application/json;q=0' }, /plain/],
  ])('a request %s is rejected', async (_, code, url, headers, message) => {
    const response = await get(url, headers)
    expect(response.json()).toMatchObject({ kind: 'Status', code, message: expect.stringMatching(message) })
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a write with a mask is rejected', async () => {
    const response = await gateway.app.inject({
      method: 'DELETE',
      url: `${pods}/one?fieldMask=a`,
      headers: { host: gateway.host, cookie, ...fromOurPage },
    })
    expect(response.json()).toMatchObject({ code: 400, message: 'fieldMask is only supported with GET.' })
    expect(gateway.upstream.seen).toEqual([])
  })
})
