import { createKubeClient } from '@slipway/kube/client'
import { configMapType } from '@slipway/kube/core-types'
import { manualClock } from '@slipway/kube/testing'
import { aConfigMap } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { createInformer } from './informer'

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

const encoder = new TextEncoder()

/** A cluster of one ConfigMap, whose watches say only what they are told to. */
function start() {
  const clock = manualClock()
  let version = 1
  const requests: string[] = []
  const watches: ReadableStreamDefaultController<Uint8Array>[] = []
  const seen: string[] = []
  let isGone = false
  let isSeen = 0
  const objectNow = () => aConfigMap({ metadata: { resourceVersion: String(version) } })
  const client = createKubeClient({
    baseUrl: 'http://cluster.test',
    fetch: async (input) => {
      const { searchParams } = new URL(String(input))
      if (searchParams.has('watch')) {
        requests.push(`watch from ${searchParams.get('resourceVersion')}`)
        return new Response(new ReadableStream({ start: (controller) => void watches.push(controller) }))
      }
      requests.push('list')
      const items = isGone ? [] : [objectNow()]
      return Response.json({ metadata: { resourceVersion: String(version) }, items })
    },
  })
  const informer = createInformer({
    client,
    clock,
    type: configMapType,
    onChange: ({ object }) => void seen.push(object?.metadata.resourceVersion ?? 'gone'),
    onSeen: () => void isSeen++,
    warn: (message) => {
      throw new Error(message)
    },
  })
  const tell = (watch: number, type: string, object: object) =>
    watches[watch]?.enqueue(encoder.encode(`${JSON.stringify({ type, object })}\n`))
  return {
    clock,
    informer,
    seen,
    requests,
    watches,
    tell,
    objectNow,
    write: () => void version++,
    remove: () => (isGone = true),
    isSeen: () => isSeen,
  }
}

it('goes on at once, from what it has seen, when a server ends a watch that was well', async () => {
  const { clock, informer, seen, requests, watches, tell, objectNow, write } = start()
  await informer.synced
  await turns()
  clock.jump(1_800_000)
  write()
  tell(0, 'MODIFIED', objectNow())
  watches[0]?.close()
  await turns()
  write()
  tell(1, 'MODIFIED', objectNow())
  await turns()
  expect(seen).toEqual(['1', '2', '3'])
  expect(informer.hasSeen('3')).toBe(true)
  expect(requests).toEqual(['list', 'watch from 1', 'watch from 2'])
  informer.close()
})

it('lists at once when the server no longer knows what came after that', async () => {
  const { clock, informer, seen, requests, watches, tell, write } = start()
  await informer.synced
  await turns()
  clock.jump(1_800_000)
  write()
  watches[0]?.close()
  await turns()
  tell(1, 'ERROR', { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 410, reason: 'Expired' })
  await turns()
  expect(seen).toEqual(['1', '2'])
  expect(requests).toEqual(['list', 'watch from 1', 'watch from 1', 'list', 'watch from 2'])
  informer.close()
})

it('leaves a server alone for a while that ends each watch soon', async () => {
  const { informer, watches } = start()
  await informer.synced
  await turns()
  watches[0]?.close()
  await turns()
  expect(watches).toHaveLength(1)
  informer.close()
})

it('leaves a server alone for a while that cuts off a watch that was well', async () => {
  const { clock, informer, requests, watches } = start()
  await informer.synced
  await turns()
  clock.jump(1_800_000)
  watches[0]?.error(new Error('reset'))
  await turns()
  expect(requests).toEqual(['list', 'watch from 1'])
  informer.close()
})

it('reports of a list what has changed since the last one, and what is gone', async () => {
  const { informer, seen, write, remove, isSeen } = start()
  await informer.synced
  informer.refresh()
  await turns()
  expect(seen).toEqual(['1'])
  expect(isSeen()).toBe(2)
  write()
  informer.refresh()
  await turns()
  remove()
  informer.refresh()
  await turns()
  expect(seen).toEqual(['1', '2', 'gone'])
  informer.close()
})

it('has seen the version that a bookmark names', async () => {
  const { informer, seen, tell, isSeen } = start()
  await informer.synced
  await turns()
  tell(0, 'BOOKMARK', { metadata: { resourceVersion: '9' } })
  await turns()
  expect(informer.hasSeen('9')).toBe(true)
  expect(informer.hasSeen('10')).toBe(false)
  expect(isSeen()).toBe(2)
  expect(seen).toEqual(['1'])
  informer.close()
})

it('lists page after page', async () => {
  const queries: string[] = []
  const informer = createInformer({
    client: createKubeClient({
      baseUrl: 'http://cluster.test',
      fetch: async (input) => {
        const { searchParams } = new URL(String(input))
        if (searchParams.has('watch')) return new Response(new ReadableStream())
        queries.push(`${searchParams.get('limit')} ${searchParams.get('continue')}`)
        const next = { null: 'b', b: 'c' }[String(searchParams.get('continue'))]
        const item = aConfigMap({ metadata: { name: `map-${queries.length}`, uid: `${queries.length}` } })
        return Response.json({ metadata: { resourceVersion: '1', continue: next }, items: [item] })
      },
    }),
    clock: manualClock(),
    type: configMapType,
    onChange: () => {},
    warn: () => {},
  })
  await informer.synced
  expect(queries).toEqual(['500 null', '500 b', '500 c'])
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['map-1', 'map-2', 'map-3'])
  informer.close()
})
