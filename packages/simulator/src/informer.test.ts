import { createKubeClient } from '@slipway/kube/client'
import { configMapType } from '@slipway/kube/core-types'
import { manualClock } from '@slipway/kube/testing'
import { aConfigMap } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { createInformer } from './informer'

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/** A cluster of one ConfigMap, whose watches say nothing until they are ended. */
function start() {
  const clock = manualClock()
  let version = 1
  const watches: ReadableStreamDefaultController[] = []
  const seen: string[] = []
  const client = createKubeClient({
    baseUrl: 'http://cluster.test',
    fetch: async (input) => {
      if (new URL(String(input)).searchParams.has('watch')) {
        return new Response(new ReadableStream({ start: (controller) => void watches.push(controller) }))
      }
      const resourceVersion = String(version)
      const object = aConfigMap({ metadata: { resourceVersion } })
      return Response.json({ metadata: { resourceVersion }, items: [object] })
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
  return { clock, informer, seen, watches, write: () => void version++ }
}

it('goes on at once when a server ends a watch that was well', async () => {
  const { clock, informer, seen, watches, write } = start()
  await informer.synced
  await turns()
  clock.jump(1_800_000)
  write()
  watches[0]?.close()
  await turns()
  expect(seen).toEqual(['1', '2'])
  expect(informer.hasSeen('2')).toBe(true)
  expect(watches).toHaveLength(2)
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
