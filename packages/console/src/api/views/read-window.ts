import { asRecord } from '@slipway/kube/parse'
import { type ClientView, pendingView } from '@slipway/views/client'
import type { ViewQuery } from '@slipway/views/frame'
import { service } from './service-probe'

/** Reads the window of a view once, by HTTP. @throws ApiError if there is no service for views */
export async function readWindow(query: ViewQuery, signal?: AbortSignal): Promise<ClientView> {
  const search = new URLSearchParams({ query: JSON.stringify(query) })
  // The service sent it, of the same version or one that is compatible.
  return {
    ...pendingView,
    ...(asRecord(await service.request(`/v1/window?${search}`, { signal })) as Partial<ClientView>),
  }
}
