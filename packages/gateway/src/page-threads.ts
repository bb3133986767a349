import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '@slipway/kube/clock'

/** A request that a page makes while it is rendered. */
export interface PageCall {
  id: number
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface PageResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** What a thread posts: that it can render, a request of its page, or its page, which is empty if there is nothing to show. */
type Posted = 'ready' | { call: PageCall } | { html: string }

/** What a thread is posted: the page to render, once, and responses. */
export interface PageOrder {
  /** With its query. */
  url: string
  /** Allows the inline script and styles of the page. */
  nonce: string
  /** How long to wait for data. */
  dataMs: number
}

/**
 * Threads that render pages with a script of the console. Each renders one page of one user and ends: nothing of it can
 * be left for another user.
 */
export interface PageThreads {
  /** Takes a thread, to be used at once; `undefined` if none is ready. */
  take(): RenderInThread | undefined
  close(): Promise<void>
}

/**
 * Renders a page; `undefined` if that failed, or was stopped.
 * @param answer sends a request of the page
 */
export type RenderInThread = (
  order: PageOrder,
  answer: (call: PageCall) => Promise<PageResponse>,
  stop: AbortSignal,
) => Promise<string | undefined>

/** Most threads that wait for a page or render one: pages beyond it are sent without their data. */
const mostThreads = 2
/** The page that a thread has rendered is loading, and needs the processor more. */
const refillMs = 500
/** After threads that did not start. */
const retryMs = 60_000
const resourceLimits = { maxOldGenerationSizeMb: 256 }

export function createPageThreads(script: URL, clock: Clock, log: FastifyBaseLogger): PageThreads {
  const all = new Set<Worker>()
  const ready: Worker[] = []
  const timers = new Set<() => void>()

  function startLater(delayMs: number): void {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel)
      start()
    })
    timers.add(cancel)
  }

  function start(): void {
    const thread = new Worker(script, { env: {}, execArgv: [], resourceLimits })
    // A gateway that is closing does not wait for it.
    thread.unref()
    all.add(thread)
    let hasStarted = false
    thread.once('message', () => {
      hasStarted = true
      ready.push(thread)
    })
    thread.on('error', (error) => log.warn({ err: error }, 'a thread that renders pages failed'))
    thread.once('exit', () => {
      all.delete(thread)
      const index = ready.indexOf(thread)
      if (index >= 0) ready.splice(index, 1)
      if (!isClosed) startLater(hasStarted ? refillMs : retryMs)
    })
  }

  let isClosed = false
  for (let count = 0; count < mostThreads; count++) start()

  const renderIn =
    (thread: Worker): RenderInThread =>
    async (order, answer, stop) => {
      try {
        return await new Promise<string | undefined>((resolve) => {
          const end = () => resolve(undefined)
          stop.addEventListener('abort', end)
          thread.once('exit', end)
          thread.on('message', (posted: Posted) => {
            if (posted === 'ready') return
            if ('html' in posted) return resolve(posted.html || undefined)
            const { id } = posted.call
            answer(posted.call).then((response) => thread.postMessage({ id, ...response }), end)
          })
          thread.postMessage(order)
        })
      } finally {
        await thread.terminate()
      }
    }

  return {
    take() {
      const thread = ready.shift()
      return thread && renderIn(thread)
    },
    async close() {
      isClosed = true
      for (const cancel of timers) cancel()
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}
