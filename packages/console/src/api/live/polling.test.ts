import { systemClock } from '@slipway/kube/clock'
import { ApiError } from '@slipway/kube/status'
import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createQueryClient } from '../query-client'
import { startIdle } from './idle'
import { startPolling } from './polling'

beforeEach(() => void vi.useFakeTimers())

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function scene(names: string[]) {
  const queryClient = createQueryClient()
  const reads: string[] = []
  const denied = new Set<string>()
  onTestFinished(startIdle(() => undefined))
  const polling = startPolling(queryClient, systemClock)
  onTestFinished(polling.stop)
  const stops = names.map((name) =>
    new QueryObserver(queryClient, {
      queryKey: [name],
      queryFn: () => {
        reads.push(name)
        if (denied.has(name)) throw new ApiError({ code: 403, url: '', reason: 'Forbidden', message: 'no' })
        return name
      },
      retry: false,
      meta: { isPolled: name !== 'static' },
    }).subscribe(() => undefined),
  )
  onTestFinished(() => stops.forEach((stop) => stop()))
  await advance(0)
  expect(reads).toEqual(names)
  reads.length = 0
  return { reads, denied, polling, stops }
}

it('reads each polled list on screen about every half minute, and no other', async () => {
  const { reads, stops } = await scene(['a', 'b', 'static'])
  await advance(25_000)
  expect(reads).toEqual([])
  await advance(60_000)
  expect(reads.toSorted()).toEqual(['a', 'a', 'b', 'b'])
  stops[0]?.()
  reads.length = 0
  await advance(60_000)
  expect(reads).toEqual(['b', 'b'])
})

it('reads a list that may not be read no more until the user asks for it', async () => {
  const { reads, denied } = await scene(['a', 'b'])
  denied.add('a')
  await advance(120_000)
  expect(reads.filter((name) => name === 'a')).toHaveLength(1)
  expect(reads.filter((name) => name === 'b').length).toBeGreaterThan(2)
})

it('reads nothing in a hidden tab, and what is old when the user comes back', async () => {
  const { reads, polling } = await scene(['a'])
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await advance(600_000)
  polling.wake()
  expect(reads).toEqual([])
  vi.restoreAllMocks()
  globalThis.dispatchEvent(new Event('pointerdown'))
  polling.wake()
  await advance(0)
  expect(reads).toEqual(['a'])
})

it('reads one list every minute and a half in an idle tab', async () => {
  const { reads } = await scene(['a', 'b', 'c'])
  await advance(300_000)
  reads.length = 0
  await advance(360_000)
  expect(reads).toHaveLength(4)
  expect(new Set(reads)).toEqual(new Set(['a', 'b', 'c']))
})
