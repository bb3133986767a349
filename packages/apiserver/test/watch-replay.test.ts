import { applyWatchEvents, type WatchEvent } from '@slipway/kube/watch-event'
import type { KubeList } from '@slipway/kube/object'
import { manualClock } from '@slipway/kube/testing'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { memoryStorage } from '../src/storage/memory'
import { sqliteStorage } from '../src/storage/sqlite'
import type { Storage } from '../src/storage/storage'
import { configMap } from './api-fixtures'

/** Watches within the process, with a clock that only the test moves. */

let server: ApiServer
const clock = manualClock()
afterEach(() => server.close())

const folder = mkdtempSync(join(tmpdir(), 'apiserver-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

async function start(storage: Storage = memoryStorage()) {
  server = await createApiServer({
    storage,
    clock,
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
const list = async (query = ''): Promise<KubeList> => (await send(`${maps}?${query}`)).json() as Promise<KubeList>

const eventsIn = (text: string): WatchEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WatchEvent) // What the server wrote.

/** Everything that a watch says until its time-out. */
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
  it('gives the list at the end when it is replayed from any list before', { timeout: 60_000 }, async () => {
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

it('says that a revision is too old, and ends', async () => {
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

it('goes on with a list whose state is forgotten, when told so', async () => {
  const storage = memoryStorage()
  await start(storage)
  for (const name of ['a', 'b', 'c']) await post(configMap(name))
  const first = await list('limit=1')
  await post(configMap('aa'))
  storage.compact(storage.revision())
  const response = await send(`${maps}?limit=1&continue=${first.metadata.continue}`)
  expect(response.status).toBe(410)
  const { reason, metadata } = (await response.json()) as { reason: string; metadata: { continue: string } }
  expect(reason).toBe('Expired')
  const rest = await list(`continue=${metadata.continue}`)
  expect(rest.items.map((item) => item.metadata.name)).toEqual(['aa', 'b', 'c'])
})

it('ends a watch that nobody reads', async () => {
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

it('sends a bookmark every minute to those who want them', async () => {
  await start()
  const response = await send(`${maps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=150`)
  for (const ms of [60_000, 60_000, 30_000]) await clock.advance(ms)
  expect(eventsIn(await response.text()).map(({ type }) => type)).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK'])
})

it('ends every watch when the server closes', async () => {
  await start()
  const response = await send(`${maps}?watch=true`)
  await server.close()
  expect(await response.text()).toBe('')
})
