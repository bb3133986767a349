import type { IncomingMessage } from 'node:http'
import { errorResponse } from './http-connection'

/** Source: golang.org/x/net, http/httpguts, ValidHostHeader. */
const validHost = /^[\w!$%&'()*+,\-.:;=[\]~]*$/

/** Converts a request for the core, or returns the error response for one that cannot be converted. */
export function requestOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
  without: readonly string[] = [],
): Request | Response {
  const headers = new Headers()
  const { rawHeaders, httpVersion, method = 'GET' } = incoming
  // Node's parser lets other versions through.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return errorResponse(505, 'BadRequest', `HTTP/${httpVersion} is not supported`)
  }
  if (method === 'TRACE') return notAllowed()
  if (!validHost.test(incoming.headers.host ?? '')) return errorResponse(400, 'BadRequest', 'malformed Host header')
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]]
    // Repeated headers are joined with a comma and a space, so a value containing them would become two groups.
    if (name.startsWith('impersonate-') && value.includes(', ')) {
      return errorResponse(400, 'BadRequest', `the value of ${name} must not contain a comma and a space`)
    }
    if (!without.includes(name)) headers.append(name, value)
  }
  const url = urlOf(incoming)
  if (!url) return errorResponse(400, 'BadRequest', 'the request has no valid path')
  const body = method !== 'GET' && method !== 'HEAD' ? bodyOf(incoming) : undefined
  // Node needs `duplex` for a streamed body; the DOM types lack it.
  return new Request(url, { method, headers, body, signal, duplex: 'half' } as RequestInit)
}

/** Streams the body no faster than it is read. An unread body is discarded, so that the connection stays usable. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
      })
      incoming.on('end', () => controller.close())
      incoming.on('error', (error) => controller.error(error))
    },
    pull: () => void incoming.resume(),
    cancel: () => discardBody(incoming),
  })
}

export function discardBody(incoming: IncomingMessage) {
  incoming.removeAllListeners('data').removeAllListeners('end').resume()
}

export function urlOf({ url = '' }: IncomingMessage): URL | undefined {
  if (!url.startsWith('/')) return undefined
  try {
    // A fixed host, because that of the client could contain a path.
    return new URL(`http://localhost${url}`)
  } catch {
    return undefined
  }
}

export const notAllowed = () =>
  errorResponse(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')
