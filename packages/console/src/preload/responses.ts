/**
 * Answers that were asked for while the frame of the console was still on its way (`entry.ts`). Whatever the console
 * would have asked first takes what there is instead; each is used once, and soon or not at all.
 */

import { basePath } from '../lib/base-path'

interface Preloaded {
  answer: Promise<Response>
  abort(reason?: unknown): void
}

declare global {
  /** By method, address and body; absent where nothing was asked ahead. */
  var slipwayPreloaded: Map<string, Preloaded> | undefined
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** What nobody has taken by then is of another moment. */
const keptMs = 10_000

const keyOf = (url: string, { method = 'GET', body }: RequestInit = {}) =>
  // Whatever is no text is never asked for ahead.
  `${method} ${url} ${typeof body === 'string' ? body : ''}`

/** Sends a call whose answer is kept for whoever makes the same call. */
export function preload(
  url: string,
  init: RequestInit = {},
  send: Send = (path, call) => globalThis.fetch(basePath + path, call),
): void {
  const early = (globalThis.slipwayPreloaded ??= new Map())
  const controller = new AbortController()
  const abort = (reason?: unknown) => controller.abort(reason)
  const key = keyOf(url, init)
  const answer = send(url, { ...init, signal: controller.signal })
  // Nobody may ever want it.
  answer.catch(() => undefined)
  early.set(key, { answer, abort })
  setTimeout(() => {
    if (early.delete(key)) abort()
  }, keptMs)
}

/** The answer to this very call, for the one who is first to want it. */
export function takePreloaded(url: string, init: RequestInit = {}): Promise<Response> | undefined {
  const key = keyOf(url, init)
  const found = globalThis.slipwayPreloaded?.get(key)
  if (!found) return undefined
  globalThis.slipwayPreloaded?.delete(key)
  const { signal } = init
  if (signal?.aborted) found.abort(signal.reason)
  else signal?.addEventListener('abort', () => found.abort(signal.reason), { once: true })
  return found.answer
}
