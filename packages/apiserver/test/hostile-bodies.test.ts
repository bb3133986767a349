import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { memoryStorage } from '../src/storage/memory'
import { yamlWorker } from '../src/yaml-worker'
import { hostileBodies, hostileKind, type HostileBody } from './hostile-bodies'

/**
 * How long the server blocks all other clients while it handles one body: the longest work between two turns of its event
 * loop. Measured in CPU time of the thread, which other processes do not affect, and relative to a reference workload,
 * so that slow machines do not fail.
 */

const limitMs = 250
/** Duration of `referenceWork` on the machine for which the limit was set. */
const pieceOfWorkMs = 50

const threadClock = '/proc/thread-self/schedstat'
const cpuMs = existsSync(threadClock)
  ? () => Number(readFileSync(threadClock, 'utf8').split(' ')[0]) / 1e6
  : () => process.cpuUsage().user / 1e3

function referenceWork(): void {
  const object = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key${i}`, { name: `n${i}`, at: [i] }]))
  for (let round = 0; round < 4; round++) JSON.parse(JSON.stringify(object))
}

function scale(): number {
  const rounds = Array.from({ length: 7 }, () => {
    const began = cpuMs()
    referenceWork()
    return cpuMs() - began
  })
  return Math.max(1, (rounds.sort((a, b) => a - b)[3] ?? 0) / pieceOfWorkMs)
}

describe('another client waits at most 250 ms while the server handles', () => {
  let server: ApiServer
  let longestMs = 0
  let isMeasuring = true
  let most = limitMs

  beforeAll(async () => {
    server = await createApiServer({
      storage: memoryStorage(),
      yaml: yamlWorker(),
      authenticate: (token) => ({ name: token, groups: token === 'admin' ? ['system:masters'] : [] }),
    })
    const json = 'application/json'
    const create = (path: string, object: object) =>
      send({ name: '', method: 'POST', path, type: json, body: JSON.stringify(object) })
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', hostileKind)
    await create('/api/v1/namespaces', { metadata: { name: 'fuzz' } })
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 'v']))
    await create('/configmaps', { metadata: { name: 'kept' }, data: { big: 'x'.repeat(500_000), ...keys } })
    const env = Array.from({ length: 2_000 }, (_, i) => ({ name: `e${i}` }))
    await create('/pods', { metadata: { name: 'kept' }, spec: { containers: [{ name: 'main', image: 'i', env }] } })
    const widget = { apiVersion: 'fuzz.test/v1', kind: 'Widget', metadata: { name: 'kept' }, spec: {} }
    await create('/apis/fuzz.test/v1/namespaces/fuzz/widgets', widget)
    most = limitMs * scale()
    let last = cpuMs()
    const turn = () => {
      const now = cpuMs()
      longestMs = Math.max(longestMs, now - last)
      last = now
      if (isMeasuring) setImmediate(turn)
    }
    turn()
  }, 60_000)
  afterAll(async () => {
    isMeasuring = false
    await server.close()
  })

  async function send({ method, path, type, body }: HostileBody): Promise<Response> {
    const url = new URL(`http://cluster.test${/^\/apis?\//.test(path) ? '' : '/api/v1/namespaces/fuzz'}${path}`)
    const headers = { authorization: 'Bearer admin', 'content-type': type }
    return server.fetch(new Request(url, { method, headers, body }))
  }

  const aTurn = () => new Promise((resolve) => setImmediate(resolve))

  /** The shortest of three attempts, since garbage collection may run at any time. */
  async function measured(body: HostileBody): Promise<Response> {
    const tried = { ...body, path: `${body.path}${body.path.includes('?') ? '&' : '?'}dryRun=All` }
    let least = Infinity
    for (let attempt = 0; attempt < 3 && least > most; attempt++) {
      await aTurn()
      longestMs = 0
      const response = await send(tried)
      await response.clone().text()
      await aTurn()
      least = Math.min(least, longestMs)
      if (least <= most) return response
    }
    expect.fail(`${body.name}: ${Math.round(least)} ms of work at a stretch, of at most ${Math.round(most)}`)
  }

  it.each(hostileBodies().map((body): [string, HostileBody] => [body.name, body]))(
    '%s',
    async (_, body) => {
      const response = await measured(body)
      expect([200, 201, 400, 404, 409, 413, 422]).toContain(response.status)
      // Headers that clients and the gateway still accept.
      expect((response.headers.get('warning') ?? '').length).toBeLessThan(4 * 1024 + 1_000)
    },
    60_000,
  )

  const parts = ['"', "'", '[', ']', '{', '}', '{}', ':', ': ', ',', '- ', '? ', '&a ', '*a ', '! ', '|\n', '>\n', '\n']
  const more = [' ', '\t', '#', '%', '\\', '\\"', '1', '1e9', 'a', 'k: v\n', '- a\n', '"a":1,', '[1],', '{"a":', '<<: ']
  const types = ['application/json', 'application/yaml']
  const patches = ['application/apply-patch+yaml', 'application/merge-patch+json', 'application/json-patch+json']
  const anyBody = fc.record({
    name: fc.constant('random'),
    prefix: fc.constantFrom(
      '',
      '[',
      '{',
      'a: ',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hostile"},',
    ),
    unit: fc.array(fc.constantFrom(...parts, ...more), { minLength: 1, maxLength: 4 }),
    length: fc.constantFrom(4_000, 100_000, 3_000_000),
    type: fc.constantFrom(...types, ...types, ...patches),
  })

  it('random bodies', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, async ({ name, prefix, unit, length, type }) => {
        const text = unit.join('')
        const body = (prefix + text.repeat(Math.ceil(length / text.length))).slice(0, length)
        const isPatch = patches.includes(type)
        const path = isPatch ? '/configmaps/kept?fieldManager=fuzz' : '/configmaps'
        const of = `${name} ${JSON.stringify({ prefix, text, length, type })}`
        await measured({ name: of, method: isPatch ? 'PATCH' : 'POST', path, type, body })
      }),
      { seed: 13, numRuns: 60, endOnFailure: true },
    )
  }, 120_000)
})
