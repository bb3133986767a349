import { expect, it, test } from 'vitest'
import { ada, configFor } from '../test/gateway-under-test'
import { createGateway } from './app'
import { isLoopback, settingsOf, type GatewayConfig } from './config'

const url = 'http://127.0.0.1:6443'
const origins = ['https://console.example.com']

test.each<[string, RegExp, Partial<GatewayConfig>]>([
  ['local users on every address', /refused on 0\.0\.0\.0/, { host: '0.0.0.0', publicOrigins: origins }],
  ['local users on an outer address', /refused on 10\.0\.0\.1/, { host: '10.0.0.1', publicOrigins: origins }],
  ['no way to sign in', /localUsers is empty/, { localUsers: [] }],
  ['a user of Kubernetes itself', /begins with system:/, { localUsers: [{ ...ada, email: 'system:admin' }] }],
  ['a user without a name', /is empty/, { localUsers: [{ ...ada, email: '' }] }],
  ['one user twice', /same e-mail/, { localUsers: [ada, ada] }],
  ['no key', /32 bytes/, { session: { keys: [] } }],
  ['a short key', /32 bytes/, { session: { keys: [new Uint8Array(31)] } }],
  ['an origin with a path', /is no origin/, { publicOrigins: ['https://a.example/console'] }],
  ['an origin that is none', /is no origin/, { publicOrigins: ['a.example'] }],
  ['plain http beyond loopback', /all https/, { publicOrigins: ['http://a.example'] }],
  ['both kinds of origin', /all https/, { publicOrigins: [...origins, 'http://127.0.0.1:1'] }],
  ['no origin', /all https/, { publicOrigins: [] }],
  ['an upstream of another scheme', /http or https/, { upstream: { url: 'ftp://a', token: 'x', impersonate: true } }],
  ['a password in the upstream', /credentials/, { upstream: { url: 'http://a:b@c', token: 'x', impersonate: true } }],
  ['no token', /token is empty/, { upstream: { url, token: '', impersonate: true } }],
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
