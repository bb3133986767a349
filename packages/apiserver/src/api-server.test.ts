import { expect, it } from 'vitest'
import { createApiServer } from './api-server'
import { memoryStorage } from './storage/memory'
import type { Storage } from './storage/storage'

const admin = { name: 'admin', groups: ['system:masters'] }
const maps = 'http://cluster.test/api/v1/namespaces/default/configmaps'
const headers = { authorization: 'Bearer x' }

it('an unexpected error is reported, and returned as a Status without internal details', async () => {
  const reported: unknown[] = []
  let isBroken = false
  const failing: Storage = memoryStorage()
  const storage: Storage = {
    ...failing,
    get(collection, key) {
      if (isBroken) throw new Error('the disk is on fire')
      return failing.get(collection, key)
    },
  }
  const report = (error: unknown) => void reported.push(error)
  const server = await createApiServer({ storage, authenticate: () => admin, report })
  isBroken = true
  const response = await server.fetch(new Request(`${maps}/x`, { headers }))
  expect([response.status, await response.json()]).toEqual([
    500,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Internal error occurred: see the server log',
      reason: 'InternalError',
      details: { causes: [{ message: 'see the server log' }] },
      code: 500,
    },
  ])
  expect(reported).toEqual([new Error('the disk is on fire')])
  isBroken = false
  await server.close()
})

it.each([
  ['POST', 'application/json'],
  ['PUT', 'application/json'],
  ['PATCH', 'application/merge-patch+json'],
  ['DELETE', 'application/json'],
])('a body of a %s that ends early is the error of its client, and not reported', async (method, type) => {
  const reported: unknown[] = []
  const report = (error: unknown) => void reported.push(error)
  const server = await createApiServer({ storage: memoryStorage(), authenticate: () => admin, report })
  const body = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) })
  const url = method === 'POST' ? maps : `${maps}/x`
  // Node needs `duplex` for a streamed body; the DOM types lack it.
  const init = { method, headers: { ...headers, 'content-type': type }, body, duplex: 'half' } as RequestInit
  const response = await server.fetch(new Request(url, init))
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ reason: 'BadRequest', message: 'the body of the request ended early' }),
  ])
  expect(reported).toEqual([])
  await server.close()
})

it('a generated name that exists is retried with another one, up to a limit', async () => {
  let drawn = 0
  let isStuck = true
  const random = () => (isStuck ? 0 : (drawn++ % 27) / 27)
  const server = await createApiServer({ storage: memoryStorage(), authenticate: () => admin, random })
  const create = async () => {
    const body = JSON.stringify({ metadata: { generateName: 'made-' } })
    const response = await server.fetch(
      new Request(maps, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    )
    const object = (await response.json()) as { metadata: { name?: string }; message?: string }
    return [response.status, object.message ?? object.metadata.name]
  }
  expect(await create()).toEqual([201, 'made-bbbbb'])
  expect(await create()).toEqual([409, 'configmaps "made-bbbbb" already exists'])
  isStuck = false
  const [status, name] = await create()
  expect([status, name]).toEqual([201, expect.stringMatching(/^made-(?!bbbbb)[bcdfghjklmnpqrstvwxz2456789]{5}$/)])
  await server.close()
})
