import { createApiServer } from '@slipway/apiserver/api-server'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { defineResource } from '@slipway/kube/resource-type'
import { eventType, namespaceType, type Event } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import { manualClock } from '@slipway/kube/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { polledMessage } from '../src/host/poll-list'
import { createReader } from '../src/host/reader'
import { createServedTypes } from '../src/host/served-types'
import type { ShelfSink } from '../src/shelf-sink'
import type { ViewKind } from '../src/view-kind'

const namespace = 'team-a'
const kind: ViewKind<Event> = {
  id: 'events',
  type: eventType,
  mask: ['metadata.name', 'involvedObject.name'],
  fields: {},
  order: 'name',
  text: nameOf,
  identifiers: () => [],
}

/** Remembers everything that a reader reports. */
function recordingSink() {
  const rows = new Map<string, KubeObject>()
  const log: string[] = []
  const problems: (string | undefined)[] = []
  let version = ''
  let listed: KubeObject[] = []
  const sink: ShelfSink = {
    beginList() {
      listed = []
      log.push('begin')
    },
    addPage(objects) {
      listed.push(...objects)
      log.push(`page of ${objects.length}`)
    },
    endList(of) {
      rows.clear()
      for (const object of listed) rows.set(nameOf(object), object)
      version = of
      log.push('end')
    },
    apply(events, seen) {
      for (const event of events) {
        if (event.type === 'ERROR') continue
        version = seen ?? event.object.metadata.resourceVersion ?? version
        if (event.type === 'BOOKMARK') continue
        if (event.type === 'DELETED') rows.delete(nameOf(event.object))
        else rows.set(nameOf(event.object), event.object)
        log.push(`${event.type} ${nameOf(event.object)}`)
      }
    },
    setStale(why, reason) {
      problems.push(why)
      if (reason?.rejectedWith) log.push(`rejected with ${reason.rejectedWith}`)
    },
  }
  return { sink, rows, log, problems, version: () => version }
}

let clock: ReturnType<typeof manualClock>
let admin: KubeClient
let client: KubeClient
let calls: string[]
let respond: ((request: Request) => Response | undefined) | undefined
/** Ends the open watches: as a server regularly does, or with an error. */
let endWatches: (error?: Error) => void
let closeServer: () => Promise<void>

beforeEach(async () => {
  clock = manualClock()
  const server = await createApiServer({
    storage: memoryStorage(),
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  closeServer = () => server.close()
  const baseUrl = 'http://cluster.test'
  const headers = { authorization: 'Bearer admin' }
  admin = createKubeClient({ baseUrl, headers, fetch: (input, init) => server.fetch(new Request(input, init)) })
  calls = []
  respond = undefined
  const open = new Set<TransformStreamDefaultController<Uint8Array>>()
  endWatches = (error) => {
    for (const each of open) {
      if (error) each.error(error)
      else each.terminate()
    }
    open.clear()
  }
  client = createKubeClient({
    baseUrl,
    headers,
    async fetch(input, init) {
      const request = new Request(input, init)
      const { pathname, search, searchParams } = new URL(request.url)
      calls.push(`${pathname}${search}`)
      const response = respond?.(request) ?? (await server.fetch(request))
      if (!searchParams.has('watch') || !response.ok) return response
      const through = new TransformStream<Uint8Array, Uint8Array>({ start: (controller) => void open.add(controller) })
      // The test ends it.
      response.body?.pipeTo(through.writable).catch(() => {})
      return new Response(through.readable, response)
    },
  })
  await admin.create(namespaceType, { metadata: { name: namespace } })
})
afterEach(() => closeServer())

const anEvent = (name: string): Event => ({
  metadata: { name, namespace, labels: { secret: 'x' } },
  involvedObject: { name: 'run', namespace, kind: 'PipelineRun' },
  message: 'a long message',
})
const create = (name: string) => admin.create(eventType, anEvent(name))

function startReading(of: ViewKind = kind, isPolled = false) {
  const recording = recordingSink()
  const servedTypes = createServedTypes(client, clock)
  const read = createReader({ client, servedTypes, clock, warn: () => {}, isPolled })
  return { ...recording, reader: read(of, namespace, recording.sink) }
}

it('a list is read in pages and then watched', async () => {
  for (let index = 0; index < 501; index++) await create(`event-${index}`)
  const { rows, log, problems, reader, version } = startReading()
  await expect.poll(() => problems).toEqual([undefined])
  expect(log).toEqual(['begin', 'page of 500', 'page of 1', 'end'])
  const created = await create('later')
  await expect.poll(() => rows.has('later')).toBe(true)
  expect(version()).toBe(created.metadata.resourceVersion)
  await admin.delete(eventType, 'later', { namespace })
  await expect.poll(() => rows.has('later')).toBe(false)
  // The mask of a gateway is none of the API server's.
  expect(calls.filter((call) => call.includes('fieldMask'))).toEqual([])
  reader.close()
})

it('a watch that a server ends as it regularly does is resumed without a list, and nothing is stale', async () => {
  await create('one')
  const { rows, log, problems, reader } = startReading()
  await expect.poll(() => problems).toEqual([undefined])
  await clock.advance(61_000)
  endWatches()
  await create('two')
  await expect.poll(() => rows.has('two')).toBe(true)
  expect(log.filter((each) => each === 'begin')).toHaveLength(1)
  expect(problems).toEqual([undefined])
  reader.close()
})

it('a gap is healed by listing again, and reported while it lasts', async () => {
  await create('one')
  await create('gone')
  const { rows, log, problems, reader } = startReading()
  await expect.poll(() => problems).toEqual([undefined])
  respond = () => Response.json({ kind: 'Status', status: 'Failure', message: 'no quorum' }, { status: 503 })
  endWatches(new Error('cut'))
  await expect.poll(() => problems.at(-1)).toBe('The live connection was lost.')
  await admin.delete(eventType, 'gone', { namespace })
  await create('two')
  await clock.advance(12_000)
  await expect.poll(() => problems.at(-1)).toContain('no quorum')
  expect([...rows.keys()]).toEqual(['gone', 'one'])
  respond = undefined
  await expect
    .poll(async () => {
      await clock.advance(1_000)
      return problems.at(-1)
    })
    .toBe(undefined)
  expect([...rows.keys()].sort()).toEqual(['one', 'two'])
  expect(log.filter((each) => each === 'end')).toHaveLength(2)
  reader.close()
})

it('what the service may not read is reported with the reason', async () => {
  respond = () => Response.json({ kind: 'Status', status: 'Failure', code: 403, message: 'not you' }, { status: 403 })
  const { log, problems, reader } = startReading()
  await expect.poll(() => problems).toEqual(['not you'])
  // It is not listed again soon, unlike after a failure that may pass.
  expect(log).toEqual(['begin', 'rejected with 403'])
  reader.close()
})

it('a list that is polled is read every 30 seconds, and sooner after a failure', async () => {
  await create('one')
  const { rows, log, problems, reader } = startReading(kind, true)
  await expect.poll(() => problems).toEqual([polledMessage])
  expect([...rows.keys()]).toEqual(['one'])
  await create('two')
  await clock.advance(29_000)
  expect(rows.size).toBe(1)
  await clock.advance(1_000)
  await expect.poll(() => rows.size).toBe(2)
  respond = () => Response.json({ kind: 'Status', status: 'Failure', message: 'no quorum' }, { status: 503 })
  reader.refresh()
  await expect.poll(() => problems.at(-1)).toContain('no quorum')
  expect(rows.size).toBe(2)
  respond = undefined
  await clock.advance(2_000)
  await expect.poll(() => problems.at(-1)).toBe(polledMessage)
  const lists = () => log.filter((each) => each === 'end').length
  const before = lists()
  reader.wake()
  await clock.advance(10_000)
  expect(lists()).toBe(before)
  reader.wake()
  await expect.poll(lists).toBe(before + 1)
  expect(calls.filter((call) => call.includes('watch'))).toEqual([])
  reader.close()
})

it.each([
  ['followed', false],
  ['polled', true],
])('a reader that is closed requests nothing any more of a list that it %s', async (_, isPolled) => {
  const { problems, reader } = startReading(kind, isPolled)
  await expect.poll(() => problems).toEqual([isPolled ? polledMessage : undefined])
  reader.close()
  const before = calls.length
  await clock.advance(600_000)
  expect(calls).toHaveLength(before)
  expect(clock.pending).toBe(0)
})

/** A kind that moves from one group to another. */
const definition = (group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})
const widgetType = defineResource<KubeObject>({
  group: 'old.example.com',
  newerGroups: ['new.example.com'],
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
})
const widgets: ViewKind = { ...kind, id: 'widgets', type: widgetType, mask: ['metadata.name'] } as ViewKind

it('a kind that is moving is read in every group that serves it', async () => {
  const groups = ['old.example.com', 'new.example.com']
  for (const group of groups) {
    await admin.request('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(definition(group)),
    })
  }
  const createIn = (group: string, name: string) =>
    admin.create({ ...widgetType, group }, { metadata: { name, namespace } })
  await expect.poll(() => createIn('old.example.com', 'first').catch(() => undefined)).toBeDefined()
  await expect.poll(() => createIn('new.example.com', 'second').catch(() => undefined)).toBeDefined()
  const { rows, problems, reader, version } = startReading(widgets)
  await expect.poll(() => problems).toEqual([undefined])
  expect([...rows.keys()].sort()).toEqual(['first', 'second'])
  // The version is one up to which both groups have been seen.
  const listed = version()
  const later = await createIn('new.example.com', 'later-new')
  await expect.poll(() => rows.size).toBe(3)
  expect(version()).toBe(listed)
  await createIn('old.example.com', 'later-old')
  await expect.poll(() => rows.size).toBe(4)
  expect(version()).toBe(later.metadata.resourceVersion)
  // One that is cut is as good as both.
  await clock.advance(61_000)
  endWatches()
  for (const group of groups) await createIn(group, `latest-${group}`)
  await expect.poll(() => rows.size).toBe(6)
  reader.close()
})
