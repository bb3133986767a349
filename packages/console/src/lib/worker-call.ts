import { trustedWorker } from './trusted-worker'

/** The part of a worker that a call needs. */
export type CallableWorker = Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>

/** Opens a worker of this build; `undefined` where there are none, such as in tests. @param url from `?worker&url` */
export const workerAt = (url: string): (() => CallableWorker) | undefined =>
  typeof Worker === 'undefined' ? undefined : () => new Worker(trustedWorker(url), { type: 'module' })

interface WorkerCallOptions {
  /** How long the thread may take, once it has started. */
  limitMs: number
  /** Message of the error if it takes longer. */
  tooLong: string
  /** Ends the thread when no caller waits for its result any more. */
  signal?: AbortSignal | undefined
}

/**
 * Runs a function in a thread of its own: some texts and patterns take minutes, and only terminating their thread can
 * interrupt them. The worker posts `undefined` once it is ready, and an answer to the one message that it gets.
 * @throws Error if the thread takes too long or fails, or the reason of the signal
 */
export async function callWorker<Q, A extends object | string>(
  open: () => CallableWorker,
  request: Q,
  { limitMs, tooLong, signal }: WorkerCallOptions,
): Promise<A> {
  signal?.throwIfAborted()
  const worker = open()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<A>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      worker.onmessage = ({ data }: MessageEvent<A | undefined>) => {
        if (data !== undefined) return resolve(data)
        // Fetching the code of the worker may take longer than the work.
        timer = setTimeout(() => reject(new Error(tooLong)), limitMs)
        worker.postMessage(request)
      }
      worker.onerror = () => reject(new Error('A worker of the console failed.'))
    })
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}
