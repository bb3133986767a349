import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  clusterRoleBindingType,
  clusterRoleType,
  eventType,
  roleBindingType,
  roleType,
  type Event,
} from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { applyFrame, pendingView, type ClientView } from '../src/client'
import type { Frame, Message, ViewQuery } from '../src/frame'
import { serveViews } from '../src/host/service'
import type { ViewKind } from '../src/view-kind'
import {
  embeddedAccess,
  gatewayUser,
  roleRef,
  ruleFor,
  startWorld,
  userSubject,
  type AuthorizationWorld,
} from './authorization-world'

const namespace = 'team-a'
const events: ViewKind<Event> = {
  id: 'events',
  type: eventType,
  mask: ['metadata.name', 'message'],
  fields: { name: { is: 'text', of: nameOf } },
  order: 'name',
  text: nameOf,
  identifiers: () => [],
}
const query: ViewQuery = { kind: 'events', namespaces: [namespace], limit: 10 }

let world: AuthorizationWorld
let server: Server
let service: ReturnType<typeof serveViews>
let port: number
let logged: { fields: object; message: string }[]
beforeEach(async () => {
  world = await startWorld(await embeddedAccess())
  await world.createNamespace(namespace)
  const impersonators = [{ apiGroups: [''], resources: ['users', 'groups'], verbs: ['impersonate'] }]
  await world.admin.create(clusterRoleType, { metadata: { name: 'gateway' }, rules: impersonators })
  await world.admin.create(clusterRoleBindingType, {
    metadata: { name: 'gateway' },
    roleRef: roleRef('ClusterRole', 'gateway'),
    subjects: [userSubject(gatewayUser)],
  })
  await world.admin.create(roleType, { metadata: { name: 'reader', namespace }, rules: [ruleFor(eventType)] })
  await bind('ada')
  logged = []
  const record = (fields: object, message: string) => void logged.push({ fields, message })
  server = createServer()
  // Its functions do not depend on the shape of their objects.
  const kinds = [events as unknown as ViewKind]
  service = serveViews(server, { client: world.service, kinds, log: { info: record, warn: record, error: record } })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  service.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await world.close()
})

const bind = (user: string) =>
  world.admin.create(roleBindingType, {
    metadata: { name: user, namespace },
    roleRef: roleRef('Role', 'reader'),
    subjects: [userSubject(user)],
  })
const unbind = (user: string) => world.admin.delete(roleBindingType, user, { namespace })
const createEvent = (name: string, message = '') =>
  world.admin.create(eventType, { metadata: { name, namespace }, involvedObject: { namespace }, message })

const headersFor = (user: string) => ({
  authorization: 'Bearer gateway',
  'impersonate-user': user,
  'audit-id': 'call-7',
})

/** The tab of a user, as a gateway connects it. */
async function openTab(user: string, path = '/v1/socket') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: headersFor(user) })
  const frames: Frame[] = []
  let heartbeats = 0
  let view: ClientView = pendingView
  socket.on('message', (data: Buffer) => {
    if (data.length === 0) return void heartbeats++
    // The service sent it.
    const frame = JSON.parse(data.toString()) as Frame
    frames.push(frame)
    view = applyFrame(view, frame)
  })
  await once(socket, 'open')
  return {
    socket,
    frames,
    heartbeats: () => heartbeats,
    view: () => view,
    names: () => view.rows.map(nameOf),
    send: (message: Message | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

async function rejected(headers: Record<string, string>, path = '/v1/socket') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as object }
}
const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)

it('a tab is sent the rows that its user may see, and what changes', async () => {
  await createEvent('one', 'first')
  const tab = await openTab('ada')
  tab.send({ type: 'open', id: 'a', query })
  await expect.poll(tab.names).toEqual(['one'])
  expect(tab.view().rows[0]).toEqual({ metadata: { uid: expect.any(String), name: 'one' }, message: 'first' })
  await createEvent('two')
  await expect.poll(tab.names).toEqual(['one', 'two'])
  tab.send({ type: 'close', id: 'a' })
  tab.socket.terminate()
})

it('each user sees what the cluster allows, and a right that is taken empties the view within five seconds', async () => {
  await createEvent('one')
  const [ada, bea] = [await openTab('ada'), await openTab('bea')]
  for (const tab of [ada, bea]) tab.send({ type: 'open', id: 'a', query })
  await expect.poll(ada.names).toEqual(['one'])
  await expect.poll(() => bea.view().denied).toEqual([namespace])
  expect(bea.view()).toMatchObject({ rows: [], total: 0, versions: {}, loading: [] })

  await bind('bea')
  await expect.poll(bea.names).toEqual(['one'])
  const taken = performance.now()
  await unbind('ada')
  await expect.poll(() => ada.view().denied).toEqual([namespace])
  expect(performance.now() - taken).toBeLessThan(5_000)
  expect(ada.view()).toMatchObject({ rows: [], total: 0, versions: {} })
  expect(bea.names()).toEqual(['one'])
  for (const tab of [ada, bea]) tab.socket.terminate()
})

it('one list and one watch serve all tabs', async () => {
  await createEvent('one')
  await bind('bea')
  const tabs = await Promise.all(['ada', 'bea', 'ada', 'bea'].map((user) => openTab(user)))
  for (const tab of tabs) tab.send({ type: 'open', id: 'a', query })
  for (const tab of tabs) await expect.poll(tab.names).toEqual(['one'])
  const path = `/api/v1/namespaces/${namespace}/events`
  await expect.poll(() => world.calls.filter((call) => call === `GET ${path}`)).toHaveLength(2)
  expect(world.watches.has(path)).toBe(true)
  for (const tab of tabs) tab.socket.terminate()
})

it('nothing is read before a view is opened, and of a kind that no view shows', async () => {
  expect(world.calls).toEqual([])
  const tab = await openTab('ada')
  expect(world.calls.filter((call) => call.endsWith('/events'))).toEqual([])
  tab.socket.terminate()
})

it('what cannot be read is stale, with the reason', async () => {
  await createEvent('one')
  const tab = await openTab('ada')
  tab.send({ type: 'open', id: 'a', query })
  await expect.poll(tab.names).toEqual(['one'])
  world.interference.respond = ({ url }) =>
    url.includes('/events') ? Response.json({ kind: 'Status', status: 'Failure' }, { status: 503 }) : undefined
  world.watches.get(`/api/v1/namespaces/${namespace}/events`)?.()
  await expect.poll(() => tab.view().stale[namespace]?.why).toBe('The live connection was lost.')
  expect(tab.names()).toEqual(['one'])
  tab.socket.terminate()
})

it('after a tab has closed, the rights of its user are not reviewed any more', async () => {
  const [ada, bea] = [await openTab('ada'), await openTab('bea')]
  for (const tab of [ada, bea]) tab.send({ type: 'open', id: 'a', query })
  await expect.poll(() => ada.view().isPending || ada.view().loading.length > 0).toBe(false)
  await expect.poll(() => bea.view().denied).toEqual([namespace])
  await expect.poll(() => world.watches.size).toBe(5)
  ada.socket.close()
  await expect.poll(async () => (await get('/metrics')).text()).toContain('\nslipway_views_sessions 1\n')
  const before = world.reviews.length
  await unbind('ada')
  // This change comes after it on the same watch.
  await bind('bea')
  await expect.poll(() => bea.view().denied).toEqual([])
  const reviews = world.reviews.slice(before).filter(({ resourceAttributes: { verb } }) => verb !== 'impersonate')
  expect(new Set(reviews.map(({ user }) => user))).toEqual(new Set(['bea']))
  bea.socket.terminate()
})

describe('a handshake is rejected', () => {
  test.each<[string, number, Record<string, string>, string?]>([
    ['without a token', 401, {}],
    ['with a password', 401, { authorization: 'Basic YTpi' }],
    ['with an unknown token', 401, { authorization: 'Bearer forged' }],
    [
      'for a user whom the caller may not impersonate',
      403,
      { authorization: 'Bearer views', 'impersonate-user': 'ada' },
    ],
    ['for a group without a user', 400, { authorization: 'Bearer gateway', 'impersonate-group': 'admins' }],
    ['to another path', 404, headersFor('ada'), '/v1/other'],
    ['to a path that is not a socket', 404, headersFor('ada'), '/metrics'],
  ])('%s: %i', async (_, status, headers, path) => {
    expect(await rejected(headers, path)).toMatchObject({ status, body: { kind: 'Status', code: status } })
  })

  it('while the API server cannot review the caller: 503', async () => {
    world.interference.respond = () => Response.json({}, { status: 500 })
    expect(await rejected(headersFor('ada'))).toMatchObject({ status: 503 })
  })
})

it('reports over HTTP that it lives, and what it holds, without a name', async () => {
  expect((await get('/livez')).status).toBe(200)
  const tab = await openTab('ada')
  await createEvent('one')
  tab.send({ type: 'open', id: 'a', query })
  await expect.poll(tab.names).toEqual(['one'])
  const response = await get('/metrics')
  const text = await response.text()
  expect(response.headers.get('content-type')).toContain('version=0.0.4')
  expect(text).toContain('\nslipway_views_sessions 1\n')
  expect(text).toContain('\nslipway_views_lists 1\n')
  expect(text).toMatch(/\nslipway_views_row_bytes [1-9]\d*\n/)
  expect(text).toMatch(/\nslipway_views_reviews_total\{result="allowed"\} [1-9]/)
  expect(text).not.toMatch(/ada|team-a/)
  for (const path of ['/', '/v1/socket', '/livez/x']) expect((await get(path)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/livez`, { method: 'POST' })).status).toBe(404)
  tab.socket.terminate()
})

it('records who opened which view, once for each kind and set of namespaces', async () => {
  const tab = await openTab('ada')
  tab.send({ type: 'open', id: 'a', query })
  tab.send({ type: 'change', id: 'a', query: { ...query, text: 'o' } })
  tab.send({ type: 'change', id: 'a', query: { ...query, namespaces: [namespace, 'team-b'] } })
  tab.send({ type: 'open', id: 'b', query: { ...query, kind: 'secrets' } })
  await expect.poll(() => tab.frames.some((frame) => frame.type === 'rejected')).toBe(true)
  expect(logged.filter(({ message }) => message === 'view opened').map(({ fields }) => fields)).toEqual([
    { who: 'ada', view: 'events', namespaces: [namespace], requestId: 'call-7' },
    { who: 'ada', view: 'events', namespaces: [namespace, 'team-b'], requestId: 'call-7' },
  ])
  tab.socket.terminate()
})

it.each(['', 'nonsense', '[]', '{"type":"open","id":"a","query":{}}'])(
  'the message %j is rejected, and the socket stays open',
  async (message) => {
    const tab = await openTab('ada')
    tab.send(message)
    await expect.poll(() => tab.frames.map(({ type }) => type)).toEqual(['rejected'])
    expect(tab.socket.readyState).toBe(WebSocket.OPEN)
    tab.socket.terminate()
  },
)

it('a message that is too long ends the socket', async () => {
  const tab = await openTab('ada')
  const closed = once(tab.socket, 'close')
  tab.send('x'.repeat(64 * 1024 + 1))
  expect((await closed)[0]).toBe(1009)
})

it('a tab that sends messages without end is served some of them a second', async () => {
  const tab = await openTab('ada')
  for (let index = 0; index < 1_000; index++) tab.send('nonsense')
  await expect.poll(() => tab.frames.length).toBeGreaterThanOrEqual(100)
  expect(tab.frames.length).toBeLessThan(200)
  tab.socket.terminate()
})

it('a tab that reads nothing is sent the window of when it reads again, and no queue', async () => {
  const tab = await openTab('ada')
  const text = 'x'.repeat(20_000)
  for (let index = 0; index < 50; index++) await createEvent(`event-${index}`, text)
  tab.send({ type: 'open', id: 'a', query: { ...query, limit: 50 } })
  await expect.poll(() => tab.names().length).toBe(50)
  tab.socket.pause()
  const before = tab.frames.length
  const changes = 40
  for (let round = 0; round < changes; round++) {
    // Each change of the query is answered by a window of a megabyte.
    tab.send({ type: 'change', id: 'a', query: { ...query, limit: 50, sort: round % 2 ? 'name' : '-name' } })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await createEvent('event-last', 'short')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  tab.socket.resume()
  await expect.poll(() => tab.view().total).toBe(51)
  expect(tab.frames.length - before).toBeLessThan(changes)
  tab.socket.terminate()
})

it('heartbeats are sent on request: at once, and while nothing else is', async () => {
  const [asking, other] = [await openTab('ada', '/v1/socket?heartbeat=true'), await openTab('ada')]
  await expect.poll(asking.heartbeats).toBe(1)
  expect(other.heartbeats()).toBe(0)
  for (const tab of [asking, other]) tab.socket.terminate()
})

it('closing ends the websockets with 1001, and all that is read', async () => {
  const tab = await openTab('ada')
  tab.send({ type: 'open', id: 'a', query })
  await expect.poll(() => tab.view().isPending || world.watches.size < 5).toBe(false)
  const closed = once(tab.socket, 'close')
  service.close()
  expect((await closed)[0]).toBe(1001)
  expect(world.watches.size).toBe(0)
})
