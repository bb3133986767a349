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
      return Response.json({ metadata: { resourceVersion: String(version) }, items: [objectNow()] })
    },
  })
  const informer = createInformer({
    client,
    clock,
    type: configMapType,
    onChange: ({ object }) => void seen.push(object?.metadata.resourceVersion ?? 'gone'),
    warn: (message) => {
      throw new Error(message)
    },
  })
  const tell = (watch: number, type: string, object: object) =>
    watches[watch]?.enqueue(encoder.encode(`${JSON.stringify({ type, object })}\n`))
  return { clock, informer, seen, requests, watches, tell, objectNow, write: () => void version++ }
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
