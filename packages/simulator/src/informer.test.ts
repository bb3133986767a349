import { createKubeClient } from '@slipway/kube/client'
import { configMapType } from '@slipway/kube/core-types'
import { manualClock } from '@slipway/kube/testing'
import { aConfigMap } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { createInformer } from './informer'

const eventLoopTurns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

const encoder = new TextEncoder()

/** A cluster with one ConfigMap. Its watches only send what the test passes to `send`. */
function start() {
  const clock = manualClock()
  let version = 1
  const requests: string[] = []
  const watches: ReadableStreamDefaultController<Uint8Array>[] = []
  const seen: string[] = []
  let isDeleted = false
  let seenCount = 0
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
      const items = isDeleted ? [] : [objectNow()]
      return Response.json({ metadata: { resourceVersion: String(version) }, items })
    },
  })
  const informer = createInformer({
    client,
    clock,
    type: configMapType,
    onChange: ({ object }) => void seen.push(object?.metadata.resourceVersion ?? 'deleted'),
    onSeen: () => void seenCount++,
    warn: (message) => {
      throw new Error(message)
    },
  })
  const send = (watch: number, type: string, object: object) =>
    watches[watch]?.enqueue(encoder.encode(`${JSON.stringify({ type, object })}\n`))
  return {
    clock,
    informer,
    seen,
    requests,
    watches,
    send,
    objectNow,
    write: () => void version++,
    remove: () => (isDeleted = true),
    seenCount: () => seenCount,
  }
}

it('resumes at once from the last version seen when the server ends a stable watch', async () => {
  const { clock, informer, seen, requests, watches, send, objectNow, write } = start()
  await informer.synced
  await eventLoopTurns()
  clock.jump(1_800_000)
  write()
  send(0, 'MODIFIED', objectNow())
  watches[0]?.close()
  await eventLoopTurns()
  write()
  send(1, 'MODIFIED', objectNow())
  await eventLoopTurns()
  expect(seen).toEqual(['1', '2', '3'])
  expect(informer.hasSeen('3')).toBe(true)
  expect(requests).toEqual(['list', 'watch from 1', 'watch from 2'])
  informer.close()
})

it('lists at once when the server no longer has the events since the last version seen', async () => {
  const { clock, informer, seen, requests, watches, send, write } = start()
  await informer.synced
  await eventLoopTurns()
  clock.jump(1_800_000)
  write()
  watches[0]?.close()
  await eventLoopTurns()
  send(1, 'ERROR', { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 410, reason: 'Expired' })
  await eventLoopTurns()
  expect(seen).toEqual(['1', '2'])
  expect(requests).toEqual(['list', 'watch from 1', 'watch from 1', 'list', 'watch from 2'])
  informer.close()
})

it('waits before reconnecting to a server that ends a watch soon after it opens', async () => {
  const { informer, watches } = start()
  await informer.synced
  await eventLoopTurns()
  watches[0]?.close()
  await eventLoopTurns()
  expect(watches).toHaveLength(1)
  informer.close()
})

it('waits before reconnecting when a stable watch fails', async () => {
  const { clock, informer, requests, watches } = start()
  await informer.synced
  await eventLoopTurns()
  clock.jump(1_800_000)
  watches[0]?.error(new Error('reset'))
  await eventLoopTurns()
  expect(requests).toEqual(['list', 'watch from 1'])
  informer.close()
})

it('reports objects that were changed or deleted between two lists', async () => {
  const { informer, seen, write, remove, seenCount } = start()
  await informer.synced
  informer.refresh()
  await eventLoopTurns()
  expect(seen).toEqual(['1'])
  expect(seenCount()).toBe(2)
  write()
  informer.refresh()
  await eventLoopTurns()
  remove()
  informer.refresh()
  await eventLoopTurns()
  expect(seen).toEqual(['1', '2', 'deleted'])
  informer.close()
})

it('hasSeen includes the version of a bookmark', async () => {
  const { informer, seen, send, seenCount } = start()
  await informer.synced
  await eventLoopTurns()
  send(0, 'BOOKMARK', { metadata: { resourceVersion: '9' } })
  await eventLoopTurns()
  expect(informer.hasSeen('9')).toBe(true)
  expect(informer.hasSeen('10')).toBe(false)
  expect(seenCount()).toBe(2)
  expect(seen).toEqual(['1'])
  informer.close()
})

it('lists all pages', async () => {
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
