import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { client, configureApi, gateway, onRefusal, type Refusal } from './client'
import { preload } from './preloaded-responses'

const calls: string[] = []
let responses: Response[] = []
let signals: (AbortSignal | null | undefined)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  calls.length = 0
  responses = []
  signals = []
  configureApi({ baseUrl: '', fetch: (...call) => globalThis.fetch(...call) })
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    calls.push(`${init?.method ?? 'GET'} ${url}`)
    signals.push(init?.signal)
    return responses.shift() ?? Response.json({ call: calls.length })
  })
})
afterEach(() => {
  vi.runAllTimers()
  vi.unstubAllGlobals()
})

it('a preloaded response is taken by the first request that is the same, and the next one is sent', async () => {
  preload('/api/k8s/version')
  expect(await client.request('/version')).toEqual({ call: 1 })
  expect(calls).toHaveLength(1)
  expect(await client.request('/version')).toEqual({ call: 2 })
})

it('a preloaded response is only for a request with the same URL, method and body', async () => {
  preload('/api/k8s/apis/reviews', { method: 'POST', body: '{"a":1}' })
  const post = (body: string) => client.request('/apis/reviews', { method: 'POST', body })
  expect(await client.request('/apis/reviews')).toEqual({ call: 2 })
  expect(await post('{"a":2}')).toEqual({ call: 3 })
  expect(await client.request('/apis/reviews?limit=1')).toEqual({ call: 4 })
  expect(await post('{"a":1}')).toEqual({ call: 1 })
})

it('a preloaded response that is not taken is dropped after ten seconds', async () => {
  preload('/api/k8s/version')
  vi.advanceTimersByTime(10_000)
  expect(signals[0]?.aborted).toBe(true)
  expect(await client.request('/version')).toEqual({ call: 2 })
})

it('a preloaded request is aborted with the request that has taken its response', async () => {
  preload('/api/k8s/version')
  const controller = new AbortController()
  const response = client.request('/version', { signal: controller.signal })
  controller.abort()
  expect(signals[0]?.aborted).toBe(true)
  await expect(response).rejects.toMatchObject({ name: 'AbortError' })
})

it('a preloaded request that fails fails the request that takes it, and the next one is sent', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  preload('/api/k8s/version')
  await expect(client.request('/version')).rejects.toMatchObject({ code: 0, reason: 'NetworkFailure' })
})

it('a preloaded response reports the end of the session as any response does', async () => {
  const refusals: Refusal[] = []
  const stop = onRefusal((refusal) => refusals.push(refusal))
  responses = [Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })]
  preload('/oauth2/userinfo')
  await expect(gateway.request('/oauth2/userinfo')).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  stop()
  expect(refusals).toEqual([{ kind: 'session-end' }])
})
