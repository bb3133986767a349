import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createApiServer, type ApiServer } from '@slipway/apiserver/api-server'
import { listen, type Listener } from '@slipway/apiserver/node'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { configMapType, namespaceType, type ConfigMap } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { createGateway } from '../src/app'
import { configFor, gatewayToken, signIn } from './gateway-under-test'

/**
 * What a day does to a gateway, in seconds: many watches and logs of several people, while the cluster behind it goes
 * away and comes back. The cluster is the embedded one, and clients reconnect by the console's own rules.
 */
const people = ['ada', 'ben', 'cleo', 'dan', 'eve'].map((name) => `${name}@slipway.test`)
const watchesEach = 40
const logsEach = 10
const namespace = 'soak'
const all = { sockets: people.length * watchesEach, streams: people.length * logsEach }
const aWhile = { timeout: 40_000, interval: 20 }

let cluster: Awaited<ReturnType<typeof startCluster>>
let app: FastifyInstance
let origin: string
let clients: Client[]

beforeEach(async () => {
  cluster = await startCluster()
  app = await createGateway({ ...configFor(cluster.url, { port: 0 }), metrics: { port: 0 } })
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
  clients = []
})
afterEach(async () => {
  for (const { close } of clients) close()
  await app.close()
  await cluster.close()
})

it('loses no stream and leaks none while the upstream restarts, and ends those of whoever signs out', async () => {
  const cookies = new Map<string, string>()
  for (const user of people) cookies.set(user, await signIn(app, { user, groups: ['soakers'] }))
  for (const [user, cookie] of cookies) {
    for (let index = 0; index < watchesEach; index++) clients.push(watcher(user, cookie))
    for (let index = 0; index < logsEach; index++) clients.push(follower(user, cookie))
  }
  const allHaveSeen = (text: string) =>
    expect.poll(() => clients.filter(({ seen }) => seen() !== text).length, aWhile).toBe(0)
  const areOpen = (count: typeof all) => expect.poll(openStreams, aWhile).toEqual(count)
  const areUnderWay = (count: typeof all) =>
    expect.poll(() => cluster.underWay(), aWhile).toBe(count.sockets + count.streams)

  await cluster.tell('first')
  await allHaveSeen('first')
  for (const text of ['second', 'third']) {
    await cluster.restart(() => cluster.tell(text))
    await allHaveSeen(text)
    await areOpen(all)
    await areUnderWay(all)
    // Beside those of streams there are idle ones, of as many lists as were read at once.
    expect(cluster.connections()).toBeLessThanOrEqual(all.streams + 2 * all.sockets)
  }

  const [leaver = ''] = people
  const response = await fetch(`${origin}/oauth2/sign_out`, {
    method: 'POST',
    headers: { cookie: cookies.get(leaver) ?? '', 'sec-fetch-site': 'same-origin' },
  })
  expect(response.status).toBe(204)
  const others = { sockets: all.sockets - watchesEach, streams: all.streams - logsEach }
  await expect.poll(openStreams, { ...aWhile, timeout: 5_000 }).toEqual(others)
  await cluster.tell('fourth')
  await expect
    .poll(() => clients.filter(({ user, seen }) => (seen() === 'fourth') === (user === leaver)).length, aWhile)
    .toBe(0)

  for (const { close } of clients) close()
  await areOpen({ sockets: 0, streams: 0 })
  await areUnderWay({ sockets: 0, streams: 0 })
}, 180_000)

it('gives back the memory of streams that have ended', async () => {
  const cookie = await signIn(app, { groups: ['soakers'] })
  await cluster.tell('first')
  const round = async () => {
    clients = Array.from({ length: 60 }, (_, index) => (index % 4 === 0 ? follower : watcher)('ada', cookie))
    await expect.poll(() => clients.every(({ seen }) => seen() === 'first'), aWhile).toBe(true)
    for (const { close } of clients) close()
    clients = []
    await expect.poll(openStreams, aWhile).toEqual({ sockets: 0, streams: 0 })
    await expect.poll(() => cluster.underWay(), aWhile).toBe(0)
    // Idle ones are used again: they become no more.
    expect(cluster.connections()).toBeLessThanOrEqual(60)
  }
  for (let index = 0; index < 3; index++) await round()
  const before = heapBytes()
  for (let index = 0; index < 5; index++) await round()
  // A stream that stays takes 30 kB and more, here with both of its other ends.
  expect((heapBytes() - before) / 300).toBeLessThan(5_000)
}, 180_000)

interface Client {
  user: string
  /** What it was told last. */
  seen(): string
  close(): void
}

/** Lists and watches a config map, and connects again by the console's rules, ten times as fast. */
function watcher(user: string, cookie: string): Client {
  let seen = ''
  const learn = ({ metadata, data }: ConfigMap) => {
    if (metadata.name === 'told') seen = data?.['text'] ?? ''
  }
  const path = `api/v1/namespaces/${namespace}/configmaps`
  const watch = listWatch<ConfigMap>({
    async list(signal) {
      const response = await fetch(`${origin}/api/k8s/${path}`, { headers: { cookie }, signal })
      if (!response.ok) throw new Error(String(response.status))
      // The embedded API server says so.
      return (await response.json()) as Awaited<ReturnType<Parameters<typeof listWatch<ConfigMap>>[0]['list']>>
    },
    openWatch(resourceVersion = '', { onOpen, onMessage, onClose }) {
      const url = `${origin.replace('http', 'ws')}/wss/k8s/${path}?watch=true&resourceVersion=${resourceVersion}`
      const socket = new WebSocket(url, { headers: { cookie, origin } })
      socket.on('open', onOpen)
      socket.on('message', (data) => onMessage(String(data)))
      socket.on('error', () => {})
      socket.on('close', onClose)
      return { close: () => socket.terminate() }
    },
    onList: ({ items }) => items.forEach(learn),
    onEvents: (events) => events.forEach((event) => event.type !== 'ERROR' && learn(event.object as ConfigMap)),
    clock: tenTimesAsFast,
    warn: () => {},
  })
  return { user, seen: () => seen, close: () => watch.close() }
}

/** Follows a log, and reads it again from its start when it breaks off. */
function follower(user: string, cookie: string): Client {
  const stop = new AbortController()
  let seen = ''
  async function follow(): Promise<void> {
    const { signal } = stop
    const url = `${origin}/api/k8s/api/v1/namespaces/${namespace}/pods/told/log?follow=true`
    const response = await fetch(url, { headers: { cookie }, signal })
    const decoder = new TextDecoder()
    let text = ''
    // A body of fetch is bytes.
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      seen = text.split('\n').at(-2) ?? seen
    }
  }
  const again = (): void => {
    if (!stop.signal.aborted) systemClock.after(200, () => void follow().then(again, again))
  }
  follow().then(again, again)
  return { user, seen: () => seen, close: () => stop.abort() }
}

const beganMs = Date.now()
const tenTimesAsFast: Clock = {
  now: () => beganMs + (Date.now() - beganMs) * 10,
  after: (ms, run) => systemClock.after(ms / 10, run),
}

async function openStreams(): Promise<typeof all> {
  const text = await (await fetch(`http://127.0.0.1:${app.metricsPort()}/metrics`)).text()
  const valueOf = (name: string) => Number(new RegExp(`^slipway_gateway_open_${name} (\\d+)$`, 'm').exec(text)?.[1])
  return { sockets: valueOf('sockets'), streams: valueOf('streams') }
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** The embedded cluster behind a door that counts connections, and with it what it is answering. */
async function startCluster() {
  const storage = memoryStorage()
  const server: ApiServer = await createApiServer({
    storage,
    authenticate: (token) => (token === gatewayToken ? { name: 'gateway', groups: ['system:masters'] } : undefined),
  })
  const underWay = new Set<Request>()
  const counted: ApiServer = {
    ...server,
    async fetch(request) {
      const end = () => void underWay.delete(request)
      underWay.add(request)
      request.signal.addEventListener('abort', end)
      const response = await server.fetch(request)
      if (!response.body) end()
      return new Response(response.body?.pipeThrough(new TransformStream({ flush: end })) ?? null, response)
    },
  }
  let listener: Listener = await listen(counted, { host: '127.0.0.1', port: 0 })
  const client = (): KubeClient =>
    createKubeClient({ baseUrl: listener.url, headers: { authorization: `Bearer ${gatewayToken}` } })
  const open = new Set<Socket>()
  const door: Server = createServer((socket) => {
    const inner = connect(listener.port, '127.0.0.1')
    open.add(socket)
    socket.pipe(inner).pipe(socket)
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
    socket.on('close', () => open.delete(socket))
  })
  const openDoor = (port: number) => new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve))
  await openDoor(0)
  const { port } = door.address() as AddressInfo
  const inNamespace = { namespace }
  await client().create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await client().request(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'soakers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'soakers' }],
    }),
  })
  const told = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'told' }, data: { text: '' } }
  await client().create(configMapType, told, inNamespace)
  await client().request(`/api/v1/namespaces/${namespace}/pods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'told' },
      spec: { containers: [{ name: 'told', image: 'registry.example.com/told' }] },
    }),
  })
  return {
    url: `http://127.0.0.1:${port}`,
    /** Of the gateway. */
    connections: () => open.size,
    /** Watches, followed logs and other answers that have not ended. */
    underWay: () => underWay.size,
    /** Says something to every watch and every log. */
    async tell(text: string) {
      await client().request(`/api/v1/namespaces/${namespace}/configmaps/told`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ data: { text } }),
      })
      await client().request(`/api/v1/namespaces/${namespace}/pods/told/log`, { method: 'POST', body: `${text}\n` })
    },
    /** Is away until that is done, which nobody hears of. */
    async restart(meanwhile: () => Promise<void>) {
      const closed = new Promise((resolve) => door.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
      await listener.close()
      listener = await listen(counted, { host: '127.0.0.1', port: 0 })
      await meanwhile()
      await openDoor(port)
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => door.close(resolve))
      await listener.close()
      await server.close()
      storage.close()
    },
  }
}
