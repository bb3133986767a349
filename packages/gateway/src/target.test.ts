import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { json } from '@slipway/connect/testing'
import { signIn, startListeningGateway, type ListeningGateway } from '../test/gateway-under-test'
import { sendRaw } from '../test/raw-request'
import { parseTarget, targetUnder } from './target'

test.each([
  ['/', []],
  ['/api/k8s/api/v1/namespaces/', ['api', 'k8s', 'api', 'v1', 'namespaces']],
  ['/a/user%40example.com', ['a', 'user@example.com']],
  ['/a/caf%C3%A9', ['a', 'café']],
  ['/a/system%3Anode', ['a', 'system:node']],
  ['/a/...', ['a', '...']],
])('parses %s', (target, segments) => expect(parseTarget(target).segments).toEqual(segments))

it('keeps the query as received', () => {
  const query = '?labelSelector=a%2Fb%3Dc&fieldSelector=x;y'
  expect(parseTarget(`/a${query}`)).toEqual({ path: '/a', segments: ['a'], query })
})

it('targetUnder only removes a complete prefix', () => {
  expect(targetUnder('/api/k8s', parseTarget('/api/k8s/api/v1?a'))?.path).toBe('/api/v1')
  expect(targetUnder('/api/k8s', parseTarget('/api/k8s/api/v1'))?.segments).toEqual(['api', 'v1'])
  expect(targetUnder('/api/k8s', parseTarget('/api/k8sx/api/v1'))).toBeUndefined()
})

test.each([
  '',
  '*',
  'http://127.0.0.1/api',
  'api/v1',
  '//evil.example/a',
  '/a//b',
  '/a//',
  '/./a',
  '/a/..',
  '/a/../b',
  '/a/%2e%2e/b',
  '/a/%2E./b',
  '/a%2fb',
  '/a%5Cb',
  '/a\\b',
  '/a;b=c',
  '/a%3bb',
  '/a#b',
  '/a?b#c',
  '/a%00b',
  '/a%0ab',
  '/a%7fb',
  '/a%252eb',
  '/%61pi',
  '/a%zz',
  '/a%',
  '/a?b=%g0',
  '/a%ff',
  '/a%c0%ae',
  '/a b',
  '/café',
  '/a\tb',
])('rejects the target %j', (target) =>
  expect(() => parseTarget(target)).toThrow(expect.objectContaining({ code: 400 })),
)

describe('any target', () => {
  let gateway: ListeningGateway
  beforeAll(async () => void (gateway = await startListeningGateway()))
  afterAll(() => gateway.close())

  const pieces = [
    ...[
      '/',
      '//',
      '.',
      '..',
      '/../',
      '/./',
      '%2e',
      '%2E%2e',
      '%2f',
      '%252f',
      '%5c',
      '\\',
      ';',
      ';a=b',
      '%3b',
      '?',
      '&',
    ],
    ...['#', '%23', '%00', '%0d%0a', '%', '%zz', '%61', '%c0%af', '%e2%82%ac', '@', ':', '+', '~', '%7e', '%40'],
    ...[
      'api',
      'k8s',
      'apis',
      'v1',
      'namespaces',
      'plugins',
      'secrets',
      'a',
      'proxy',
      'exec',
      'watch=1',
      'oauth2',
      'wss',
    ],
    ...['/api/k8s/', '/api/k8s/api/v1/', '/api/k8s/plugins/', 'http://evil.example/', 'log', 'pods'],
  ]

  it('any target is rejected or reaches the upstream unchanged and without a dot segment', async () => {
    const cookie = await signIn(gateway.app)
    gateway.upstream.respond = json({ items: [] })
    const next = numbers(20260302)
    const targets = Array.from({ length: 4_000 }, () => {
      const length = 1 + (next() % 7)
      const tail = Array.from({ length }, () => pieces[next() % pieces.length]).join('')
      return next() % 4 === 0 ? `/${tail}` : `/api/k8s/api/v1/${tail}`
    })
    let passed = 0
    const queue = targets.values()
    const worker = async () => {
      for (const target of queue) {
        const headers: [string, string][] = [
          ['Host', gateway.host],
          ['Cookie', cookie],
          ['User-Agent', target.replace(/[^!-~]/g, '')],
        ]
        const { status } = await sendRaw({ port: gateway.port, target, headers })
        const reached = status === 200 && target.startsWith('/api/')
        if (!reached) expect([400, 403, 404, 405, 200, 202, 401, 502]).toContain(status)
        if (reached) passed++
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))

    const own = gateway.upstream.seen.filter(({ headers }) => headers.every(([name]) => name !== 'impersonate-user'))
    // The namespace list makes calls of its own, at a path of its own.
    expect(own.every(({ target }) => /^\/api\/v1\/namespaces(\?|$)/.test(target))).toBe(true)
    const forwarded = gateway.upstream.seen.filter((seen) => !own.includes(seen))
    expect(forwarded.length).toBeGreaterThan(300)
    expect(passed).toBeGreaterThan(300)
    for (const { target, headers } of forwarded) {
      const asked = headers.find(([name]) => name === 'user-agent')?.[1] ?? ''
      expect(`/api/k8s${target}`).toBe(asked)
      expect(target).toMatch(/^\/(api|apis|openapi|version)(\/|\?|$)/)
      const path = target.split('?', 1)[0] ?? ''
      expect(path).not.toMatch(/\/\/|\\|;|%2f|%5c|%25|%00/i)
      for (const segment of path.split('/')) expect(['.', '..']).not.toContain(decodeURIComponent(segment))
    }
  })
})

/** A generator of the same numbers on every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
