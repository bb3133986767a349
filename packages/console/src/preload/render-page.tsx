import { isRecord } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import type { Query } from '@tanstack/react-query'
import { createStaticHandler, type RouteObject } from 'react-router'
import { viewedRole } from '../api/access/viewed-role'
import { batchPath } from '../api/access/access-review-batch'
import { client, configureApi } from '../api/client'
import { queryClient } from '../api/query-client'
import { startDiscovery } from '../api/served-types'
import { routes } from '../routes'
import { markupRenderer } from './static-markup'

interface PageOptions {
  /** With its query, as the router spells it. */
  url: string
  /** As the user of the page. */
  fetch: typeof fetch
  /** The page shows what is known by then. */
  late: Promise<void>
}

/**
 * Renders the content of a page for its user, in Node, with the routes, loaders and components of the console: in a
 * realm of its own, since the console has one user. `undefined` if it leads elsewhere, is forbidden, or cannot be rendered
 * in Node: what that means is said by the page itself.
 */
export async function renderPage(
  { url, fetch, late }: PageOptions,
  all: RouteObject[] = routes,
): Promise<string | undefined> {
  configureApi({
    baseUrl: '',
    // Without batches each review gets a response of its own, as the first script of the page takes them.
    fetch: async (input, init) => (input === batchPath ? new Response(null, { status: 404 }) : fetch(input, init)),
  })
  startDiscovery(client.request)
  // Noted as read: the content is not for a browser that shows the console as another role.
  viewedRole.get()
  const { query, dataRoutes } = createStaticHandler(all)
  const context = await query(new Request(new URL(url, 'http://console')))
  if (context instanceof Response || context.errors) return undefined
  const render = markupRenderer(dataRoutes, context)
  let isLate = false
  const whenLate = late.then(() => (isLate = true))
  let html = render()
  // Each rendering may ask for more.
  for (let attempt = 0; attempt < mostAttempts && !isLate; attempt++) {
    const missing = missingQueries()
    // Components that are loaded on demand, which are modules of the same file, come with the second rendering.
    if (attempt > 0 && missing.length === 0) break
    await Promise.race([whenLate, readAll(missing)])
    await new Promise((resolve) => setTimeout(resolve))
    const next = render()
    if (next === html) break
    html = next
  }
  return queryClient.getQueryCache().getAll().some(hasFailed) ? undefined : html
}

const mostAttempts = 10

/** What components asked for in the last rendering, and what loaders did not wait for. */
const missingQueries = (): Query[] => queryClient.getQueryCache().getAll().filter(isMissing)

const readAll = (queries: readonly Query[]) => Promise.all(queries.map((query) => query.fetch().catch(() => undefined)))

function isMissing(query: Query): boolean {
  // Options of an observer, whose type the cache does not know.
  const enabled: unknown = isRecord(query.options) ? query.options.enabled : undefined
  return query.state.status === 'pending' && enabled !== false && !(typeof enabled === 'function' && !enabled(query))
}

/** What the cluster says is shown as in a browser; anything else says that the page cannot be rendered in Node. */
const hasFailed = ({ state: { error } }: Query): boolean => error !== null && !(error instanceof ApiError)
