import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Who sends a request, as far as the network can say: an IPv4 address, or the /64 of an IPv6 one, of which each client
 * has many addresses. `undefined` where it cannot.
 */
export type ClientAddress = (request: IncomingMessage) => string | undefined

/**
 * @param forwardedHops how many proxies in front add to `X-Forwarded-For`, each the address that it was called from
 * @param isDirect without such proxies: whether connections come from clients themselves
 */
export const clientAddress =
  ({ forwardedHops, isDirect }: { forwardedHops: number | undefined; isDirect: boolean }): ClientAddress =>
  ({ headers, socket }) => {
    if (forwardedHops === undefined) return isDirect ? networkOf(socket.remoteAddress) : undefined
    // What a client itself has put there stands before what the proxies add.
    return networkOf([headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').at(-forwardedHops)?.trim())
  }

function networkOf(address = ''): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) !== 6) return isIP(plain) === 4 ? plain : undefined
  const [before = '', after] = plain
    .toLowerCase()
    .split('::')
    .map((part) => part.replace(/%.*$/, ''))
  const groups = [before, after ?? ''].map((part) => part.split(':').filter(Boolean))
  const [first = [], last = []] = groups
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
