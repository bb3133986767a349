import { executionAsyncId } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { runAt } from './run-at'

const base = { now: () => 1_000, after: () => () => {} }
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Whether Node tracks promises, which slows down every one of them. */
async function tracksPromises(): Promise<boolean> {
  await nextTurn()
  await Promise.resolve()
  return executionAsyncId() !== 0
}

it('work runs at its time, and concurrent work at its own', async () => {
  const clock = runAt(base)
  const timeAfterTurns = (atMs: number, turns: number) =>
    clock.inTime(atMs, async () => {
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      return clock.now()
    })
  expect(await Promise.all([timeAfterTurns(5, 3), timeAfterTurns(6, 1), Promise.resolve(clock.now())])).toEqual([
    5, 6, 1_000,
  ])
  expect(clock.now()).toBe(1_000)
})

it('promises are not tracked any longer once no work runs at another time', async () => {
  const before = await tracksPromises()
  const clock = runAt(base)
  await clock.inTime(5, nextTurn)
  expect(await tracksPromises()).toBe(before)
  await expect(clock.inTime(5, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await tracksPromises()).toBe(before)
})
