import type { Clock } from '@slipway/kube/clock'
import { isRejection } from '@slipway/kube/status'

export interface WorkQueue {
  /** Does nothing if work with this key is already waiting. */
  add(key: string, work: () => Promise<void>): void
  /** Settles once the work that is running has ended; `undefined` if none is. Work waiting for a retry does not count. */
  readonly busy: Promise<unknown> | undefined
  close(): Promise<void>
}

interface WorkQueueOptions {
  clock: Clock
  concurrency: number
  warn(message: string): void
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

/** Runs work with limited concurrency. Work that fails for external reasons is retried with increasing delays. */
export function createWorkQueue({ clock, concurrency, warn }: WorkQueueOptions): WorkQueue {
  const waiting = new Map<string, { work: () => Promise<void>; failures: number }>()
  const running = new Map<string, Promise<void>>()
  const retries = new Map<string, () => void>()
  let isClosed = false

  function next() {
    for (const [key, { work, failures }] of waiting) {
      if (running.size >= concurrency || isClosed) return
      // Work with the same key never runs concurrently.
      if (running.has(key)) continue
      waiting.delete(key)
      running.set(key, run(key, work, failures))
    }
  }

  async function run(key: string, work: () => Promise<void>, failures: number) {
    try {
      await work()
    } catch (error) {
      if (!isClosed) failed(key, work, failures, error)
    } finally {
      running.delete(key)
      next()
    }
  }

  function failed(key: string, work: () => Promise<void>, failures: number, error: unknown) {
    const message = error instanceof Error ? error.message : String(error)
    // A conflict means that another client was faster, so it is temporary.
    if (isRejection(error) && error.code !== 409) return warn(`${key}: ${message}`)
    if (failures > 2) warn(`${key}: ${message}`)
    const delayMs = Math.min(firstRetryMs * 2 ** failures, lastRetryMs)
    retries.get(key)?.()
    const cancel = clock.after(delayMs, () => {
      retries.delete(key)
      waiting.set(key, { work, failures: failures + 1 })
      next()
    })
    retries.set(key, cancel)
  }

  return {
    add(key, work) {
      if (isClosed || waiting.has(key) || retries.has(key)) return
      waiting.set(key, { work, failures: 0 })
      next()
    },
    get busy() {
      return running.size > 0 ? Promise.all(running.values()) : undefined
    },
    async close() {
      isClosed = true
      waiting.clear()
      for (const cancel of retries.values()) cancel()
      await Promise.all(running.values())
    },
  }
}
