import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpError } from '@slipway/connect/http-error'

/** A response on a connection that Fastify does not handle: an upgrade, or bytes that are not HTTP. */
export interface HttpResponse {
  statusCode: number
  headers: Record<string, string | string[]>
  body: Buffer
}

/** For responses that are data and no page: a browser that opens one must not run, frame or store it. */
export const dataHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

export const toHttpResponse = ({ code, headers, status }: HttpError): HttpResponse => ({
  statusCode: code,
  headers: { ...headers, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(status)),
})

/** Writes the response and closes the connection. */
export function writeHttpResponse(socket: Duplex, { statusCode, headers, body }: HttpResponse): void {
  const all = {
    ...headers,
    ...dataHeaders,
    connection: 'close',
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
  }
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}\r\n`))
  socket.write(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n${lines.join('')}\r\n`)
  socket.end(body, () => socket.destroy())
}
