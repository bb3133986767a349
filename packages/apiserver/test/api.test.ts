import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { listen, type Listener } from '../src/node'
import { memoryStorage } from '../src/storage/memory'
import { sqliteStorage } from '../src/storage/sqlite'
import type { Storage } from '../src/storage/storage'
import { accessContract } from './access-contract'
import { apiOf } from './api-client'
import { widgetDefinition } from './api-fixtures'
import { kindsContract } from './kinds-contract'
import { limitsContract } from './limits-contract'
import { logContract } from './log-contract'
import { applyContract } from './apply-contract'
import { authenticationContract } from './authentication-contract'
import { readContract } from './read-contract'
import { representationContract } from './representation-contract'
import { watchContract } from './watch-contract'
import { writeContract } from './write-contract'
import { writeMatrixContract } from './write-matrix-contract'

/** The contract, put to a real Kubernetes API server with `API_CONTRACT_URL` and `API_CONTRACT_TOKEN`. */
const { API_CONTRACT_URL: realUrl, API_CONTRACT_TOKEN: realToken } = process.env

const folder = mkdtempSync(join(tmpdir(), 'apiserver-api-'))
afterAll(() => rmSync(folder, { recursive: true }))

const servers: [string, (() => Storage) | undefined][] = [
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage(join(folder, 'data.db'))],
  ...(realUrl && realToken ? [['a real cluster', undefined] as [string, undefined]] : []),
]

describe.each(servers)('the API over %s', (_, openStorage) => {
  let server: ApiServer | undefined
  let listener: Listener | undefined
  const target = () => ({ url: listener?.url ?? realUrl ?? '', token: listener ? 'admin-token' : (realToken ?? '') })

  beforeAll(async () => {
    if (openStorage) {
      server = await createApiServer({
        storage: openStorage(),
        authenticate: (token) => (token === 'admin-token' ? { name: 'admin', groups: ['system:masters'] } : undefined),
      })
      listener = await listen(server, { host: '127.0.0.1', port: 0 })
    }
    await apiOf(target()).post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition)
  })
  afterAll(async () => {
    await listener?.close()
    await server?.close()
  })

  describe('writing', () => writeContract(target))
  describe('the matrix of writes:', () => writeMatrixContract(target))
  describe('applying', () => applyContract(target))
  describe('kinds', () => kindsContract(target))
  describe('limits', () => limitsContract(target))
  describe('reading', () => readContract(target))
  describe('representations:', () => representationContract(target))
  describe('watching', () => watchContract(target))
  describe('access', () => accessContract(target))
  describe('authentication', () => authenticationContract(target))
  // What needs a door that only our server has is left out for a real cluster.
  if (openStorage) describe('a log', () => logContract(target))
})
