import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { prefetchAccess, requireAccess } from '../../api/access/access'
import type { AccessCheck } from '../../api/access/access-review'
import { queryClient } from '../../api/query-client'

/** What a page requests when it is opened. The build preloads the same for the page's path (`preload/plan.ts`). */
export interface Needs {
  /** Permissions without which the page is replaced by the 403 page. */
  require?: readonly AccessCheck[]
  /** Permissions without which some of its controls are disabled. The page is rendered once they are known. */
  check?: readonly AccessCheck[]
  /** Queries that the page renders while they are loading, after a failure too. */
  read?: readonly AnyQuery[]
  /** Queries that the page is rendered after. It reports their failure itself. */
  waitFor?: readonly AnyQuery[]
  /** Imports components that the page renders once it has data. They report their failure themselves. */
  parts?: readonly (() => Promise<unknown>)[]
}

/** A query whose data is used by the page's components only. */
interface AnyQuery {
  queryKey: QueryKey
}

/** Requests what a page needs. @throws ApiError with code 403 if a required permission is missing */
export async function loadNeeds({
  require = [],
  check = [],
  read = [],
  waitFor = [],
  parts = [],
}: Needs): Promise<null> {
  // Sent before access is known, since most users who open a page have access to it.
  for (const query of read) void prefetch(query)
  for (const load of parts) load().catch(() => undefined)
  await Promise.all([requireAccess(require), prefetchAccess(check), ...waitFor.map(prefetch)])
  return null
}

/** The cast is safe because a query function only ever gets the key of its own query. */
const prefetch = (query: AnyQuery) => queryClient.prefetchQuery(query as FetchQueryOptions)
