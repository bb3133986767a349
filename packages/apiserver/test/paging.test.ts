import type { KubeList } from '@slipway/kube/object'
import { manualClock } from '@slipway/kube/testing'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  /** What is written while each page is fetched. */
  meanwhile: fc.array(fc.array(aWrite, { maxLength: 4 }), { maxLength: 8 }),
  limit: fc.integer({ min: 1, max: 4 }),
  selector: fc.constantFrom('', 'app=x', 'app!=x', 'app in (x,y)'),
})

const maps = '/api/v1/namespaces/default/configmaps'

describe.each(storages)('a list in pages over %s', (_, openStorage) => {
  it('gives each object once, as it was at the first page', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ first, meanwhile, limit, selector }) => {
        const server = await createApiServer({
          storage: openStorage(),
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
        const write = ({ verb, name, app }: { verb: string; name: string; app: string }) => {
          const patch = { metadata: { labels: { app } } }
          if (verb === 'create') return send('POST', maps, configMap(name, {}, { app }))
          if (verb === 'delete') return send('DELETE', `${maps}/${name}`)
          return send('PATCH', `${maps}/${name}`, patch, 'application/merge-patch+json')
        }
        const page = async (query: string): Promise<KubeList> => {
          const response = await send('GET', `${maps}?labelSelector=${encodeURIComponent(selector)}&${query}`)
          expect(response.status).toBe(200)
          return (await response.json()) as KubeList // What the server wrote.
        }
        try {
          for (const name of first) await send('POST', maps, configMap(name, {}, { app: name < 'd' ? 'x' : 'y' }))
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
          await server.close()
        }
      }),
      { numRuns: 40 },
    )
  })
})
