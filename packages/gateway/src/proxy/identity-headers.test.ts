import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { json, startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import {
  ada,
  fromOurPage,
  gatewayToken,
  signIn,
  startListeningGateway,
  type ListeningGateway,
} from '../../test/gateway-under-test'
import { sendRaw } from '../../test/raw-request'
import type { Identity } from '../session/identity'

/**
 * Headers that a hostile page or client could send to claim another identity; twice where repeating is not rejected.
 * Without Authorization, since a bearer token takes precedence over the cookie.
 */
const hostile: Record<string, string | string[]> = {
  'Impersonate-User': 'root',
  'Impersonate-Uid': '0',
  'Impersonate-Group': ['system:masters', 'system:nodes'],
  'Impersonate-Extra-Scopes': ['all', 'more'],
  'X-Remote-User': ['root', 'admin'],
  'X-Remote-Group': ['system:masters', 'system:nodes'],
  'X-Remote-Extra-Scopes': 'all',
  'X-User': ['root', 'admin'],
  'X-Group': ['system:masters', 'system:nodes'],
  'X-Auth-Request-User': 'root',
  'X-Auth-Request-Email': 'root@slipway.test',
  'X-Auth-Request-Groups': ['system:masters', 'system:nodes'],
  'X-Auth-Request-Preferred-Username': 'root',
  'X-Auth-Request-Access-Token': 'mine',
  'X-Forwarded-User': 'root',
  'X-Forwarded-Groups': 'system:masters',
  'X-Forwarded-For': ['10.0.0.1', '10.0.0.2'],
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-Access-Token': 'mine',
  'X-Real-Ip': '10.0.0.1',
  Forwarded: 'for=10.0.0.1',
  'Proxy-Authorization': 'Basic eDp5',
  'Proxy-Connection': 'close',
  'Audit-Id': 'chosen',
  'X-Request-Id': 'chosen',
  'Accept-Language': 'en',
  Te: 'trailers',
}
const spellings: Record<string, (name: string) => string> = {
  'as usual': (name) => name,
  'in upper case': (name) => name.toUpperCase(),
  'in lower case': (name) => name.toLowerCase(),
}

const many = Array.from({ length: 200 }, (_, index) => `team-${index}`)
const people: Record<string, { who: Partial<Identity>; groups: string[] }> = {
  'a user': { who: {}, groups: ['team-a'] },
  'a user without groups': { who: { groups: [] }, groups: [] },
  'a user with 200 groups': { who: { groups: many }, groups: many },
  'a user with hostile groups': {
    who: {
      groups: ['system:masters', 'team-a', ' x', 'a,system:masters', 'b\r\nX-Remote-User: c', 'd\u0000', '', 'é'],
    },
    groups: ['team-a', 'Ã©'],
  },
}
const resultsToken = 'sentinel-results-token'
const archiveToken = 'sentinel-archive-token'
const viewsToken = 'sentinel-views-token'

let gateway: ListeningGateway
let results: EchoUpstream
let archive: EchoUpstream
let lister: EchoUpstream
let views: EchoUpstream
beforeEach(async () => {
  ;[results, archive, lister, views] = await Promise.all([
    startEchoUpstream(),
    startEchoUpstream(),
    startEchoUpstream(),
    startEchoUpstream(),
  ])
  lister.respond = json({ items: [] })
  gateway = await startListeningGateway({
    namespaceLister: { url: lister.url },
    tektonResults: { url: results.url, token: () => resultsToken },
    kubeArchive: { url: archive.url, token: () => archiveToken },
    views: { url: views.url, token: () => viewsToken },
  })
})
afterEach(async () => {
  await gateway.close()
  await Promise.all([results, archive, lister, views].map((each) => each.close()))
})

const impersonating = (token: string, groups: string[]): [string, string][] => [
  ['authorization', `Bearer ${token}`],
  ['impersonate-user', ada.user],
  ...[...groups, 'system:authenticated'].map((group): [string, string] => ['impersonate-group', group]),
]
const named = (groups: string[]): [string, string][] => [
  ['x-user', ada.user],
  ...[...groups, 'system:authenticated'].map((group): [string, string] => ['x-group', group]),
]

interface Way {
  method: 'GET' | 'POST' | 'SOCKET'
  /** Of a websocket; by default that of the cluster. */
  protocols?: string[]
  target: string
  upstream: () => EchoUpstream
  seen: string
  identity: (groups: string[]) => [string, string][]
  /** Headers besides the identity. */
  others: [string, unknown][]
}
const fromBrowser: [string, unknown][] = [
  ['accept', 'application/json'],
  ['accept-encoding', 'identity'],
  ['user-agent', 'test'],
]
const ways: Record<string, Way> = {
  'a GET': {
    method: 'GET',
    target: '/api/k8s/api/v1/namespaces/a/pods?limit=1',
    upstream: () => gateway.upstream,
    seen: '/api/v1/namespaces/a/pods?limit=1',
    identity: (groups) => impersonating(gatewayToken, groups),
    others: [...fromBrowser, ['connection', 'keep-alive']],
  },
  'a POST': {
    method: 'POST',
    target: '/api/k8s/api/v1/namespaces/a/pods',
    upstream: () => gateway.upstream,
    seen: '/api/v1/namespaces/a/pods',
    identity: (groups) => impersonating(gatewayToken, groups),
    others: [
      ...fromBrowser,
      ['connection', 'keep-alive'],
      ['content-type', 'application/json'],
      ['content-length', '2'],
    ],
  },
  'a websocket': {
    method: 'SOCKET',
    target: '/wss/k8s/api/v1/namespaces/a/pods?watch=true',
    upstream: () => gateway.upstream,
    seen: '/api/v1/namespaces/a/pods?watch=true',
    identity: (groups) => impersonating(gatewayToken, groups),
    others: [
      ['user-agent', 'test'],
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['origin', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', expect.any(String)],
      ['sec-websocket-protocol', 'base64.binary.k8s.io'],
    ],
  },
  'the websocket of a plugin': {
    method: 'SOCKET',
    protocols: [],
    target: '/wss/k8s/plugins/views/v1/socket?a=b',
    upstream: () => views,
    seen: '/v1/socket?a=b',
    identity: (groups) => impersonating(viewsToken, groups),
    others: [
      ['user-agent', 'test'],
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['origin', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', expect.any(String)],
    ],
  },
  'the list of namespaces': {
    method: 'GET',
    target: '/api/k8s/api/v1/namespaces?limit=5',
    upstream: () => lister,
    seen: '/api/v1/namespaces',
    identity: named,
    others: [
      ['accept', 'application/json'],
      ['connection', 'keep-alive'],
    ],
  },
  'Tekton Results': {
    method: 'GET',
    target: '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records?page_size=2',
    upstream: () => results,
    seen: '/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records?page_size=2',
    identity: (groups) => impersonating(resultsToken, groups),
    others: [...fromBrowser, ['connection', 'keep-alive']],
  },
  KubeArchive: {
    method: 'GET',
    target: '/api/k8s/plugins/kubearchive/apis/tekton.dev/v1/namespaces/a/pipelineruns?limit=2',
    upstream: () => archive,
    seen: '/apis/tekton.dev/v1/namespaces/a/pipelineruns?limit=2',
    identity: (groups) => impersonating(archiveToken, groups),
    others: [...fromBrowser, ['connection', 'keep-alive']],
  },
}

async function call(
  { method, target, protocols = ['base64.binary.k8s.io'] }: Way,
  cookie: string,
  spell: (name: string) => string,
): Promise<void> {
  const claims = Object.fromEntries(Object.entries(hostile).map(([name, value]) => [spell(name), value]))
  if (method === 'SOCKET') {
    const socket = new WebSocket(`ws://${gateway.host}${target}`, protocols, {
      headers: { ...claims, cookie, origin: gateway.origin, 'user-agent': 'test', 'accept-encoding': 'gzip' },
      perMessageDeflate: false,
    })
    await once(socket, 'open')
    socket.terminate()
    return
  }
  const body = method === 'POST' ? '{}' : undefined
  const { status } = await sendRaw({
    port: gateway.port,
    method,
    target,
    headers: [
      ['Host', gateway.host],
      ['Cookie', cookie],
      ['Accept', 'application/json'],
      ['Accept-Encoding', 'gzip'],
      ['User-Agent', 'test'],
      ['Connection', 'keep-alive, x-user, impersonate-user, authorization'],
      ...Object.entries(fromOurPage),
      ...(body ? Object.entries({ 'Content-Type': 'application/json', 'Content-Length': '2' }) : []),
      ...Object.entries(claims).flatMap(([name, value]) =>
        [value].flat().map((each): [string, string] => [name, each]),
      ),
    ],
    body,
  })
  expect(status).toBe(200)
}

const sorted = (headers: [string, unknown][]) => [...headers].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

describe.each(Object.entries(ways))("%s carries only the session's identity", (_, way) => {
  describe.each(Object.entries(people))('for %s', (_, { who, groups }) => {
    test.each(Object.entries(spellings))('with hostile headers spelled %s', async (_, spell) => {
      const cookie = await signIn(gateway.app, who)
      await call(way, cookie, spell)
      const upstream = way.upstream()
      const seen = upstream.seen.filter(({ headers }) => headers.some(([name]) => name === 'audit-id'))
      expect(seen).toHaveLength(1)
      expect(seen[0]).toMatchObject({ method: way.method === 'POST' ? 'POST' : 'GET', target: way.seen })
      expect(sorted(seen[0]?.headers ?? [])).toEqual(
        sorted([
          ...way.identity(groups),
          ...way.others,
          ['audit-id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
          ['host', new URL(upstream.url).host],
        ]),
      )
    })
  })
})
