import { createKubeClient } from '@slipway/kube/client'
import { eventType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { manualClock } from '@slipway/kube/testing'
import { afterEach, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../api-server'
import { memoryStorage } from '../storage/memory'

const minuteMs = 60_000
let server: ApiServer
afterEach(() => server.close())

async function start(storage = memoryStorage(), eventTtlMs?: number) {
  const clock = manualClock()
  server = await createApiServer({
    storage: { ...storage, close: () => {} },
    clock,
    eventTtlMs,
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  const client = createKubeClient({
    baseUrl: 'http://cluster.test',
    headers: { authorization: 'Bearer admin' },
    fetch: (input, init) => server.fetch(new Request(input, init)),
  })
  return {
    clock,
    storage,
    client,
    create: (name: string) =>
      client.create(eventType, {
        metadata: { name, namespace: 'default' },
        involvedObject: { kind: 'Pod', namespace: 'default', name: 'pod' },
        reason: 'Pulled',
      }),
    async names() {
      await server.settled()
      return (await client.list(eventType, { namespace: 'default' })).items.map(nameOf)
    },
  }
}

it('an event is removed one hour after its last write, to within a minute', async () => {
  const { clock, client, create, names } = await start()
  await create('once')
  await create('again')
  await clock.advance(30 * minuteMs)
  await client.patch(eventType, 'again', [{ op: 'add', path: '/count', value: 2 }], { namespace: 'default' })
  await clock.advance(30 * minuteMs - 1)
  expect(await names()).toEqual(['again', 'once'])
  await clock.advance(minuteMs)
  expect(await names()).toEqual(['again'])
  await clock.advance(30 * minuteMs)
  expect(await names()).toEqual([])
})

it('an event is removed after the configured time instead', async () => {
  const { clock, create, names } = await start(undefined, 5 * minuteMs)
  await create('once')
  await clock.advance(5 * minuteMs - 1)
  expect(await names()).toEqual(['once'])
  await clock.advance(minuteMs)
  expect(await names()).toEqual([])
})

it('watches report the removal of an expired event', async () => {
  const { clock, client, create, names } = await start()
  await create('once')
  await clock.advance(59 * minuteMs)
  const types: string[] = []
  const { metadata } = await client.list(eventType)
  const onMessage = (text: string) => void types.push((JSON.parse(text) as { type: string }).type)
  const watch = client.watch(eventType, metadata, { onOpen: () => {}, onMessage, onClose: () => {} })
  await clock.advance(2 * minuteMs)
  await names()
  await expect.poll(() => types).toEqual(['DELETED'])
  watch.close()
})

it('events expire on time after a restart', async () => {
  const before = await start()
  await before.create('once')
  await before.names()
  await server.close()
  const { clock, names } = await start(before.storage)
  expect(await names()).toEqual(['once'])
  await clock.advance(61 * minuteMs)
  expect(await names()).toEqual([])
})
