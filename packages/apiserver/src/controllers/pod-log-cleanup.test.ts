import { expect, it } from 'vitest'
import { createApiServer } from '../api-server'
import { memoryStorage } from '../storage/memory'

const podText = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', uid: 'u' } })

it('logs are removed with their pod, even if it was deleted right before the server stopped', async () => {
  const storage = memoryStorage()
  const pod = { collection: '/pods', key: 'n/p', value: podText }
  const revision = await storage.write({ ...pod, expected: undefined, type: 'put' })
  for (const log of ['u/a/0', 'u/b/1', 'gone/a/0']) {
    await storage.logs.append(log, { timeMs: 0, stream: 'Stdout', bytes: Uint8Array.of(1) })
  }
  const server = await createApiServer({ storage, authenticate: () => undefined })
  await server.settled()
  expect(storage.logs.names('')).toEqual(['u/a/0', 'u/b/1'])
  await storage.write({ ...pod, expected: revision, type: 'delete' })
  await server.settled()
  expect(storage.logs.names('')).toEqual([])
  await server.close()
})
