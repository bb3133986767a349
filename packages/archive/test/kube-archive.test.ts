import fc from 'fast-check'
import { podType } from '@slipway/kube/core-types'
import { nameOf, uidOf } from '@slipway/kube/object'
import { damagedError } from '@slipway/sqlite/describe-error'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { makePipelineRun, makePod, makeTaskRun, namesOf, succeeded } from './objects'
import { openArchiveStore } from '../src/store/store'
import { namespace, otherNamespace, startWorld, type World } from './world'

const base = `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns`
const minute = 60_000

describe('reading', () => {
  let world: World
  /** Created a minute apart, from 9:00; `a` twice. */
  const runs = ['a', 'b-100', 'c-test', 'c-other', 'a']
  const uids: string[] = []
  beforeAll(async () => {
    world = await startWorld()
    for (const [index, name] of runs.entries()) {
      const team = index % 2 === 0 ? 'even' : 'odd'
      const run = await makePipelineRun(world, name, { metadata: { labels: { team, place: String(index) } } })
      uids.push(uidOf(run))
      await world.archive.idle()
      await world.client.delete(pipelineRunType, name, { namespace })
      await world.clock.advance(minute)
    }
    const elsewhere = await makePipelineRun(world, 'elsewhere', { metadata: { namespace: otherNamespace } })
    await makePod(world, await makeTaskRun(world, elsewhere, 'build'), { 'step-a': 'one\ntwo\n', 'step-b': 'three' })
    await world.archive.idle()
  })
  afterAll(() => world.close())

  const list = async (query = '', path = base, token = 'reader') => {
    const { code, body } = await world.kubeArchive(`${path}${query}`, token)
    return code === 200 ? namesOf(body.items) : [code, body.message]
  }

  it('health checks need no authentication', async () => {
    const livez = await world.kubeArchive('/livez', '')
    const readyz = await world.kubeArchive('/readyz', '')
    expect([livez.code, livez.body.message, readyz.code, readyz.body]).toEqual([
      200,
      'healthy',
      200,
      { message: 'ready' },
    ])
  })

  it('lists complete objects, newest first', async () => {
    const { body } = await world.kubeArchive(base)
    expect([body.kind, body.apiVersion, body.metadata]).toEqual(['List', 'v1', { continue: '' }])
    expect(namesOf(body.items)).toEqual([...runs].reverse())
    expect(body.items[0]).toMatchObject({
      apiVersion: 'tekton.dev/v1',
      kind: 'PipelineRun',
      metadata: { name: 'a', uid: uids[4], deletionTimestamp: expect.any(String) },
      status: succeeded(),
    })
  })

  test.each([
    ['all namespaces', '', '/apis/tekton.dev/v1/pipelineruns', ['elsewhere', 'a', 'c-other', 'c-test', 'b-100', 'a']],
    ['a limit', '?limit=2', base, ['a', 'c-other']],
    ['a part of a name', '?name=*TEST*', base, ['c-test']],
    ['the beginning of a name', '?name=c*', base, ['c-other', 'c-test']],
    ['an underscore, which is not a wildcard', '?name=c_*', base, []],
    ['a label', '?labelSelector=team%3Deven', base, ['a', 'c-test', 'a']],
    ['two labels', '?labelSelector=team%3Deven,place%3D2', base, ['c-test']],
    ['a label with several values', '?labelSelector=place+in+(1,3,9)', base, ['c-other', 'b-100']],
    ['an absent label value', '?labelSelector=team%3Dnone', base, []],
    ['a different label value', '?labelSelector=team!%3Deven', base, ['c-other', 'b-100']],
    ['a label outside a set', '?labelSelector=place+notin+(0,1,2)', base, ['a', 'c-other']],
    ['an existing label', '?labelSelector=team&limit=1', base, ['a']],
    ['a missing label', '?labelSelector=!team', base, []],
    ['a greater label', '?labelSelector=place%3E2', base, ['a', 'c-other']],
    ['a lesser label', '?labelSelector=place%3C1', base, ['a']],
    ['a later creation', '?creationTimestampAfter=2026-01-31T09:02:00Z', base, ['a', 'c-other']],
    ['an earlier creation', '?creationTimestampBefore=2026-01-31T09:02:00Z', base, ['b-100', 'a']],
    [
      'all filters together',
      '?name=*a*&labelSelector=team%3Deven,!x&creationTimestampAfter=2026-01-31T09:00:00Z&limit=5',
      base,
      ['a'],
    ],
  ])('selects by %s', async (_, query, path, expected) => {
    expect(await list(query, path, path === base ? 'reader' : 'admin')).toEqual(expected)
  })

  test.each([
    ['?limit=1001', "limit '1001' exceeds the maximum allowed '1000'"],
    ['?limit=ten', "limit 'ten' could not be converted to integer"],
    ['?limit=0', "limit '0' is not a positive number"],
    ['?continue=%C3%BC', 'could not decode the continuation token'],
    [`?continue=${btoa('only')}`, 'expected two elements on the continue token, received a different amount'],
    [`?continue=${btoa('x 2026-01-31T09:00:00Z')}`, 'first element of the continue token is not a valid int64'],
    [
      `?continue=${btoa('1 tomorrow')}`,
      "second element of the continue token 'tomorrow' does not match '2006-01-02T15:04:05Z07:00'",
    ],
    ['?labelSelector=a%3D%3D%3Db', "unable to parse requirement: found '=', expected: identifier"],
    ['?creationTimestampAfter=yesterday', "invalid creationTimestampAfter 'yesterday', expected format is RFC3339"],
  ])('rejects %s', async (query, message) => {
    expect(await list(query)).toEqual([400, message])
  })

  it('returns the newest object of a name, and any object by its uid', async () => {
    const byName = await world.kubeArchive(`${base}/a`)
    const byUid = await world.kubeArchive(`${base}/uid/${uids[0]}`)
    expect([byName.body.metadata.uid, byUid.body.metadata.uid]).toEqual([uids[4], uids[0]])
  })

  test.each([
    ['an unknown name', `${base}/nothing`, 404, 'resource not found'],
    ['an unknown uid', `${base}/uid/nothing`, 404, 'resource not found'],
    [
      'a kind that the cluster does not serve',
      '/apis/tekton.dev/v1/pipelinerunz',
      400,
      'unable to find the API resource',
    ],
    [
      'a group that the cluster does not serve',
      '/apis/nothing.dev/v1/things',
      404,
      'unable to retrieve information from',
    ],
  ])('rejects %s', async (_, path, code, message) => {
    const answer = await world.kubeArchive(path, 'admin')
    expect([answer.code, answer.body.message]).toEqual([code, expect.stringContaining(message)])
  })

  it('does not find a uid under another kind or namespace', async () => {
    const other = await world.kubeArchive(`${base.replace('pipelineruns', 'taskruns')}/uid/${uids[0]}`, 'admin')
    const away = await world.kubeArchive(`${base.replace(namespace, otherNamespace)}/uid/${uids[0]}`, 'admin')
    expect([other.code, away.code]).toEqual([404, 404])
  })

  it('lists no objects for kinds of the cluster that are not archived', async () => {
    expect(await list('', `/api/v1/namespaces/${namespace}/configmaps`, 'admin')).toEqual([])
  })

  test.each([
    '/',
    '/api',
    '/api/v1',
    `${base}/a/b`,
    `${base}/a/log/more`,
    '/apis/tekton.dev/v1/pipelineruns/a',
    '/%zz',
  ])('returns 404 for %s', async (path) => {
    const { code, text } = await world.kubeArchive(path, 'admin')
    expect([code, text]).toEqual([404, '404 page not found'])
  })

  const logs = `/api/v1/namespaces/${otherNamespace}/pods/elsewhere-build-pod/log`
  test.each([
    ['of a container', `${logs}?container=step-b`, 'three'],
    ['of the first container', logs, 'one\ntwo\n'],
    ['from the end', `${logs}?container=step-a&tailLines=1`, 'two\n'],
    [
      'of a task run',
      `/apis/tekton.dev/v1/namespaces/${otherNamespace}/taskruns/elsewhere-build/log?container=step-b`,
      'three',
    ],
    ['of a run', `/apis/tekton.dev/v1/namespaces/${otherNamespace}/pipelineruns/elsewhere/log`, 'one\ntwo\n'],
  ])('reads the log %s', async (_, path, expected) => {
    const { code, text, headers } = await world.kubeArchive(path, 'admin')
    expect([code, text, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      200,
      expected,
      'text/plain; charset=utf-8',
      'nosniff',
    ])
  })

  test.each([
    [`${logs}?container=step-z`, 404, 'no logs found for container step-z'],
    [`${base}/a/log`, 404, 'no logs found'],
    [`${logs}?tailLines=all`, 400, "tailLines 'all' could not be converted to integer"],
  ])('rejects the log request %s', async (path, code, message) => {
    const answer = await world.kubeArchive(path, 'admin')
    expect([answer.code, answer.body]).toEqual([code, { message }])
  })
})

describe('access', () => {
  let world: World
  beforeEach(
    async () =>
      void (world = await startWorld({
        rateLimits: { requests: { perSecond: 0.25, burst: 4 }, logs: { perSecond: 0.1, burst: 1 } },
      })),
  )
  afterEach(() => world.close())

  test.each<[string, string, Record<string, string>, number, string]>([
    ['a request without a token', '', {}, 400, 'empty authorization bearer token given'],
    ['an incomplete header', '', { authorization: 'Bearer' }, 400, 'incorrectly formatted authorization header'],
    ['an invalid token', 'forged', {}, 401, 'Authentication failed'],
    ['a user without permission', 'stranger', {}, 401, 'Unauthorized'],
    ['a user who may not impersonate', 'reader', { 'impersonate-user': 'root' }, 401, 'permission to impersonate'],
    ['a group without a user', 'gateway', { 'impersonate-group': 'a' }, 400, 'invalid impersonation data'],
    ['an impersonated user without permission', 'gateway', { 'impersonate-user': 'x' }, 401, 'Unauthorized'],
    ['the gateway itself', 'gateway', {}, 401, 'Unauthorized'],
    [
      'a service account that the gateway may not impersonate',
      'gateway',
      { 'impersonate-user': 'system:serviceaccount:slipway:archive' },
      401,
      'permission to impersonate',
    ],
  ])('is denied for %s', async (_, token, headers, code, message) => {
    const answer = await world.kubeArchive(base, token, headers)
    expect([answer.code, answer.body]).toEqual([code, { message: expect.stringContaining(message) }])
  })

  it('is granted as the API server decides, with or without impersonation', async () => {
    const own = await world.kubeArchive(base)
    const impersonated = await world.kubeArchive(base, 'gateway', {
      'impersonate-user': 'reader@slipway.test',
      'impersonate-group': 'a, b',
    })
    const everywhere = await world.kubeArchive('/apis/tekton.dev/v1/pipelineruns')
    const elsewhere = await world.kubeArchive(base.replace(namespace, otherNamespace))
    expect([own.code, impersonated.code, everywhere.code, elsewhere.code]).toEqual([200, 200, 401, 401])
  })

  it('is cached for a few seconds', async () => {
    const reviews = () => world.calls.filter((call) => call.includes('reviews')).length
    await world.kubeArchive(base)
    await world.kubeArchive(base)
    expect(reviews()).toBe(2)
    await world.clock.advance(5_001)
    await world.kubeArchive(base)
    expect(reviews()).toBe(4)
  })

  it('has a separate rate limit for each user', async () => {
    const codes = async (token: string) => {
      const answers = []
      for (let count = 0; count < 5; count++) answers.push(await world.kubeArchive(base, token))
      return answers.map(({ code }) => code)
    }
    expect(await codes('reader')).toEqual([200, 200, 200, 200, 429])
    expect(await codes('admin')).toEqual([200, 200, 200, 200, 429])
    const refused = await world.kubeArchive(base)
    expect([refused.body, refused.headers.get('retry-after')]).toEqual([{ message: 'too many requests' }, '4'])
    await world.clock.advance(4_000)
    expect((await world.kubeArchive(base)).code).toBe(200)
  })

  it('has a tighter rate limit for logs, beside that of all requests', async () => {
    const log = `${base}/a/log`
    expect((await world.kubeArchive(log)).code).toBe(404)
    const refused = await world.kubeArchive(log)
    expect([refused.code, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect((await world.kubeArchive(base)).code).toBe(200)
  })

  it('fails if the API server does not respond', async () => {
    await world.close()
    world = await startWorld({
      fail: ({ url }) => (url.includes('reviews') ? new Response('', { status: 500 }) : undefined),
    })
    expect((await world.kubeArchive(base)).code).toBe(500)
  })
})

describe('pages', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
    for (let index = 0; index < 40; index++) {
      const team = ['a', 'b', 'c'][index % 3] ?? ''
      await makePipelineRun(world, `run-${index}`, { metadata: { labels: { [labels.component]: team } } })
      if (index % 4 === 0) await world.clock.advance(1_000)
    }
    await world.archive.idle()
  })
  afterAll(() => world.close())

  async function pages(query: string, limit: number, between: () => Promise<void> = async () => {}) {
    const names: string[] = []
    let count = 0
    for (let token = ''; ; count++) {
      const { body } = await world.kubeArchive(
        `${base}?limit=${limit}&${query}${token && `&continue=${encodeURIComponent(token)}`}`,
      )
      names.push(...namesOf(body.items))
      token = body.metadata.continue
      if (!token) return { names, count: count + 1 }
      await between()
    }
  }

  const queries = ['', `labelSelector=${labels.component}%3Da`, 'name=*3*', `labelSelector=${labels.component}!%3Db`]
  it('ARCH-05 together contain the whole list, whatever their size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 45 }), fc.constantFrom(...queries), async (limit, query) => {
        const whole = await pages(query, 1000)
        const { names, count } = await pages(query, limit)
        expect(names).toEqual(whole.names)
        expect(count).toBe(Math.max(1, Math.ceil(names.length / limit)))
      }),
      { numRuns: 25, seed: 5 },
    )
  })

  it('neither repeat nor omit objects during concurrent writes', async () => {
    const before = (await pages('', 1000)).names
    let count = 0
    const { names } = await pages('', 7, async () => {
      await world.clock.advance(1_000)
      await makePipelineRun(world, `later-${count++}`)
      const touched = before[count * 3] ?? ''
      await world.client.patch(pipelineRunType, touched, [{ op: 'add', path: '/metadata/labels/t', value: 'x' }], {
        namespace,
      })
      await world.client.delete(pipelineRunType, before[count * 2] ?? '', { namespace }).catch(() => undefined)
      await world.archive.idle()
    })
    expect(names).toEqual(before)
  })
})

it('archives pods with the names that readers use', async () => {
  const world = await startWorld()
  const run = await makePipelineRun(world, 'run')
  const pod = await makePod(world, await makeTaskRun(world, run, 'build'), { 'step-build': 'text' })
  await world.archive.idle()
  await world.client.delete(podType, nameOf(pod), { namespace })
  await world.archive.idle()
  const { body } = await world.kubeArchive(`/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}`)
  const log = await world.kubeArchive(`/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}/log?container=step-build`)
  expect([body.kind, body.metadata.uid, log.text]).toEqual(['Pod', uidOf(pod), 'text'])
  await world.close()
})

it('a damaged store is reported without its path', async () => {
  const store = openArchiveStore(':memory:')
  const get = () => {
    throw damagedError('/secret/archive.sqlite', ['the row 1 is damaged'])
  }
  const world = await startWorld({ store: { ...store, get } })
  const { code, body } = await world.kubeArchive('/readyz', '')
  expect([code, body.message]).toEqual([503, 'The data in the store is damaged: the row 1 is damaged.'])
  const uid = '11111111-2222-4333-8444-555555555555'
  const record = await world.results(`${namespace}/results/${uid}/records/${uid}`)
  expect(record.text).toContain('The data in the store is damaged')
  expect(record.text).not.toContain('/secret')
  await world.close()
  store.close()
})
