import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../api-server'
import { memoryStorage } from '../storage/memory'

let server: ApiServer
beforeEach(async () => {
  const authenticate = () => ({ name: 'admin', groups: ['system:masters'] })
  server = await createApiServer({ storage: memoryStorage(), authenticate })
})
afterEach(() => server.close())

async function send(method: string, path: string, body?: object): Promise<number> {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  const address = `http://cluster.test/api/v1/namespaces${path}`
  const { status } = await server.fetch(new Request(address, { method, headers, body: body && JSON.stringify(body) }))
  await server.settled()
  return status
}

const claim = {
  metadata: { name: 'work' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const pod = (nodeName?: string) => ({
  metadata: { name: 'user' },
  spec: {
    nodeName,
    containers: [{ name: 'a', image: 'i:1' }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'work' } }],
  },
})
const claims = '/default/persistentvolumeclaims'

it('deleting a claim waits until the pod that uses it is deleted', async () => {
  expect(await send('POST', claims, claim)).toBe(201)
  expect(await send('POST', '/default/pods', pod('n1'))).toBe(201)
  expect(await send('DELETE', `${claims}/work`)).toBe(200)
  expect(await send('GET', `${claims}/work`)).toBe(200)
  await send('DELETE', '/default/pods/user')
  expect(await send('GET', `${claims}/work`)).toBe(404)
})

it('a claim of an unscheduled pod, or in a namespace being deleted, is deleted at once', async () => {
  await send('POST', claims, claim)
  await send('POST', '/default/pods', pod())
  await send('DELETE', `${claims}/work`)
  expect(await send('GET', `${claims}/work`)).toBe(404)

  await send('POST', '', { metadata: { name: 'team' } })
  await send('POST', '/team/persistentvolumeclaims', claim)
  await send('DELETE', '/team')
  expect(await send('GET', '/team')).toBe(404)
})
