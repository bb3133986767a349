import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyWatchEvents, type WatchEvent } from '@slipway/kube/watch-event'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { Status } from '@slipway/kube/status'
import { manualClock } from '@slipway/kube/testing'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { memoryStorage } from '../src/storage/memory'
import { sqliteStorage } from '../src/storage/sqlite'
import type { ChangeSlice, Storage } from '../src/storage/storage'
import { configMap } from './api-fixtures'

/** In-process watches, with a clock controlled by the test. */

let server: ApiServer
const clock = manualClock()
afterEach(() => server.close())

const folder = mkdtempSync(join(tmpdir(), 'apiserver-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

async function start(storage: Storage = memoryStorage(), random: () => number = Math.random) {
  server = await createApiServer({
    storage,
    clock,
    random,
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
}

const maps = '/api/v1/namespaces/default/configmaps'
const send = (path: string, init: RequestInit = {}) =>
  server.fetch(
    new Request(`http://cluster.test${path}`, {
      ...init,
      headers: { authorization: 'Bearer x', 'content-type': 'application/json', ...init.headers },
    }),
  )
const post = (object: object) => send(maps, { method: 'POST', body: JSON.stringify(object) })
/** Adds the kind, which a watch repeats for each object and a list has only once. */
async function list(query = ''): Promise<KubeList> {
  const found = (await (await send(`${maps}?${query}`)).json()) as KubeList
  return { ...found, items: found.items.map((item) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...item })) }
}

const eventsIn = (text: string): WatchEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WatchEvent) // Written by the server.

/** All events of a watch until its timeout. */
async function replay(query: string): Promise<WatchEvent[]> {
  const response = await send(`${maps}?watch=true&timeoutSeconds=1&${query}`)
  await clock.advance(1_000)
  return eventsIn(await response.text())
}

const writes = fc.array(
  fc.record({
    verb: fc.constantFrom('create', 'label', 'unlabel', 'touch', 'delete'),
    name: fc.constantFrom('a', 'b', 'c'),
    app: fc.constantFrom('x', 'y'),
  }),
  { maxLength: 25 },
)

const aSelector = fc
  .constantFrom('', 'app=x', 'app!=x', 'app', '!app', 'app in (x,y)', 'app notin (x)', 'app=x,app!=y')
  .map((selector) => `labelSelector=${encodeURIComponent(selector)}`)

describe.each<[string, () => Storage]>([
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage(join(folder, `${files++}.db`))],
])('over %s', (_, openStorage) => {
  it('a watch replayed from any earlier list results in the final list', async () => {
    await fc.assert(
      fc.asyncProperty(writes, aSelector, async (script, selector) => {
        await start(openStorage())
        const states = [await list(selector)]
        let count = 0
        for (const { verb, name, app } of script) {
          const path = `${maps}/${name}`
          const merge = (patch: object) =>
            send(path, {
              method: 'PATCH',
              body: JSON.stringify(patch),
              headers: { 'content-type': 'application/merge-patch+json' },
            })
          if (verb === 'create') await post(configMap(name, {}, { app }))
          else if (verb === 'label') await merge({ metadata: { labels: { app } } })
          else if (verb === 'unlabel') await merge({ metadata: { labels: null } })
          else if (verb === 'touch') await merge({ data: { count: String(count++) } })
          else await send(path, { method: 'DELETE' })
          states.push(await list(selector))
        }
        const end = states.at(-1)
        const byName = (state?: KubeList) =>
          [...(state?.items ?? [])].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
        for (const state of states) {
          const events = await replay(`resourceVersion=${state.metadata.resourceVersion}&${selector}`)
          expect(byName(applyWatchEvents(state, events))).toEqual(byName(end))
        }
        await server.close()
      }),
      { numRuns: 40 },
    )
  })
})

it.each<[string, () => Storage]>([
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage(join(folder, `${files++}.db`))],
])('over %s, a watch of one object reads the changes of no other object', async (_, openStorage) => {
  const storage = openStorage()
  await start(storage)
  const { resourceVersion } = (await list()).metadata
  for (const name of ['a', 'b', 'c']) await post(configMap(name))
  const slices = recordReads(storage)
  const events = await replay(`resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3Db`)
  expect(events.map(({ object }) => (object as KubeObject).metadata.name)).toEqual(['b'])
  const keys = slices.flatMap(({ changes }) => changes.map(({ key }) => key))
  expect(keys.filter((key) => key !== 'default/b')).toEqual([])
})

const large = (name: string, count = 0) => ({
  ...configMap(name),
  data: { count: String(count), text: 'x'.repeat(20_000) },
})

/** Records the slices that are read from a storage. */
function recordReads(storage: Storage): ChangeSlice[] {
  const slices: ChangeSlice[] = []
  const since = storage.since.bind(storage)
  storage.since = (...args) => {
    const slice = since(...args)
    slices.push(slice)
    return slice
  }
  return slices
}

it('watches that resume share the encoded changes in large pieces and read none from the storage', async () => {
  const storage = sqliteStorage(join(folder, `${files++}.db`))
  await start(storage)
  const { resourceVersion } = (await list()).metadata
  const count = 20
  for (let index = 0; index < count; index++) await post(large(`m-${index}`, index))
  const slices = recordReads(storage)
  const readers = await Promise.all(
    ['', '&labelSelector=app!%3Dx', ''].map(async (query) => {
      const { body } = await send(`${maps}?watch=true&resourceVersion=${resourceVersion}${query}`)
      return body?.getReader()
    }),
  )
  const names: (string | undefined)[] = []
  let pieces = 0
  for (; names.length < count; pieces++) {
    const [first, ...others] = await Promise.all(readers.map((reader) => reader?.read()))
    for (const event of eventsIn(new TextDecoder().decode(first?.value as Uint8Array))) {
      expect(event.type).toBe('ADDED')
      names.push((event.object as KubeObject).metadata.name)
    }
    // The same bytes, not equal ones.
    for (const other of others) expect(other?.value === first?.value).toBe(true)
  }
  expect(names).toEqual(Array.from({ length: count }, (_, index) => `m-${index}`))
  expect(pieces).toBeLessThanOrEqual(4)
  expect(slices).toEqual([])
  for (const reader of readers) await reader?.cancel()
})

it('a watch from before a restart reads the changes from the storage as its client reads them, in slices', async () => {
  const path = join(folder, `${files++}.db`)
  await start(sqliteStorage(path))
  const { resourceVersion } = (await list()).metadata
  const count = 40
  for (let index = 0; index < count; index++) await post(large(`m-${index}`, index))
  await server.close()
  const storage = sqliteStorage(path)
  await start(storage)
  const slices = recordReads(storage)
  const response = await send(`${maps}?watch=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`)
  expect(slices).toEqual([])
  await clock.advance(1_000)
  const events = eventsIn(await response.text())
  expect(events.map(({ object }) => (object as KubeObject).metadata.name)).toEqual(
    Array.from({ length: count }, (_, index) => `m-${index}`),
  )
  expect(Math.max(...slices.map(({ changes }) => changes.length))).toBeLessThanOrEqual(10)
})

it('a watch whose next changes are compacted before they are read reports that and ends', async () => {
  const path = join(folder, `${files++}.db`)
  await start(sqliteStorage(path))
  const { resourceVersion } = (await list()).metadata
  for (let index = 0; index < 20; index++) await post(large(`m-${index}`, index))
  await server.close()
  const storage = sqliteStorage(path)
  await start(storage)
  const response = await send(`${maps}?watch=true&resourceVersion=${resourceVersion}`)
  const reader = response.body?.getReader()
  const first = await reader?.read()
  storage.compact(storage.revision())
  const events = eventsIn(new TextDecoder().decode(first?.value as Uint8Array))
  expect(events[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'm-0' } } })
  const next = await reader?.read()
  const [event] = eventsIn(new TextDecoder().decode(next?.value as Uint8Array))
  expect(event).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  expect((await reader?.read())?.done).toBe(true)
})

it('a watch from a revision that is too old reports that and ends', async () => {
  const storage = memoryStorage()
  await start(storage)
  await post(configMap('a'))
  storage.compact(storage.revision())
  const response = await send(`${maps}?watch=true&resourceVersion=1`)
  expect(response.status).toBe(200)
  const [event, ...others] = eventsIn(await response.text())
  expect(event).toEqual({
    type: 'ERROR',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `too old resource version: 1 (${storage.compacted()})`,
      reason: 'Expired',
      code: 410,
    },
  })
  expect(others).toEqual([])
})

it('a list at a revision that is too old reports that', async () => {
  const storage = memoryStorage()
  await start(storage)
  await post(configMap('a'))
  const then = await list()
  await post(configMap('b'))
  storage.compact(storage.revision())
  const response = await send(`${maps}?resourceVersion=${then.metadata.resourceVersion}&resourceVersionMatch=Exact`)
  expect([response.status, await response.json()]).toEqual([
    410,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'The resourceVersion for the provided list is too old.',
      reason: 'Expired',
      code: 410,
    },
  ])
})

it('an expired list continues with the token in the error', async () => {
  const storage = memoryStorage()
  await start(storage)
  for (const name of ['a', 'b', 'c']) await post(configMap(name))
  const first = await list('limit=1')
  await post(configMap('aa'))
  storage.compact(storage.revision())
  const response = await send(`${maps}?limit=1&continue=${first.metadata.continue}`)
  expect(response.status).toBe(410)
  // Written by the server.
  const { reason, message, metadata } = (await response.json()) as Status & { metadata: { continue: string } }
  expect([reason, message]).toEqual([
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  ])
  const rest = await list(`continue=${metadata.continue}`)
  expect(rest.items.map((item) => item.metadata.name)).toEqual(['aa', 'b', 'c'])
})

it('a watch that is not read is ended', async () => {
  await start()
  const response = await send(`${maps}?watch=true`)
  await post(configMap('a'))
  for (let count = 0; count < 1_100; count++) {
    await send(`${maps}/a`, {
      method: 'PATCH',
      body: JSON.stringify({ data: { count: String(count) } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  }
  expect(eventsIn(await response.text()).length).toBeLessThan(1_100)
})

it('a watch with bookmarks enabled gets one every minute', async () => {
  await start()
  const response = await send(`${maps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=150`)
  for (const ms of [60_000, 60_000, 30_000]) await clock.advance(ms)
  expect(eventsIn(await response.text()).map(({ type }) => type)).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK'])
})

/** The timeout of a watch, in seconds. */
async function lifeOf(query: string, limitSeconds: number): Promise<number> {
  const response = await send(`${maps}?watch=true&${query}`)
  const reader = response.body?.getReader()
  let hasEnded = false
  void reader?.read().then(({ done }) => (hasEnded = done))
  for (let seconds = 0; seconds < limitSeconds; seconds++) {
    await clock.advance(1_000)
    if (hasEnded) return seconds + 1
  }
  return Infinity
}

it.each([1, 7, 600])('a watch ends after the requested %d seconds', async (seconds) => {
  await start()
  expect(await lifeOf(`timeoutSeconds=${seconds}`, seconds + 2)).toBe(seconds)
})

it.each([
  [0, 1_800],
  [0.5, 2_700],
])('a watch without a timeout ends after 30 to 60 minutes: %d', async (fraction, seconds) => {
  let isDrawn = false
  await start(memoryStorage(), () => (isDrawn ? fraction : Math.random()))
  isDrawn = true
  expect(await lifeOf('timeoutSeconds=0', seconds + 2)).toBe(seconds)
})

it('a followed log stays open through an hour without output', async () => {
  await start()
  const pods = '/api/v1/namespaces/default/pods'
  const containers = [{ name: 'main', image: 'image' }]
  const pod = JSON.stringify({ metadata: { name: 'p' }, spec: { containers } })
  expect((await send(pods, { method: 'POST', body: pod })).status).toBe(201)
  const patch = (status: object) =>
    send(`${pods}/p/status`, {
      method: 'PATCH',
      body: JSON.stringify({ status }),
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  await patch({ containerStatuses: [{ name: 'main', restartCount: 0, state: { running: {} } }] })
  const followed = await send(`${pods}/p/log?follow=true`)
  const text = followed.text()
  await clock.advance(3_600_000)
  await send(`${pods}/p/log`, { method: 'POST', body: 'at last\n', headers: { 'content-type': 'text/plain' } })
  await patch({ containerStatuses: [{ name: 'main', restartCount: 0, state: { terminated: { exitCode: 0 } } }] })
  expect(await text).toBe('at last\n')
})

it('every watch ends when the server is closed', async () => {
  await start()
  const response = await send(`${maps}?watch=true`)
  await server.close()
  expect(await response.text()).toBe('')
})
