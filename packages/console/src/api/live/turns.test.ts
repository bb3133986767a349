import { isTimeout } from '@slipway/kube/status'
import { beforeEach, expect, it, vi } from 'vitest'
import { readInTurn } from './turns'

beforeEach(() => void vi.useFakeTimers())

/** Reads that respond when the test says so. */
function scene() {
  const running = new Set<string>()
  const responses = new Map<string, () => void>()
  const ids = new Map<string, object>()
  const leaving = new AbortController()
  const read = (name: string) => {
    const id = ids.get(name) ?? {}
    ids.set(name, id)
    return readInTurn(id, leaving.signal, async (signal) => {
      running.add(name)
      try {
        return await new Promise<string>((resolve, reject) => {
          responses.set(name, () => resolve(name))
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
      } finally {
        running.delete(name)
      }
    })
  }
  const respond = async (name: string) => {
    responses.get(name)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { read, respond, running: () => [...running], leave: () => leaving.abort() }
}

it('three reads run at a time, in order', async () => {
  const { read, respond, running } = scene()
  const reads = ['a', 'b', 'c', 'd', 'e'].map(read)
  await vi.advanceTimersByTimeAsync(0)
  expect(running()).toEqual(['a', 'b', 'c'])
  await respond('b')
  expect(running()).toEqual(['a', 'c', 'd'])
  for (const name of ['a', 'c', 'd', 'e']) await respond(name)
  expect(await Promise.all(reads)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('a read without a response makes way for others, and is repeated for as long as it takes', async () => {
  const { read, respond, running } = scene()
  const first = ['s', 't', 'u'].map((name) => read(name).catch((error: unknown) => error))
  const others = ['a', 'b'].map(read)
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await Promise.all(first)).map(isTimeout)).toEqual([true, true, true])
  expect(running()).toEqual(['a', 'b'])
  const again = ['s', 't', 'u'].map(read)
  await respond('a')
  await respond('b')
  await Promise.all(others)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(running()).toEqual(['s', 't'])
  for (const name of ['s', 't', 'u']) await respond(name)
  expect(await Promise.all(again)).toEqual(['s', 't', 'u'])
})

it('a read that has responded fast again is no longer slow', async () => {
  const { read, respond, running } = scene()
  const [s, t, u] = ['s', 't', 'u'].map((name) => read(name).catch(() => undefined))
  await vi.advanceTimersByTimeAsync(3_000)
  await Promise.all([s, t, u])
  for (const name of ['s', 't', 'u']) {
    const again = read(name)
    await respond(name)
    await again
  }
  const third = ['s', 't', 'u'].map(read)
  await vi.advanceTimersByTimeAsync(0)
  expect(running()).toEqual(['s', 't', 'u'])
  for (const name of ['s', 't', 'u']) await respond(name)
  await Promise.all(third)
})

it('leaving the page ends those that run and those that wait', async () => {
  const { read, running, leave } = scene()
  const reads = ['a', 'b', 'c', 'd'].map((name) => read(name).catch((error: Error) => error.name))
  await vi.advanceTimersByTimeAsync(0)
  leave()
  expect(await Promise.all(reads)).toEqual(['AbortError', 'AbortError', 'AbortError', 'AbortError'])
  expect(running()).toEqual([])
})
