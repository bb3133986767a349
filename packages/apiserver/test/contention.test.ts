import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { sqliteStorage } from '../src/storage/sqlite'

/** Writes that reach the server in one turn, so that all of them read the same version before the first is stored. */

let folder: string
let server: ApiServer
let storedWrites = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contention-'))
  const storage = sqliteStorage(join(folder, 'store.sqlite'))
  server = await createApiServer({
    storage: {
      ...storage,
      write(write) {
        storedWrites++
        return storage.write(write)
      },
    },
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  await server.settled()
  storedWrites = 0
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const maps = '/api/v1/namespaces/default/configmaps'

async function send(method: string, path: string, body: object, type = 'application/json') {
  const response = await server.fetch(
    new Request(`http://cluster.test${path}`, {
      method,
      headers: { authorization: 'Bearer t', 'content-type': type },
      body: JSON.stringify(body),
    }),
  )
  return { code: response.status, body: (await response.json()) as { data?: Record<string, string> } }
}

const configMap = (data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'busy' },
  data,
})

/** Sends them all at once, and returns the sorted status codes. */
const codesOf = async (count: number, write: (index: number) => ReturnType<typeof send>) =>
  (await Promise.all(Array.from({ length: count }, (_, index) => write(index)))).map(({ code }) => code).sort()

const all = (count: number, code: number) => Array.from({ length: count }, () => code)

it('20 replacements at once without a version succeed', async () => {
  await send('POST', maps, configMap())
  expect(await codesOf(20, (index) => send('PUT', `${maps}/busy`, configMap({ a: `${index}` })))).toEqual(all(20, 200))
})

it('40 merge patches at once succeed, and each is attempted about twice', async () => {
  await send('POST', maps, configMap())
  const patch = (index: number) =>
    send('PATCH', `${maps}/busy`, { data: { [`k${index}`]: 'v' } }, 'application/merge-patch+json')
  expect(await codesOf(40, patch)).toEqual(all(40, 200))
  const merged = await send('PATCH', `${maps}/busy?dryRun=All`, {}, 'application/merge-patch+json')
  expect(Object.keys(merged.body.data ?? {})).toHaveLength(40)
  // The creation, one attempt of each patch at once, and another one of those that met it.
  expect(storedWrites).toBe(1 + 40 + 39)
})

it('applies at once of a new object create it once', async () => {
  const apply = (index: number) =>
    send(
      'PATCH',
      `${maps}/busy?fieldManager=m${index}`,
      configMap({ [`k${index}`]: 'v' }),
      'application/apply-patch+yaml',
    )
  expect(await codesOf(20, apply)).toEqual([...all(19, 200), 201])
})

it('of 20 replacements at once with the same version one succeeds', async () => {
  const created = await send('POST', maps, configMap())
  const replace = (index: number) => send('PUT', `${maps}/busy`, { ...created.body, data: { a: `${index}` } })
  expect(await codesOf(20, replace)).toEqual([200, ...all(19, 409)])
})

it('of 20 creations at once one succeeds', async () => {
  expect(await codesOf(20, () => send('POST', maps, configMap()))).toEqual([201, ...all(19, 409)])
})

it('dry runs at once with writes succeed', async () => {
  await send('POST', maps, configMap())
  const write = (index: number) =>
    send('PUT', `${maps}/busy${index % 2 ? '?dryRun=All' : ''}`, configMap({ a: `${index}` }))
  expect(await codesOf(20, write)).toEqual(all(20, 200))
})
