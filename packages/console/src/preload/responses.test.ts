import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { client, configureApi, gateway, onRefusal, type Refusal } from '../api/client'
import { preload } from './responses'

const calls: string[] = []
let answers: Response[] = []
let signals: (AbortSignal | null | undefined)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  calls.length = 0
  answers = []
  signals = []
  configureApi({ baseUrl: '', fetch: (...call) => globalThis.fetch(...call) })
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    calls.push(`${init?.method ?? 'GET'} ${url}`)
    signals.push(init?.signal)
    return answers.shift() ?? Response.json({ call: calls.length })
  })
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('answers the first same call with what was asked early, and the next one anew', async () => {
  preload('/api/k8s/version')
  expect(await client.request('/version')).toEqual({ call: 1 })
  expect(calls).toHaveLength(1)
  expect(await client.request('/version')).toEqual({ call: 2 })
})

it('is for the very same call alone: address, method and body', async () => {
  preload('/api/k8s/apis/reviews', { method: 'POST', body: '{"a":1}' })
  const post = (body: string) => client.request('/apis/reviews', { method: 'POST', body })
  expect(await client.request('/apis/reviews')).toEqual({ call: 2 })
  expect(await post('{"a":2}')).toEqual({ call: 3 })
  expect(await client.request('/apis/reviews?limit=1')).toEqual({ call: 4 })
  expect(await post('{"a":1}')).toEqual({ call: 1 })
})

it('drops after ten seconds what nobody has taken', async () => {
  preload('/api/k8s/version')
  vi.advanceTimersByTime(10_000)
  expect(signals[0]?.aborted).toBe(true)
  expect(await client.request('/version')).toEqual({ call: 2 })
})

it('is given up by whoever has taken it', async () => {
  preload('/api/k8s/version')
  const controller = new AbortController()
  const answer = client.request('/version', { signal: controller.signal })
  controller.abort()
  expect(signals[0]?.aborted).toBe(true)
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})

it('fails as the same call would, and is asked anew afterwards', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  preload('/api/k8s/version')
  await expect(client.request('/version')).rejects.toMatchObject({ code: 0, reason: 'NetworkFailure' })
})

it('says that nobody is signed in as any answer does', async () => {
  const refusals: Refusal[] = []
  const stop = onRefusal((refusal) => refusals.push(refusal))
  answers = [Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })]
  preload('/oauth2/userinfo')
  await expect(gateway.request('/oauth2/userinfo')).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  stop()
  expect(refusals).toEqual([{ kind: 'session-end' }])
})
