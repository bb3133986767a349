import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderSet } from '@slipway/connect/service'
import { badRequest } from '../http-error'

/** The upstream's headers that reach the browser: none that set cookies, allow origins or name a server. */
const forwardedToBrowser = [
  'audit-id',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
  'warning',
]

/** Headers that must not be repeated: one program would read the first, another the second. */
const singleValued = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'if-none-match',
  'impersonate-uid',
  'impersonate-user',
  'origin',
  'referer',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-websocket-key',
  'sec-websocket-version',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-requested-with',
])

/**
 * Checks the headers as received, before Node joins or drops any.
 * @throws HttpError 400 for a name with an underscore, which some programs read as a dash, and for a repeated header
 */
export function checkHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (name.includes('_')) throw badRequest('Header names must not contain underscores.')
    if (singleValued.has(name) && seen.has(name)) throw badRequest(`The header ${name} must not be repeated.`)
    seen.add(name)
  }
}

/** Data, and text that browsers do not render as a page. */
const harmlessTypes =
  /^(?:text\/plain|application\/(?:octet-stream|(?:\S+[+.])?(?:json|yaml|protobuf|cbor(?:-seq)?)))\s*(?:;|$)/i

export function headersForBrowser(headers: IncomingHttpHeaders): HeaderSet {
  const forwarded: HeaderSet = {}
  for (const name of forwardedToBrowser) {
    const value = headers[name]
    if (value !== undefined) forwarded[name] = value
  }
  // A build controls the content of its log, and servers guess types from content: never a page, an image or a script.
  const type = headers['content-type']
  if (type !== undefined && !harmlessTypes.test(type)) forwarded['content-type'] = 'text/plain; charset=utf-8'
  return forwarded
}
