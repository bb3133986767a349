import type { ClientView } from '@slipway/views/client'
import type { ViewQuery } from '@slipway/views/frame'

declare global {
  /** By query, both as JSON: windows that came with the document of a page (`preload/keep-answers.ts`). */
  var slipwayWindows: Map<string, string> | undefined
}

/** Where the service for views responds with one window of a query. */
export const windowPath = '/api/k8s/plugins/views/v1/window?'

/** The window of a query that came with the document, soon after it; `undefined` if there is none. */
export function givenWindow(query: ViewQuery): ClientView | undefined {
  const text = globalThis.slipwayWindows?.get(JSON.stringify(query))
  // The service for views sent it.
  return text === undefined ? undefined : (JSON.parse(text) as ClientView)
}
