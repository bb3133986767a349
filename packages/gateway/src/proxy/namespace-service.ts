import { HttpError } from '@slipway/connect/http-error'
import { parseJson } from '@slipway/kube/parse'
import type { Upstream } from '../upstreams/upstream'
import { readText } from '../upstreams/read-text'
import { isSelected, parseNamespaceList, namespacesPath, parseSelection, type NamespaceLister } from './namespaces'

const maxListBytes = 16 * 1024 * 1024

/**
 * Fetches the list from a namespace-lister, which gets the user's name but no token. It does not support selectors, so
 * those of the request are applied to its response.
 */
export const createServiceLister = (lister: Upstream, selector: string): NamespaceLister => ({
  async list(sender, query) {
    const selection = parseSelection(query, selector)
    const outgoing = await lister.outgoing(sender, { headers: { accept: 'application/json' } })
    const response = await lister.send({ method: 'GET', path: namespacesPath, outgoing })
    const text = await readText(response.body, maxListBytes).catch((error: unknown) => {
      throw lister.unreachable(error)
    })
    // Its errors are plain text, meant for its operator.
    if (response.statusCode !== 200) throw new HttpError(502, `${lister.name} failed (${response.statusCode}).`)
    const list = parseNamespaceList(parseJson(text), lister.name)
    return { ...list, items: list.items.filter((item) => isSelected(item, selection)) }
  },
})
