import { createLimiter } from './limit-concurrency'
import { markdownToHtml } from './markdown-html'
import type { MarkdownRequest, MarkdownResponse } from './markdown-worker'
import workerUrl from './markdown-worker?worker&url'
import { trustedWorker } from './trusted-worker'

/** Some texts take minutes, and only terminating their thread can interrupt them. */
const patienceMs = 1_000

const openWorker = (): Worker => new Worker(trustedWorker(workerUrl), { type: 'module' })
/** Texts are parsed one after the other: a page may have many. */
const inTurn = createLimiter(1)

/**
 * Converts Markdown to HTML in a thread of its own.
 * @param limitMs how long the thread may take, once it has started
 * @throws Error if the thread takes longer or fails
 */
export async function htmlFromWorker(
  text: string,
  isInline = false,
  open: (() => Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>) | undefined = typeof Worker ===
  'undefined'
    ? undefined
    : openWorker,
  limitMs = patienceMs,
): Promise<string> {
  if (!open) return markdownToHtml(text, isInline)
  return inTurn(async () => {
    const worker = open()
    let tooLong: ReturnType<typeof setTimeout> | undefined
    try {
      return await new Promise<string>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<MarkdownResponse>) => {
          if (data !== undefined) return resolve(data)
          // Fetching the code of the worker may take longer than the text.
          tooLong = setTimeout(() => reject(new Error('This text takes too long to render.')), limitMs)
          worker.postMessage({ text, isInline } satisfies MarkdownRequest)
        }
        worker.onerror = () => reject(new Error('The worker for Markdown failed.'))
      })
    } finally {
      clearTimeout(tooLong)
      worker.terminate()
    }
  })
}
