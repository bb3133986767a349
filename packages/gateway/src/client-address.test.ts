import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address'

const request = (remoteAddress: string, forwarded?: string) =>
  // Only the parts of a request that are read.
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage

test.each<[string, number | undefined, boolean, IncomingMessage, string | undefined]>([
  ['a direct connection', undefined, true, request('192.0.2.1', '10.0.0.9'), '192.0.2.1'],
  [
    'a direct connection from an IPv4 address mapped to IPv6',
    undefined,
    true,
    request('::ffff:192.0.2.1'),
    '192.0.2.1',
  ],
  ['a proxy that was not configured', undefined, false, request('192.0.2.1', '10.0.0.9'), undefined],
  ['one proxy', 1, false, request('192.0.2.1', '10.0.0.9'), '10.0.0.9'],
  [
    'one proxy, with an entry that the client sent itself',
    1,
    false,
    request('192.0.2.1', '1.1.1.1, 10.0.0.9'),
    '10.0.0.9',
  ],
  ['two proxies', 2, false, request('192.0.2.1', '1.1.1.1, 10.0.0.9, 10.0.0.2'), '10.0.0.9'],
  ['fewer entries than proxies', 2, false, request('192.0.2.1', '10.0.0.9'), undefined],
  ['an entry that is not an address', 1, false, request('192.0.2.1', 'unknown'), undefined],
  ['no entry', 1, false, request('192.0.2.1'), undefined],
  ['an IPv6 address, reduced to its network', 1, false, request('::1', '2001:DB8:0a:b:1:2:3:4'), '2001:db8:a:b'],
  ['a shortened IPv6 address', 1, false, request('::1', '2001:db8::1'), '2001:db8:0:0'],
  ['a loopback connection', undefined, true, request('::1'), '0:0:0:0'],
])('determines the client address for %s', (_, forwardedHops, isDirect, from, expected) => {
  expect(clientAddress({ forwardedHops, isDirect })(from)).toBe(expected)
})
