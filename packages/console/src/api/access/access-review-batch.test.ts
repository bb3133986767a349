import { applicationType } from '@slipway/model/supply-chain/application'
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
let bundleStatus = 200
beforeEach(() => {
  sent.length = 0
  bundleStatus = 200
})

/** Allows what is asked about `mine`, and fails for `broken`. */
const gateway = async (at: string, init: RequestInit): Promise<Response> => {
  sent.push({ path: at, init })
  const answers = namespacesIn(init.body).map((namespace) => ({
    code: namespace === 'broken' ? 500 : 201,
    body: { status: { allowed: namespace === 'mine' } },
  }))
  if (at === path) return Response.json(answers[0]?.body, { status: answers[0]?.code ?? 500 })
  return Response.json({ items: answers }, { status: bundleStatus })
}
const answersOf = async (ask: ReturnType<typeof batchReviews>, namespaces: string[]) =>
  Promise.all(
    namespaces.map(async (namespace) => {
      const response = await ask(path, review(namespace))
      return [response.status, ((await response.json()) as { status?: { allowed: boolean } }).status?.allowed]
    }),
  )

it('asks in one call what is asked in one go, and answers each by itself', async () => {
  const answers = await answersOf(batchReviews(gateway), ['mine', 'theirs', 'broken'])
  expect(answers).toEqual([
    [201, true],
    [201, false],
    [500, false],
  ])
  expect(sent.map((call) => call.path)).toEqual(['/api/k8s/access-reviews'])
  expect(sent[0]?.init).toMatchObject({ method: 'POST', headers: { 'x-requested-with': 'slipway' } })
})

it('asks as many at once as the gateway takes', async () => {
  const answers = await answersOf(batchReviews(gateway), [...Array<string>(33).fill('theirs'), 'mine'])
  expect(answers.at(-1)).toEqual([201, true])
  expect(sent.map((call) => namespacesIn(call.init.body).length)).toEqual([32, 2])
})

it('asks a single question by itself', async () => {
  expect(await answersOf(batchReviews(gateway), ['mine'])).toEqual([[201, true]])
  expect(sent.map((call) => call.path)).toEqual([path])
})

it.each([404, 405])('asks one by one from then on where a gateway answers a bundle with %i', async (status) => {
  bundleStatus = status
  const ask = batchReviews(gateway)
  expect(await answersOf(ask, ['mine', 'theirs'])).toEqual([
    [201, true],
    [201, false],
  ])
  await answersOf(ask, ['mine', 'theirs'])
  expect(sent.map((call) => call.path)).toEqual(['/api/k8s/access-reviews', path, path, path, path])
})

it.each([401, 403, 429, 502])('gives %i to each of them, and takes it for no answer', async (status) => {
  bundleStatus = status
  expect(await answersOf(batchReviews(gateway), ['mine', 'theirs'])).toEqual([
    [status, undefined],
    [status, undefined],
  ])
})

it('goes on while one of them is wanted, and ends with the last', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const ask = batchReviews(async (at, init) => {
    sent.push({ path: at, init })
    return new Promise(() => {})
  })
  for (const { signal } of [first, second]) void ask(path, { ...review('mine'), signal })
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
])('%s: a bundle may take %s', (expected, at, init) => expect(isReview(at, init)).toBe(expected))
