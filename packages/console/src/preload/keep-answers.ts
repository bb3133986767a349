import { preload } from '../api/preloaded-responses'
import { windowPath } from '../api/views/given-window'
import { type Answer, answersId } from './answers'

/** Keeps the responses that came with a page which was rendered on a server, for when the console asks for them. */
export function keepAnswers(): void {
  const text = document.getElementById(answersId)?.textContent
  if (!text) return
  // The gateway sent it with this script.
  for (const { method, path, body, status, headers, text: content } of JSON.parse(text) as Answer[]) {
    if (path.startsWith(windowPath)) {
      const query = new URLSearchParams(path.slice(path.indexOf('?'))).get('query') ?? ''
      ;(globalThis.slipwayWindows ??= new Map()).set(query, content)
    } else
      preload(
        path,
        { method, ...(body !== undefined && { body }) },
        async () => new Response(content, { status, headers }),
      )
  }
  setTimeout(() => (globalThis.slipwayWindows = undefined), expiresAfterMs)
}

/** A console that has not asked for a window by then shows other rows. */
const expiresAfterMs = 10_000
