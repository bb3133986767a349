import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, HttpError } from '../http-error'
import { identityError, upstreamGroups, type Identity } from '../session/identity'

/**
 * The request headers that reach the upstream. This is an allow list: headers that could name a user, a client or a route
 * (Authorization, Cookie, Impersonate-*, X-Remote-*, X-Forwarded-*, ...) need not be dropped, since they are never taken.
 */
const forwardedToUpstream = [
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  'if-none-match',
  'user-agent',
]

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

export type HeaderSet = Record<string, string | string[]>

export function headersForUpstream(headers: IncomingHttpHeaders): HeaderSet {
  const hopByHop = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const forwarded: HeaderSet = {}
  for (const name of forwardedToUpstream) {
    const value = headers[name]
    if (value !== undefined && !hopByHop.has(name)) forwarded[name] = value
  }
  return forwarded
}

/** @throws HttpError 401 for an identity that must not reach an upstream, such as one without a name */
export function checkIdentity(identity: Identity): void {
  if (identityError(identity)) throw new HttpError(401, 'The session has no valid user name for calls to the cluster.')
}

/** The headers that make a Kubernetes API treat the call as the user's. @throws HttpError 401 without a valid user */
export function impersonationHeaders(identity: Identity): HeaderSet {
  checkIdentity(identity)
  return { 'impersonate-user': wire(identity.user), 'impersonate-group': upstreamGroups(identity).map(wire) }
}

/** The same for a namespace lister, which trusts every caller. @throws HttpError 401 without a valid user */
export function listerHeaders(identity: Identity): HeaderSet {
  checkIdentity(identity)
  return { 'x-user': wire(identity.user), 'x-group': upstreamGroups(identity).map(wire) }
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

/** Kubernetes reads header values as UTF-8; Node writes each character as one byte. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
