import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, HttpError } from '../http-error'
import { identityProblem, upstreamGroups, type Identity } from '../session/identity'

/**
 * What of a request's headers reaches the upstream. An allow list: whatever could name a user, a client or a route
 * (Authorization, Cookie, Impersonate-*, X-Remote-*, X-Forwarded-*, ...) is not dropped, it is never taken.
 */
const forwardedToUpstream = [
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  'if-none-match',
  'user-agent',
]

/** What of an upstream's headers reaches the browser: nothing that sets cookies, opens origins or names a server. */
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

/** Headers of which a second one would be read by one program and the first by another. */
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
 * Looks at the headers as they came over the wire, before Node joined or dropped any.
 * @throws Refusal 400 for a name with an underscore, which some programs read as a dash, and for a repeated header
 */
export function checkHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (name.includes('_')) throw badRequest('A header name has an underscore.')
    if (singleValued.has(name) && seen.has(name)) throw badRequest(`The header ${name} was sent twice.`)
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

/** @throws Refusal 401 for an identity that must not reach an upstream: no name, no call */
export function checkIdentity(identity: Identity): void {
  if (identityProblem(identity)) throw new HttpError(401, 'The session names nobody who may call the cluster.')
}

/** The headers by which a Kubernetes API takes the gateway's call for the user's. @throws Refusal 401 for nobody */
export function impersonationHeaders(identity: Identity): HeaderSet {
  checkIdentity(identity)
  return { 'impersonate-user': wire(identity.user), 'impersonate-group': upstreamGroups(identity).map(wire) }
}

/** The same for a namespace lister, which takes anyone's word for it. @throws Refusal 401 for nobody */
export function listerHeaders(identity: Identity): HeaderSet {
  checkIdentity(identity)
  return { 'x-user': wire(identity.user), 'x-group': upstreamGroups(identity).map(wire) }
}

/** Data, and text that is no page. */
const harmlessTypes =
  /^(?:text\/plain|application\/(?:octet-stream|(?:\S+[+.])?(?:json|yaml|protobuf|cbor(?:-seq)?)))\s*(?:;|$)/i

export function headersForBrowser(headers: IncomingHttpHeaders): HeaderSet {
  const forwarded: HeaderSet = {}
  for (const name of forwardedToBrowser) {
    const value = headers[name]
    if (value !== undefined) forwarded[name] = value
  }
  // A log says whatever a build wants it to say, and servers guess types from content: no page, picture or script.
  const type = headers['content-type']
  if (type !== undefined && !harmlessTypes.test(type)) forwarded['content-type'] = 'text/plain; charset=utf-8'
  return forwarded
}

/** Kubernetes reads header values as UTF-8; Node writes each character as one byte. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
