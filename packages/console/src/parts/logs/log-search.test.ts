import { createLogLines } from '@slipway/model/logs/log-lines'
import { noHits, type LogQuery } from '@slipway/model/logs/log-search'
import { expect, it, vi } from 'vitest'
import { createLogSearch, scanHere } from './log-search'
import { scanInWorker } from './log-scan'
import type { ScanRequest } from './scan-worker'

const error: LogQuery = { text: 'error', isRegex: false, isCaseSensitive: false }

function stepOf(...texts: string[]) {
  const lines = createLogLines()
  lines.reset(false)
  lines.append(texts)
  return { container: 'step-build', lines }
}

it('counts matches in existing lines and in new ones', async () => {
  const step = stepOf('error one', 'fine', 'Error two, error three')
  const search = createLogSearch(error, scanHere)
  search.look([step])
  await vi.waitFor(() => expect(search.isRunning).toBe(false))
  expect([search.total, search.hitsIn('step-build').lines]).toEqual([3, [0, 2, 2]])
  step.lines.append(['error four'])
  search.look([step])
  await vi.waitFor(() => expect(search.total).toBe(4))
  // The log from an archive replaces the one from the cluster.
  step.lines.reset(false)
  step.lines.append(['fine', 'error'])
  search.look([step])
  await vi.waitFor(() => expect(search.hitsIn('step-build').lines).toEqual([1]))
  expect(search.total).toBe(1)
})

it('keeps the page responsive while it searches many lines', async () => {
  const step = stepOf()
  step.lines.append(Array.from({ length: 500_000 }, (_, index) => `worker processed record ${index}`))
  const search = createLogSearch({ ...error, text: 'record 49999' }, scanHere)
  const told = vi.fn()
  search.subscribe(told)
  search.look([step])
  await vi.waitFor(() => expect(search.isRunning).toBe(false), 20_000)
  expect(search.total).toBe(11)
  expect(told.mock.calls.length).toBeGreaterThan(1)
})

/** Responds as the worker does, or never. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  isEnded = false
  readonly isStuck: boolean
  constructor(isStuck: boolean) {
    this.isStuck = isStuck
  }
  postMessage({ text, source, flags }: ScanRequest) {
    if (!this.isStuck) {
      void Promise.resolve(scanHere(text.split('\n'), new RegExp(source, flags))).then((data) =>
        this.onmessage?.({ data }),
      )
    }
  }
  terminate() {
    this.isEnded = true
  }
}

it('stops a pattern that takes forever, and says so', async () => {
  const worker = new FakeWorker(true)
  // Only the members of a worker that are used.
  const search = createLogSearch(
    { ...error, text: '(a+)+$', isRegex: true },
    scanInWorker(() => worker as unknown as Worker, 20),
  )
  search.look([stepOf(`${'a'.repeat(40)}b`)])
  await vi.waitFor(() => expect(search.error).toBe('This regular expression takes too long'))
  expect(worker.isEnded).toBe(true)
})

it('finds the same matches with and without the worker', async () => {
  const worker = new FakeWorker(false)
  const scan = scanInWorker(() => worker as unknown as Worker, 1_000)
  expect(await scan(['an error', '', 'err'], /err(or)?/g)).toEqual({ lines: [0, 2], starts: [3, 0], ends: [8, 3] })
  expect(await scan(['fine'], /err/g)).toEqual(noHits())
})
