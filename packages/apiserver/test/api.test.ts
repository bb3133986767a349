import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen, type Listener } from '../src/node/listen'
import { memoryStorage } from '../src/storage/memory'
import { sqliteStorage } from '../src/storage/sqlite'
import { apiOf, type Target } from './api-client'
import { describeContract, prepareServer } from './contract'
import { embeddedOnlyReasons } from './embedded-only'

const folder = mkdtempSync(join(tmpdir(), 'apiserver-api-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage(join(folder, 'data.db'))],
])('the API over %s', (_, openStorage) => {
  let server: ApiServer | undefined
  let listener: Listener | undefined
  const target = (): Target => ({ url: listener?.url ?? '', token: 'admin-token', isEmbedded: true })

  beforeAll(async () => {
    server = await createApiServer({
      storage: openStorage(),
      rootCertificate: selfSignedCertificate(['127.0.0.1'], new Date()).cert,
      authenticate: (token) => (token === 'admin-token' ? { name: 'admin', groups: ['system:masters'] } : undefined),
    })
    listener = await listen(server, { host: '127.0.0.1', port: 0 })
    await prepareServer(apiOf(target()))
  })
  afterAll(async () => {
    await listener?.close()
    await server?.close()
  })

  describeContract(target)
})

it('the README lists every reason for an expectation that holds only for this server', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const differences = readme.split('## What differs from a real server')[1] ?? ''
  expect([...embeddedOnlyReasons].filter((reason) => !differences.includes(reason))).toEqual([])
})
