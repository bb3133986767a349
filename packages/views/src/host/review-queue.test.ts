import { settled } from '@slipway/kube/testing'
import { expect, it } from 'vitest'
import { createReviewQueue } from './review-queue'

/** A queue whose tasks end when a test says so. */
function startQueue(maxRunning: number) {
  const queue = createReviewQueue(maxRunning)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    queue,
    started,
    add(user: string, name: string, isUrgent = true) {
      queue.add(user, isUrgent, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
    },
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

it('no more reviews than the limit run at once', async () => {
  const { queue, started, add, end } = startQueue(2)
  for (const name of ['a', 'b', 'c', 'd']) add('ada', name)
  expect([started, queue.running, queue.waiting]).toEqual([['a', 'b'], 2, 2])
  await end('b')
  expect([started, queue.running, queue.waiting]).toEqual([['a', 'b', 'c'], 2, 1])
})

it('users take turns, however many reviews one of them needs', async () => {
  const { started, add, end } = startQueue(1)
  for (let index = 1; index <= 100; index++) add('ada', `ada ${index}`)
  add('bea', 'bea 1')
  add('cyd', 'cyd 1')
  add('bea', 'bea 2')
  for (const name of ['ada 1', 'ada 2', 'bea 1', 'cyd 1', 'ada 3', 'bea 2']) await end(name)
  expect(started).toEqual(['ada 1', 'ada 2', 'bea 1', 'cyd 1', 'ada 3', 'bea 2', 'ada 4'])
})

it('what no user waits for comes last', async () => {
  const { started, add, end } = startQueue(1)
  add('ada', 'first')
  add('ada', 'routine', false)
  add('bea', 'urgent')
  await end('first')
  await end('urgent')
  expect(started).toEqual(['first', 'urgent', 'routine'])
})
