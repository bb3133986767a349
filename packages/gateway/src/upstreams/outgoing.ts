import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from '@slipway/connect/http-error'
import type { HeaderSet } from '@slipway/connect/service'
import { identityError, upstreamGroups, type Identity } from '../session/identity'
import type { Session } from '../session/sessions'

/** The user that a call is made for. */
export type Caller = Pick<Session, 'identity'> & { idToken?: string | undefined }

/** In whose name a call is sent, and the request that it is sent for. */
export interface Sender {
  caller: Caller
  requestId: string
  /** Headers that name the trace of the request. */
  trace?: HeaderSet
}

/** What a call for a user is for. */
export interface Purpose {
  /** Headers that the gateway sets. They replace those of the client, but never the identity. */
  headers?: HeaderSet
  /** The client's headers of a call that is passed on, of which only some are. */
  received?: IncomingHttpHeaders
  passedOn?: readonly string[]
}

/**
 * The client's headers that reach the upstream. These are allow lists: headers that could name a user, a client or a route
 * (Authorization, Cookie, Impersonate-*, X-Remote-*, X-Forwarded-*, ...) need not be dropped, since they are never taken.
 */
export const passedOnBySocket: readonly string[] = ['user-agent']
export const passedOnByCall: readonly string[] = [
  ...passedOnBySocket,
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  'if-none-match',
]

/** @param identity the headers that identify the sender */
export function outgoingHeaders(
  sender: Sender,
  { headers, received, passedOn }: Purpose,
  identity: HeaderSet,
): HeaderSet {
  return {
    ...(received && passedOn && passOn(received, passedOn)),
    ...headers,
    ...sender.trace,
    ...identity,
    'audit-id': sender.requestId,
  }
}

function passOn(received: IncomingHttpHeaders, names: readonly string[]): HeaderSet {
  const hopByHop = new Set((received.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const passed: HeaderSet = {}
  for (const name of names) {
    const value = received[name]
    if (value !== undefined && !hopByHop.has(name)) passed[name] = value
  }
  return passed
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

/** The headers that tell a namespace lister, which trusts every caller, the user. @throws HttpError 401 without a valid user */
export function listerHeaders(identity: Identity): HeaderSet {
  checkIdentity(identity)
  return { 'x-user': wire(identity.user), 'x-group': upstreamGroups(identity).map(wire) }
}

/** Kubernetes reads header values as UTF-8; Node writes each character as one byte. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
