import { ApiError } from '@slipway/kube/status'
import { createStaticHandler, type RouteObject } from 'react-router'
import { batchPath, isReview } from '../api/access/access-review-batch'
import { client, configureApi } from '../api/client'
import { queryClient } from '../api/query-client'
import { startDiscovery } from '../api/served-types'
import { paths, pattern } from '../paths'
import { routes } from '../routes'
import { pagePathsOf, patternOf, pathWithPlaceholders } from './page-patterns'

/** A GET of a path or, with a body, a POST. */
export type PreloadedRequest = readonly [path: string, body?: string]

/** The requests that each page starts with, recorded from the loaders of its routes while the console is built. */
export interface PreloadPlan {
  /** Parameters of the page's path are written as `__name__`. */
  requests: readonly PreloadedRequest[]
  /** The pattern of a path as a regular expression, and indexes of its requests. The first pattern that matches counts. */
  pages: readonly (readonly [pattern: string, requests: readonly number[]])[]
}

/** The plan, and the modules that each page imports on demand. */
export interface RecordedPlan extends PreloadPlan {
  /** In the order of the pages, and empty where the build does not note them. */
  modules: readonly (readonly string[])[]
}

declare global {
  /** The build adds each module that is imported on demand. */
  var slipwayImported: Set<string> | undefined
}

/** Runs the loader of every page, so only the build and tests call it. @throws Error of a loader that cannot run here */
export async function createPreloadPlan(all: RouteObject[] = routes): Promise<RecordedPlan> {
  const requests: string[] = []
  const pages: [string, number[]][] = []
  const modules: string[][] = []
  for (const path of pagePathsOf(all)) {
    // A browser discovers the screens of a namespace on demand, this build does not.
    const imported = new Set(path.startsWith(`${pattern(paths.namespace)}/`) ? ['routes'] : [])
    globalThis.slipwayImported = imported
    const sent = await recordRequests(all, pathWithPlaceholders(path))
    const unique = [...new Set(sent.map((request) => JSON.stringify(request)))]
    for (const request of unique) if (!requests.includes(request)) requests.push(request)
    pages.push([patternOf(path), unique.map((request) => requests.indexOf(request))])
    modules.push([...imported])
  }
  globalThis.slipwayImported = undefined
  queryClient.clear()
  // Each is the JSON of a request.
  return { requests: requests.map((request) => JSON.parse(request) as PreloadedRequest), pages, modules }
}

/** Records what the loaders of a path request while every access review is allowed and every other request fails. */
async function recordRequests(all: RouteObject[], path: string): Promise<PreloadedRequest[]> {
  const sent: PreloadedRequest[] = []
  queryClient.clear()
  configureApi({
    baseUrl: '',
    fetch: async (input, init) => {
      const url = String(input)
      // A gateway without batches gets each review by itself, which is how a page takes their responses.
      if (url === batchPath) return new Response(null, { status: 404 })
      sent.push(typeof init?.body === 'string' ? [url, init.body] : [url])
      // Nothing retries after a 400 or replaces it by another request.
      return isReview(url, init)
        ? Response.json({ status: { allowed: true, resourceRules: [] } })
        : new Response(null, { status: 400 })
    },
  })
  const stopDiscovery = startDiscovery(client.request)
  const { query } = createStaticHandler(all)
  const result = await query(new Request(new URL(path, 'http://console')), { skipLoaderErrorBubbling: true })
  // Queries that no loader awaits.
  while (queryClient.isFetching() > 0) await new Promise((resolve) => setTimeout(resolve))
  stopDiscovery()
  if (result instanceof Response) {
    const target = result.headers.get('location')
    return target ? [...sent, ...(await recordRequests(all, target))] : sent
  }
  for (const error of Object.values(result.errors ?? {})) if (!(error instanceof ApiError)) throw error
  return sent
}
