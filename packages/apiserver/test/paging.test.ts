import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeList } from '@slipway/kube/object'
import { manualClock } from '@slipway/kube/testing'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createApiServer } from '../src/api-server'
import { memoryStorage } from '../src/storage/memory'
import { sqliteStorage } from '../src/storage/sqlite'
import type { Storage } from '../src/storage/storage'
import { configMap } from './api-fixtures'

const folder = mkdtempSync(join(tmpdir(), 'apiserver-paging-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const storages: [string, () => Storage][] = [
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage(join(folder, `${files++}.db`))],
]

const names = fc.constantFrom(...'abcdefgh')
const aWrite = fc.record({
  verb: fc.constantFrom('create', 'label', 'delete'),
  name: names,
  app: fc.constantFrom('x', 'y'),
})
const cases = fc.record({
  first: fc.uniqueArray(names),
  /** Writes performed while each page is fetched. */
  meanwhile: fc.array(fc.array(aWrite, { maxLength: 4 }), { maxLength: 8 }),
  limit: fc.integer({ min: 1, max: 4 }),
  selector: fc.constantFrom('', 'app=x', 'app!=x', 'app in (x,y)'),
})

const maps = '/api/v1/namespaces/default/configmaps'

/** A server with config maps in one namespace, on this storage. */
async function openServer(storage: Storage) {
  const server = await createApiServer({
    storage,
    clock: manualClock(),
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  const send = (method: string, path: string, body?: object, type = 'application/json') =>
    server.fetch(
      new Request(`http://cluster.test${path}`, {
        method,
        headers: { authorization: 'Bearer x', 'content-type': type },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  return {
    write({ verb, name, app }: { verb: string; name: string; app: string }) {
      const patch = { metadata: { labels: { app } } }
      if (verb === 'create') return send('POST', maps, configMap(name, {}, { app }))
      if (verb === 'delete') return send('DELETE', `${maps}/${name}`)
      return send('PATCH', `${maps}/${name}`, patch, 'application/merge-patch+json')
    },
    async list(query: string): Promise<KubeList> {
      const response = await send('GET', `${maps}?${query}`)
      expect(response.status).toBe(200)
      return (await response.json()) as KubeList // Written by the server.
    },
    close: () => server.close(),
  }
}

describe.each(storages)('a list over %s', (_, openStorage) => {
  it('in pages returns each object once, in its state at the first page', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ first, meanwhile, limit, selector }) => {
        const { write, list, close } = await openServer(openStorage())
        const page = (query: string) => list(`labelSelector=${encodeURIComponent(selector)}&${query}`)
        try {
          for (const name of first) await write({ verb: 'create', name, app: name < 'd' ? 'x' : 'y' })
          const whole = await page('')
          let current = await page(`limit=${limit}`)
          const seen = [...current.items]
          for (let count = 0; current.metadata.continue; count++) {
            const token = encodeURIComponent(current.metadata.continue)
            const writes = (meanwhile[count] ?? []).map(write)
            const [next] = await Promise.all([page(`limit=${limit}&continue=${token}`), ...writes])
            expect(next.metadata.resourceVersion).toBe(whole.metadata.resourceVersion)
            expect(next.items.length).toBeLessThanOrEqual(limit)
            seen.push(...next.items)
            current = next
          }
          expect(seen).toEqual(whole.items)
        } finally {
          await close()
        }
      }),
      { numRuns: 40 },
    )
  })

  it('with a selector returns the matching objects of the complete list, after every write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aWrite, { maxLength: 20 }), async (writes) => {
        const { write, list, close } = await openServer(openStorage())
        try {
          for (const each of writes) {
            await write(each)
            const { items } = await list('')
            const matching = items.filter(({ metadata }) => metadata.labels?.app === 'x')
            expect((await list('labelSelector=app%3Dx')).items).toEqual(matching)
            expect((await list('labelSelector=app%3Dx&limit=1')).items).toEqual(matching.slice(0, 1))
          }
        } finally {
          await close()
        }
      }),
      { numRuns: 20 },
    )
  })
})
