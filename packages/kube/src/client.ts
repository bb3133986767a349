import { createReads, type Reads } from './client/reads'
import { createTransport, type KubeClientOptions, type Requests } from './client/requests'
import { createWrites, type Writes } from './client/writes'

export { listOf, type ListOptions } from './client/reads'
export { isSessionEnd } from './client/requests'
export type { DeleteOptions, JsonPatchOperation } from './client/writes'

/** Calls to a Kubernetes API. Every method rejects with `ApiError`, or with the reason of the caller's own signal. */
export interface KubeClient extends Requests, Reads, Writes {}

export function createKubeClient(options: KubeClientOptions): KubeClient {
  const transport = createTransport(options)
  const { request, text, stream, resendSilentReads } = transport
  return { request, text, stream, resendSilentReads, ...createReads(transport), ...createWrites(transport) }
}
