/**
 * Responses to requests that the first script of a page sent while the console was still loading (`preload/entry.ts`).
 * A request of the console takes the preloaded response if there is one. Each is used once, and expires soon.
 */

import { basePath } from '../lib/base-path'

interface Preloaded {
  response: Promise<Response>
  abort(reason?: unknown): void
}

declare global {
  /** By method, URL and body; `undefined` if nothing was preloaded. */
  var slipwayPreloaded: Map<string, Preloaded> | undefined
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** A response that the console has not taken by then is outdated: its request is aborted, and it is dropped. */
const expiresAfterMs = 10_000

const keyOf = (url: string, { method = 'GET', body }: RequestInit = {}) =>
  // Only requests with a text as their body are preloaded.
  `${method} ${url} ${typeof body === 'string' ? body : ''}`

/** Sends a request, and keeps its response until the console sends the same request. */
export function preload(
  url: string,
  init: RequestInit = {},
  send: Send = (path, options) => globalThis.fetch(basePath + path, options),
): void {
  const preloaded = (globalThis.slipwayPreloaded ??= new Map())
  if (preloaded.has(keyOf(url, init))) return
  const controller = new AbortController()
  const abort = (reason?: unknown) => controller.abort(reason)
  const key = keyOf(url, init)
  const response = send(url, { ...init, signal: controller.signal })
  // The console may never take it, and a failure is then nothing to report.
  response.catch(() => undefined)
  preloaded.set(key, { response, abort })
  setTimeout(() => {
    if (preloaded.delete(key)) abort()
  }, expiresAfterMs)
}

/** The preloaded response to a request, which is removed; `undefined` if there is none. */
export function takePreloaded(url: string, init: RequestInit = {}): Promise<Response> | undefined {
  const key = keyOf(url, init)
  const found = globalThis.slipwayPreloaded?.get(key)
  if (!found) return undefined
  globalThis.slipwayPreloaded?.delete(key)
  const { signal } = init
  if (signal?.aborted) found.abort(signal.reason)
  else signal?.addEventListener('abort', () => found.abort(signal.reason), { once: true })
  return found.response
}
