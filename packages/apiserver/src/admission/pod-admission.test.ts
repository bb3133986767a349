import { expect, it } from 'vitest'
import { createApiServer } from '../api-server'
import { memoryStorage } from '../storage/memory'

it('creating a pod right after its namespace waits for the default service account', async () => {
  const authenticate = () => ({ name: 'admin', groups: ['system:masters'] })
  const server = await createApiServer({ storage: memoryStorage(), authenticate })
  const post = (path: string, body: object) =>
    server.fetch(
      new Request(`http://cluster.test/api/v1/namespaces${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const namespace = post('', { metadata: { name: 'new' } })
  const spec = { containers: [{ name: 'a', image: 'i:1' }] }
  expect((await namespace).status).toBe(201)
  expect((await post('/new/pods', { metadata: { name: 'early' }, spec })).status).toBe(201)
  await server.close()
})
