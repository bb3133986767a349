import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Dispatcher } from 'undici'
import type { HeaderSet, Outgoing, Service } from './service'

export const bearerHeader = ({ token }: { token: string | undefined }): HeaderSet =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Prepares a call with the own credentials. @throws HttpError 502 without credentials */
export async function ownCall(service: Service, headers: HeaderSet = {}): Promise<Outgoing> {
  const { tls, token } = await service.credentials()
  return { headers: { ...headers, ...bearerHeader({ token }) }, tls }
}

/** Response headers that the client reads. */
const forwardedHeaders = ['content-type', 'retry-after'] as const

/** A `fetch` by paths such as `/version`, with the own credentials. */
export function serviceFetch(service: Service): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal } = init
    const stop = new AbortController()
    if (signal?.aborted) stop.abort(signal.reason)
    signal?.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
    const response = await service.send({
      // A Kubernetes client uses HTTP methods.
      method: method as Dispatcher.HttpMethod,
      path: String(input),
      outgoing: await ownCall(service, Object.fromEntries(new Headers(headers))),
      body: typeof body === 'string' ? body : undefined,
      stop,
    })
    const { statusCode: status } = response
    // undici's body is a Node Readable; the types of its web stream are equivalent.
    const stream =
      status === 204 || status === 304 ? null : (Readable.toWeb(response.body) as ReadableStream<Uint8Array>)
    return new Response(stream as BodyInit | null, {
      status,
      headers: forwardedHeaders.flatMap((name): [string, string][] => {
        const value = response.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    })
  }
}
