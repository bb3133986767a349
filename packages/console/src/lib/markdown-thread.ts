import { createLimiter } from './limit-concurrency'
import { markdownToHtml } from './markdown-html'
import type { MarkdownRequest } from './markdown-worker'
import workerUrl from './markdown-worker?worker&url'
import { callWorker, workerAt } from './worker-call'

const patienceMs = 1_000

/** Texts are parsed one after the other: a page may have many. */
const inTurn = createLimiter(1)

/**
 * Converts Markdown to HTML in a thread of its own.
 * @throws Error if the thread takes longer than the limit or fails
 */
export async function htmlFromWorker(
  text: string,
  isInline = false,
  open = workerAt(workerUrl),
  limitMs = patienceMs,
): Promise<string> {
  if (!open) return markdownToHtml(text, isInline)
  const request: MarkdownRequest = { text, isInline }
  return inTurn(() => callWorker(open, request, { limitMs, tooLong: 'This text takes too long to render.' }))
}
