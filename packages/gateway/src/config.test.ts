import { expect, it, test } from 'vitest'
import { configFor } from '../test/gateway-under-test'
import { createGateway } from './app'
import { settingsOf, type GatewayConfig } from './config'
import { isLoopback } from './origins'

const url = 'http://127.0.0.1:6443'
const at = (access: GatewayConfig['kubernetes']['access']) => ({ kubernetes: { access, as: 'impersonate' as const } })
const key = new Uint8Array(32)
const origins = ['https://console.example.com']

test.each<[string, RegExp, Partial<GatewayConfig>]>([
  ['no key', /32 bytes/, { session: { keys: [] } }],
  ['a short key', /32 bytes/, { session: { keys: [new Uint8Array(31)] } }],
  ['an idle time that is none', /idleMs must be/, { session: { keys: [key], idleMs: Number.NaN } }],
  ['checks without a pause', /recheckMs must be/, { session: { keys: [key], recheckMs: 0 } }],
  ['a cookie with a name that none has', /cookieName/, { session: { keys: [key], cookieName: 'a=b' } }],
  ['an origin with a path', /is no origin/, { publicOrigins: ['https://a.example/console'] }],
  ['an origin that is none', /is no origin/, { publicOrigins: ['a.example'] }],
  ['plain http beyond loopback', /all https/, { publicOrigins: ['http://a.example'] }],
  ['both kinds of origin', /all https/, { publicOrigins: [...origins, 'http://127.0.0.1:1'] }],
  ['no origin', /all https/, { publicOrigins: [] }],
  ['an upstream of another scheme', /http or https/, at({ url: 'ftp://a', token: 'x' })],
  ['a password in the upstream', /credentials/, at({ url: 'http://a:b@c', token: 'x' })],
  ['no proxies that forward', /forwardedHops must be/, { forwardedHops: 0 }],
  ['half a proxy', /forwardedHops must be/, { forwardedHops: 1.5 }],
  ['no token', /is empty/, at({ url, token: '' })],
])('refuses %s', async (_, message, overrides) => {
  await expect(createGateway({ ...configFor(url), ...overrides })).rejects.toThrow(message)
})

it('needs to be told its origins when it listens beyond loopback', () => {
  expect(() => settingsOf({ ...configFor(url), host: '0.0.0.0' })).toThrow(/publicOrigins must be given/)
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
