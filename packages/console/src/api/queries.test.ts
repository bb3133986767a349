import { nameOf } from '@slipway/kube/object'
import { applicationType, type Application } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { describe, expect, it, test, vi } from 'vitest'
import { ApiError } from '@slipway/kube/status'
import { namespace, testCluster } from '../../test/cluster'
import { startApi } from '../../test/render-route'
import { countQuery, getQuery, listQuery } from './queries'
import { createQueryClient, isTransient, queryClient, staleTimeMs } from './query-client'
import { applications } from '../resources/applications'
import { namespaces } from '../resources/namespaces'

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => anApplication({ metadata: { name: `app-${n}`, namespace } }))

async function scene(count = 0) {
  const cluster = await testCluster({ as: 'admin', objects: many(count) })
  startApi()
  return cluster
}

it('CALL-01, CALL-02 reads a list with one call to the cluster', async () => {
  const { calls } = await scene(3)
  const list = await queryClient.fetchQuery(applications.list(namespace))
  expect(list.items.map(nameOf).toSorted()).toEqual(['app-0', 'app-1', 'app-2'])
  const path = `/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications`
  expect(calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([`GET ${path}`])
  expect(new URL(calls[0]?.path ?? '', 'http://a').searchParams.get('limit')).toBe('500')
})

it('reads every page of a list', async () => {
  // A page has up to 500 objects.
  const { calls } = await scene(503)
  const list = await queryClient.fetchQuery(applications.list(namespace))
  expect(new Set(list.items.map(nameOf)).size).toBe(503)
  expect(list.metadata.resourceVersion).toMatch(/^\d+$/)
  expect(list.metadata.continue).toBeUndefined()
  expect(calls).toHaveLength(2)
})

it('counts every page when the server omits the number of remaining objects', async () => {
  const { faults } = await scene()
  const responses = [page(['a'], 'first'), page(['a', 'b'], 'second'), page(['c'])]
  faults.intercept(() => responses.shift())
  expect(await queryClient.fetchQuery(countQuery(applicationType, { namespace }))).toBe(3)
})

const page = (names: string[], token?: string) =>
  Response.json({
    metadata: { resourceVersion: '7', continue: token },
    items: names.map((name) => ({ metadata: { name, uid: name, resourceVersion: '1' } })),
  })
const expired = () =>
  Response.json({ kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 }, { status: 410 })

it('starts a list over when the continue token has expired', async () => {
  const { faults } = await scene()
  const responses = [() => page(['old'], 'token'), expired, () => page(['new'], 'token'), () => page(['newer'])]
  faults.intercept(() => responses.shift()?.())
  const list = await queryClient.fetchQuery(applications.list(namespace))
  expect(list.items.map(nameOf)).toEqual(['new', 'newer'])
})

it('fails when the continue token expires again', async () => {
  const { faults } = await scene()
  faults.intercept((path) => (path.includes('continue') ? expired() : page(['a'], 'token')))
  await expect(queryClient.fetchQuery(applications.list(namespace))).rejects.toMatchObject({ code: 410 })
})

it('a refetch keeps unchanged objects, and the list itself when nothing has changed', async () => {
  const { system } = await scene(3)
  const query = applications.list(namespace)
  const read = () =>
    queryClient.fetchQuery({ ...query, staleTime: 0 }).then(() => queryClient.getQueryData(query.queryKey))
  const before = await read()
  expect(await read()).toBe(before)
  const patch = [{ op: 'replace' as const, path: '/spec/displayName', value: 'Other' }]
  await system.patch(applicationType, 'app-1', patch, { namespace })
  const after = await read()
  const item = (list: typeof before, name: string) => list?.items.find((item: Application) => nameOf(item) === name)
  expect(item(after, 'app-0')).toBe(item(before, 'app-0'))
  expect(item(after, 'app-1')).not.toBe(item(before, 'app-1'))
  expect(item(after, 'app-1')?.spec.displayName).toBe('Other')
})

it('reads one object', async () => {
  await scene(1)
  const application = await queryClient.fetchQuery(applications.get(namespace, 'app-0'))
  expect(application.metadata.uid).toBeTruthy()
  await expect(queryClient.fetchQuery(applications.get(namespace, 'no-such'))).rejects.toMatchObject({ code: 404 })
})

test.each([0, 1, 4])('counts %i objects without reading them', async (count) => {
  const { calls } = await scene(count)
  expect(await queryClient.fetchQuery(countQuery(applicationType, { namespace }))).toBe(count)
  expect(calls[0]?.path).toMatch(/[?&]limit=1(&|$)/)
})

it('lists only the tenant namespaces that the user may see', async () => {
  await scene()
  const list = await queryClient.fetchQuery(namespaces.list())
  expect(list.items.map(nameOf)).toEqual([namespace])
})

it('query keys contain the group, plural, namespace, verb and options', () => {
  expect(listQuery(applicationType, { namespace: 'a', labels: { b: 'c' } }).queryKey).toEqual([
    'appstudio.redhat.com',
    'applications',
    'a',
    'list',
    { labels: { b: 'c' } },
  ])
  expect(getQuery(applicationType, { namespace: 'a', name: 'b' }).queryKey).toEqual([
    'appstudio.redhat.com',
    'applications',
    'a',
    'get',
    { name: 'b' },
  ])
})

it('CALL-35 a read counts as fresh for 30000 ms', () => {
  expect(staleTimeMs).toBe(30_000)
  expect(createQueryClient().getDefaultOptions().queries?.staleTime).toBe(30_000)
})

describe('CALL-37 a read that fails', () => {
  /** Reads a list, and notes when it is requested. @param codes of the first responses; later ones succeed */
  async function reading(codes: readonly number[]) {
    const { faults } = await scene()
    const remaining = [...codes]
    const atMs: number[] = []
    vi.useFakeTimers({ now: 0 })
    faults.intercept((path) => {
      if (!path.includes('/applications?')) return undefined
      atMs.push(Date.now())
      const code = remaining.shift()
      return code === undefined ? page(['a']) : Response.json({ kind: 'Status', code, message: 'no' }, { status: code })
    })
    const outcome = queryClient.fetchQuery(applications.list(namespace)).then(
      ({ items }) => items.map(nameOf),
      (error: unknown) => (error as ApiError).code,
    )
    await vi.advanceTimersByTimeAsync(60_000)
    return { atMs, outcome: await outcome }
  }

  it('is retried 3 times, after 2, 4 and 8 s, and then fails', async () =>
    expect(await reading([503, 503, 503, 503])).toEqual({ atMs: [0, 2_000, 6_000, 14_000], outcome: 503 }))

  it('succeeds when a retry does', async () =>
    expect(await reading([500, 429])).toEqual({ atMs: [0, 2_000, 6_000], outcome: ['a'] }))

  it('is retried after a time-out', async () =>
    expect(await reading([408])).toEqual({ atMs: [0, 2_000], outcome: ['a'] }))

  it.each([400, 403, 404, 409, 410, 422])('is not retried when retrying cannot help: %i', async (code) =>
    expect(await reading([code, code])).toEqual({ atMs: [0], outcome: code }),
  )
})

test.each([
  [0, true],
  [408, true],
  [429, true],
  [500, true],
  [502, true],
  [503, true],
  [504, true],
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [409, false],
  [410, false],
  [422, false],
])('CALL-37 isTransient of an error with code %i is %s', (code, expected) => {
  expect(isTransient(new ApiError({ code, message: 'm', url: '/x' }))).toBe(expected)
})

it('a programming error is not retried', () => expect(isTransient(new TypeError('x is undefined'))).toBe(false))

it('CALL-47 an object has its name, uid, version and times; labels and annotations may be missing', async () => {
  const { system } = await scene(1)
  const marked = { name: 'marked', namespace, labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['test/hold'] }
  await system.create(applicationType, anApplication({ metadata: marked }))
  await system.delete(applicationType, 'marked', { namespace })
  const [plain, full] = await Promise.all(
    ['app-0', 'marked'].map((name) => queryClient.fetchQuery(applications.get(namespace, name))),
  )
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string
  const text = expect.any(String) as string
  const common = { namespace, uid: text, resourceVersion: text, creationTimestamp: time }
  expect(plain?.metadata).toMatchObject({ ...common, name: 'app-0' })
  expect(plain?.metadata.labels).toBeUndefined()
  expect(plain?.metadata.annotations).toBeUndefined()
  expect(full?.metadata).toMatchObject({ ...common, ...marked, deletionTimestamp: time })
})

it('requests only masked fields, and accepts complete objects from a server that ignores masks', async () => {
  const { calls, faults } = await scene(1)
  const mask = ['metadata.name', 'spec.displayName']
  const masked = listQuery(applicationType, { namespace, mask })
  const [cut] = (await queryClient.fetchQuery(masked)).items
  expect(cut?.metadata).toEqual({
    name: 'app-0',
    uid: expect.any(String) as string,
    resourceVersion: expect.any(String) as string,
  })
  expect(masked.queryKey).not.toEqual(listQuery(applicationType, { namespace }).queryKey)
  expect(new URL(calls[0]?.path ?? '', 'http://a').searchParams.get('fieldMask')).toBe('metadata.name,spec.displayName')
  // A server that does not support masks.
  faults.intercept((path) => (path.includes('fieldMask') ? page(['whole']) : undefined))
  await queryClient.invalidateQueries()
  expect((await queryClient.fetchQuery(masked)).items.map(nameOf)).toEqual(['whole'])
})

it('a list that failed after its first page is read again at once', async () => {
  const { faults } = await scene()
  const responses = [() => page(['a'], 'token'), () => new Response('', { status: 403 })]
  faults.intercept(() => responses.shift()?.())
  const query = listQuery(applicationType, { namespace }, { isGradual: true })
  await expect(queryClient.fetchQuery(query)).rejects.toMatchObject({ code: 403 })
  expect(queryClient.getQueryData(query.queryKey)?.items).toHaveLength(1)
  expect((await queryClient.fetchQuery(query)).items).toEqual([])
})

it('a gradual list shows its first page while the rest loads, and never fewer rows than before', async () => {
  const { calls, faults } = await scene()
  let respondLast: (page: Response) => void = () => undefined
  const last = () => new Promise<Response>((resolve) => (respondLast = resolve))
  const responses = [() => page(['a'], 'token'), last, () => page(['c'], 'token'), last]
  faults.intercept(() => responses.shift()?.())
  const query = listQuery(applicationType, { namespace, mask: ['metadata.name'] }, { isGradual: true })
  const known = () => queryClient.getQueryData(query.queryKey)?.items.map(nameOf)
  const complete = queryClient.fetchQuery(query)
  await vi.waitFor(() => expect(known()).toEqual(['a']))
  respondLast(page(['b']))
  await complete
  expect(known()).toEqual(['a', 'b'])
  const again = queryClient.fetchQuery({ ...query, staleTime: 0 })
  await vi.waitFor(() => expect(responses).toEqual([]))
  expect(known()).toEqual(['a', 'b'])
  respondLast(page(['d']))
  await again
  expect(known()).toEqual(['c', 'd'])
  const limits = calls.map(({ path }) => new URL(path, 'http://a').searchParams.get('limit'))
  expect(limits).toEqual(['100', '2500', '100', '2500'])
})
