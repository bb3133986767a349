import { HttpError } from '../http-error'
import type { Upstream } from '../upstreams/upstream'
import { readText } from '../upstreams/read-text'
import { listerHeaders } from './headers'
import { isSelected, namespaceListOf, namespacesPath, selectionOf, type NamespaceLister } from './namespaces'

const maxListBytes = 16 * 1024 * 1024

/**
 * Asks a namespace-lister, which knows the user by name alone and gets no token. It takes no selectors: those of the
 * request are applied to its answer.
 */
export const servedNamespaces = (lister: Upstream, selector: string): NamespaceLister => ({
  async list({ identity }, query, requestId) {
    const selection = selectionOf(query, selector)
    const headers = { accept: 'application/json', 'audit-id': requestId, ...listerHeaders(identity) }
    const answer = await lister.send({ method: 'GET', path: namespacesPath, headers })
    const text = await readText(answer.body, maxListBytes).catch((error: unknown) => {
      throw lister.unreachable(error)
    })
    // Its failures are plain text, meant for its operator.
    if (answer.statusCode !== 200) throw new HttpError(502, `${lister.name} failed (${answer.statusCode}).`)
    const list = namespaceListOf(parsed(text), lister.name)
    return { ...list, items: list.items.filter((item) => isSelected(item, selection)) }
  },
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
