import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The network address that a request comes from: an IPv4 address, or the /64 network of an IPv6 address, since each
 * client has many addresses within it. `undefined` where it cannot be determined.
 */
export type ClientAddress = (request: IncomingMessage) => string | undefined

/**
 * @param forwardedHops how many proxies in front append the address of their caller to `X-Forwarded-For`
 * @param isDirect without such proxies: whether clients connect directly
 */
export const clientAddress =
  ({ forwardedHops, isDirect }: { forwardedHops: number | undefined; isDirect: boolean }): ClientAddress =>
  ({ headers, socket }) => {
    if (forwardedHops === undefined) return isDirect ? networkOf(socket.remoteAddress) : undefined
    // Anything that the client put there itself comes before the entries that the proxies append.
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
