import { applicationType } from '@slipway/model/builds/application'
import { beforeEach, expect, it } from 'vitest'
import { accessReview } from './access-review'
import { batchReviews, isReview } from './access-review-batch'

const path = '/api/k8s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const review = (namespace: string): RequestInit => ({
  method: 'POST',
  headers: { 'x-requested-with': 'slipway' },
  body: JSON.stringify(accessReview({ verb: 'list', type: applicationType, namespace })),
})
const namespacesIn = (body: unknown): string[] =>
  [...String(body).matchAll(/"namespace":"(\w+)"/g)].map(([, namespace]) => namespace ?? '')

const sent: { path: string; init: RequestInit }[] = []
let batchStatus = 200
beforeEach(() => {
  sent.length = 0
  batchStatus = 200
})

/** Allows access to the namespace `mine`, and fails for `broken`. */
const gateway = async (at: string, init: RequestInit): Promise<Response> => {
  sent.push({ path: at, init })
  const responses = namespacesIn(init.body).map((namespace) => ({
    code: namespace === 'broken' ? 500 : 201,
    body: { status: { allowed: namespace === 'mine' } },
  }))
  if (at === path) return Response.json(responses[0]?.body, { status: responses[0]?.code ?? 500 })
  return Response.json({ items: responses }, { status: batchStatus })
}
const resultsOf = async (request: ReturnType<typeof batchReviews>, namespaces: string[]) =>
  Promise.all(
    namespaces.map(async (namespace) => {
      const response = await request(path, review(namespace))
      return [response.status, ((await response.json()) as { status?: { allowed: boolean } }).status?.allowed]
    }),
  )

it('sends reviews requested together in one call, and returns a response for each', async () => {
  const responses = await resultsOf(batchReviews(gateway), ['mine', 'theirs', 'broken'])
  expect(responses).toEqual([
    [201, true],
    [201, false],
    [500, false],
  ])
  expect(sent.map((call) => call.path)).toEqual(['/api/k8s/access-reviews'])
  expect(sent[0]?.init).toMatchObject({ method: 'POST', headers: { 'x-requested-with': 'slipway' } })
})

it('splits reviews into batches that the gateway accepts', async () => {
  const responses = await resultsOf(batchReviews(gateway), [...Array<string>(33).fill('theirs'), 'mine'])
  expect(responses.at(-1)).toEqual([201, true])
  expect(sent.map((call) => namespacesIn(call.init.body).length)).toEqual([32, 2])
})

it('sends a single review by itself', async () => {
  expect(await resultsOf(batchReviews(gateway), ['mine'])).toEqual([[201, true]])
  expect(sent.map((call) => call.path)).toEqual([path])
})

it.each([404, 405])('sends reviews one by one once a gateway has responded to a batch with %i', async (status) => {
  batchStatus = status
  const request = batchReviews(gateway)
  expect(await resultsOf(request, ['mine', 'theirs'])).toEqual([
    [201, true],
    [201, false],
  ])
  await resultsOf(request, ['mine', 'theirs'])
  expect(sent.map((call) => call.path)).toEqual(['/api/k8s/access-reviews', path, path, path, path])
})

it.each([401, 403, 429, 502])('passes a %i for the batch on to each caller', async (status) => {
  batchStatus = status
  expect(await resultsOf(batchReviews(gateway), ['mine', 'theirs'])).toEqual([
    [status, undefined],
    [status, undefined],
  ])
})

it('a batch is aborted only when all its callers have aborted', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const request = batchReviews(async (at, init) => {
    sent.push({ path: at, init })
    return new Promise(() => {})
  })
  for (const { signal } of [first, second]) void request(path, { ...review('mine'), signal })
  await expect.poll(() => sent).toHaveLength(1)
  first.abort()
  expect(sent[0]?.init.signal?.aborted).toBe(false)
  second.abort()
  expect(sent[0]?.init.signal?.aborted).toBe(true)
})

it.each<[boolean, string, RequestInit]>([
  [true, path, review('mine')],
  [true, path.replace('access', 'rules'), review('mine')],
  [false, path.replace('selfs', 's'), review('mine')],
  [false, path, { method: 'GET' }],
  [false, '/api/k8s/api/v1/namespaces', review('mine')],
])('isReview is %s for %s', (expected, at, init) => expect(isReview(at, init)).toBe(expected))
