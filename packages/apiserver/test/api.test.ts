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
import { answersContract } from './answers-contract'
import { apiOf, type Target } from './api-client'
import { eventually, widgetDefinition } from './api-fixtures'
import { discoveryContract } from './discovery-contract'
import { definitionContract } from './definition-contract'
import { deleteContract } from './delete-contract'
import { kindsContract } from './kinds-contract'
import { dryRunContract } from './dry-run-contract'
import { leftOutContract } from './left-out-contract'
import { createLeftovers } from './leftovers'
import { limitsContract } from './limits-contract'
import { listWatchContract } from './list-watch-contract'
import { logContract } from './log-contract'
import { applyContract } from './apply-contract'
import { authenticationContract } from './authentication-contract'
import { mediaTypesContract } from './media-types-contract'
import { rbacContract } from './rbac-contract'
import { readContract } from './read-contract'
import { representationContract } from './representation-contract'
import { statusContract } from './status-contract'
import { strategicPatchContract } from './strategic-patch-contract'
import { tableContract } from './table-contract'
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

/** What a cluster does on its own takes it seconds. */
const patience = { timeout: realUrl ? 120_000 : 10_000 }

describe.each(servers)('the API over %s', patience, (_, openStorage) => {
  let server: ApiServer | undefined
  let listener: Listener | undefined
  const leftovers = createLeftovers()
  const target = (): Target => ({
    url: (openStorage ? listener?.url : realUrl) ?? '',
    token: openStorage ? 'admin-token' : (realToken ?? ''),
    extras: openStorage !== undefined,
    leftovers,
  })

  beforeAll(async () => {
    if (openStorage) {
      server = await createApiServer({
        storage: openStorage(),
        authenticate: (token) => (token === 'admin-token' ? { name: 'admin', groups: ['system:masters'] } : undefined),
      })
      listener = await listen(server, { host: '127.0.0.1', port: 0 })
    }
    const api = apiOf(target())
    await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition)
    await eventually(async () => (await api.get('/apis/contract.test/v1/widgets')).code === 200)
  })
  afterAll(async () => {
    await leftovers.remove(apiOf(target()))
    await listener?.close()
    await server?.close()
  })

  describe('writing', () => writeContract(target))
  describe('the matrix of writes:', () => writeMatrixContract(target))
  describe('a strategic merge patch', () => strategicPatchContract(target))
  describe('deleting', () => deleteContract(target))
  describe('a refusal for', () => statusContract(target))
  describe('definitions:', () => definitionContract(target))
  describe('a dry run', () => dryRunContract(target))
  describe('applying', () => applyContract(target))
  describe('kinds', () => kindsContract(target))
  describe('limits', () => limitsContract(target))
  describe('media types', () => mediaTypesContract(target))
  describe('discovery', () => discoveryContract(target))
  describe('reading', () => readContract(target))
  describe('representations:', () => representationContract(target))
  describe('a table', () => tableContract(target))
  describe('lists and watches:', () => listWatchContract(target))
  describe('watching', () => watchContract(target))
  describe('access', () => accessContract(target))
  describe('roles', () => rbacContract(target))
  describe('what is left out', () => leftOutContract(target))
  describe('authentication', () => authenticationContract(target))
  describe('a log', () => logContract(target))
  describe('answers:', () => answersContract(target))
})
