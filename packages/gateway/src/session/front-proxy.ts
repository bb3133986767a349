import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Clock } from '@slipway/kube/clock'
import { checkAdmission } from './identity'
import type { Session } from './sessions'
import type { FrontProxySettings } from './settings'

const identityHeaders = [
  'x-auth-request-user',
  'x-auth-request-email',
  'x-auth-request-groups',
  'x-auth-request-preferred-username',
]

/**
 * Reads the signed-in user from the headers of a proxy in front, if the proxy authenticates itself.
 * @returns `undefined` without authentication, for a repeated header and for a name that is not allowed
 */
export function frontProxySession(
  request: IncomingMessage,
  settings: FrontProxySettings,
  streamMs: number,
  clock: Clock,
): Session | undefined {
  if (!isProven(request, settings)) return undefined
  // A proxy that appends its header to the client's instead of replacing it cannot be trusted.
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  if (identityHeaders.some((name) => names.filter((each) => each === name).length > 1)) return undefined

  const email = decodeHeader(request, 'x-auth-request-email')
  const user = settings.userFrom === 'email' ? email : decodeHeader(request, 'x-auth-request-user')
  const groups = decodeHeader(request, 'x-auth-request-groups')
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '')
  const preferredUsername = decodeHeader(request, 'x-auth-request-preferred-username')
  const admitted = checkAdmission({ user, email, preferredUsername, groups }, new Set())
  if ('error' in admitted) return undefined
  const now = clock.now()
  return {
    // Unique to this call: no other call may extend its streams, so that each passes the proxy's check again.
    id: randomUUID(),
    identity: admitted.identity,
    startedAt: now,
    seenAt: now,
    checkedAt: now,
    expiresAt: now + streamMs,
    streamsUntil: now + streamMs,
    via: 'front-proxy',
  }
}

function isProven(request: IncomingMessage, { secret, clientCertificateNames }: FrontProxySettings): boolean {
  if (secret) {
    const sent = request.headers[secret.header]
    const expected = secret.value()
    return typeof sent === 'string' && expected !== '' && isSameSecret(sent, expected)
  }
  const { socket } = request
  if (!(socket instanceof TLSSocket) || !socket.authorized) return false
  const { subject, subjectaltname = '' } = socket.getPeerCertificate()
  const alternatives = subjectaltname.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []))
  return [subject?.CN ?? [], alternatives].flat().some((name) => clientCertificateNames.includes(name))
}

/** Compares in constant time. */
function isSameSecret(sent: string, expected: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(sent), hashOf(expected))
}

/** Node decodes headers as Latin-1; names are UTF-8. */
function decodeHeader({ headers }: IncomingMessage, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? Buffer.from(value, 'latin1').toString('utf8') : ''
}
