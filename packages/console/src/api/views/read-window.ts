import { asRecord } from '@slipway/kube/parse'
import { type ClientView, pendingView } from '@slipway/views/client'
import type { ViewQuery } from '@slipway/views/frame'
import { lens } from '../client'
import { takePreloaded } from '../preloaded-responses'
import { givenWindow, windowPath } from './given-window'
import { service } from './service-probe'

const searchOf = (query: ViewQuery) => new URLSearchParams({ query: JSON.stringify(query) }).toString()

/** Reads the window of a view once, by HTTP. @throws ApiError if there is no service for views */
export async function readWindow(query: ViewQuery, signal?: AbortSignal): Promise<ClientView> {
  // The service sent it, of the same version or one that is compatible.
  return {
    ...pendingView,
    ...(asRecord(await service.request(`/v1/window?${searchOf(query)}`, { signal })) as Partial<ClientView>),
  }
}

/** A service that does not respond by then must not hold up the page: its view says what happens. */
const patienceMs = 2_000

/**
 * The window that came with the document, or that its first script has requested; `undefined` if there is none, or if it
 * does not come soon.
 */
export async function firstWindow(query: ViewQuery, signal?: AbortSignal): Promise<ClientView | undefined> {
  if (lens?.deniesView(query.kind, query.namespaces)) return undefined
  const given = givenWindow(query)
  if (given) return given
  return Promise.race([
    preloadedWindow(query, signal),
    new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs)),
  ])
}

async function preloadedWindow(query: ViewQuery, signal?: AbortSignal): Promise<ClientView | undefined> {
  const response = await takePreloaded(windowPath + searchOf(query), { signal: signal ?? null })?.catch(() => undefined)
  // The service sent it.
  return response?.ok ? { ...pendingView, ...((await response.json()) as Partial<ClientView>) } : undefined
}
