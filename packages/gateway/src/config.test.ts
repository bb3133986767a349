import { expect, it, test } from 'vitest'
import { isLoopback } from '@slipway/connect/loopback'
import { configFor } from '../test/gateway-under-test'
import { createGateway } from './app'
import { resolveSettings, type GatewayConfig } from './config'

const url = 'http://127.0.0.1:6443'
const at = (access: GatewayConfig['kubernetes']['access']) => ({ kubernetes: { access, as: 'impersonate' as const } })
const key = new Uint8Array(32)
const origins = ['https://console.example.com']

test.each<[string, RegExp, Partial<GatewayConfig>]>([
  ['no session key', /32 bytes/, { session: { keys: [] } }],
  ['a session key that is too short', /32 bytes/, { session: { keys: [new Uint8Array(31)] } }],
  ['an idle time that is not a number', /idleMs must be/, { session: { keys: [key], idleMs: Number.NaN } }],
  ['a recheck interval of zero', /recheckMs must be/, { session: { keys: [key], recheckMs: 0 } }],
  ['an invalid cookie name', /cookieName/, { session: { keys: [key], cookieName: 'a=b' } }],
  ['an origin with a query', /is not a valid origin/, { publicOrigins: ['https://a.example/console?a'] }],
  ['an origin without a scheme', /is not a valid origin/, { publicOrigins: ['a.example'] }],
  ['plain http beyond loopback', /all https/, { publicOrigins: ['http://a.example'] }],
  ['a mix of https and loopback origins', /all https/, { publicOrigins: [...origins, 'http://127.0.0.1:1'] }],
  ['an empty list of origins', /all https/, { publicOrigins: [] }],
  ['an upstream of another scheme', /http or https/, at({ url: 'ftp://a', token: 'x' })],
  ['a password in the upstream', /credentials/, at({ url: 'http://a:b@c', token: 'x' })],
  [
    'no TLS on the network',
    /tls must be given, since 0\.0\.0\.0 .*plainHttp/,
    { host: '0.0.0.0', publicOrigins: origins },
  ],
  [
    'TLS and plain HTTP',
    /tls and plainHttp exclude each other/,
    { publicOrigins: origins, plainHttp: true, tls: { certFile: 'a', keyFile: 'b' } },
  ],
  ['zero forwarding proxies', /forwardedHops must be/, { forwardedHops: 0 }],
  ['a fractional number of proxies', /forwardedHops must be/, { forwardedHops: 1.5 }],
  ['an empty token', /is empty/, at({ url, token: '' })],
])('rejects a configuration with %s', async (_, message, overrides) => {
  await expect(createGateway({ ...configFor(url), ...overrides })).rejects.toThrow(message)
})

it('requires public origins when listening beyond loopback', () => {
  expect(() => resolveSettings({ ...configFor(url), host: '0.0.0.0' })).toThrow(/publicOrigins must be given/)
})

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
])('%s is loopback: %s', (host, expected) => expect(isLoopback(host)).toBe(expected))
