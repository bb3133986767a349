import { ApiError } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { beforeEach, expect, it, onTestFinished, test, vi } from 'vitest'
import { client, configureApi, send } from '../client'
import { DisconnectedError } from './connectivity'
import { freshnessOf } from './freshness'
import { startIdle } from './idle'
import { setLiveState } from './live-state'
import { currentOutage, onRecovery, startOutageWatch, suspectOutage } from './outage'
import { listQuery } from '../queries'
import { queryClient } from '../query-client'
import { allOrNothing } from '../writes/all-or-nothing'
import { inOrder, inParallel } from '../writes/perform-writes'
import { create, sendWrite } from '../writes/writes'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 0, 31, 9, 5) })
  onTestFinished(startIdle(() => {}))
})

const failure = (code: number) => new ApiError({ code, message: 'The cluster is being started again.', url: '/' })
const watchWith = (probe: (signal: AbortSignal) => Promise<unknown>) => onTestFinished(startOutageWatch(probe))

test.each([
  ['a response', () => Promise.resolve({})],
  ['a 403', () => Promise.reject(failure(403))],
  ['an internal error', () => Promise.reject(failure(500))],
])('a sign of trouble is not an outage when the probe gets %s', async (_, probe) => {
  watchWith(probe)
  suspectOutage()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(currentOutage()).toBeUndefined()
})

test.each([0, 408, 502, 503, 504])(
  'a probe that fails with %i means an outage, until a later one succeeds',
  async (code) => {
    const probe = vi.fn(() => Promise.reject<unknown>(failure(code)))
    watchWith(probe)
    const recovered = vi.fn()
    onTestFinished(onRecovery(recovered))
    suspectOutage()
    await vi.advanceTimersByTimeAsync(0)
    expect(currentOutage()).toEqual({
      since: new Date(2026, 0, 31, 9, 5),
      reason: code === 0 ? 'The server cannot be reached.' : 'The cluster is being started again.',
    })
    probe.mockResolvedValue({})
    await vi.advanceTimersByTimeAsync(3_000)
    expect(currentOutage()).toBeUndefined()
    expect(recovered).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(probe).toHaveBeenCalledTimes(2)
  },
)

it('a probe without a response means an outage after two seconds', async () => {
  watchWith(() => new Promise(() => {}))
  suspectOutage()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(currentOutage()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(currentOutage()?.reason).toBe('The server is not responding.')
})

it('a probe is aborted after ten seconds, and repeated three seconds later', async () => {
  const probe = vi.fn(
    (signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  watchWith(probe)
  suspectOutage()
  await vi.advanceTimersByTimeAsync(1_000)
  suspectOutage()
  await vi.advanceTimersByTimeAsync(11_999)
  expect(probe).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1)
  expect(probe).toHaveBeenCalledTimes(2)
  expect(currentOutage()).toEqual({ since: new Date(2026, 0, 31, 9, 5), reason: 'The server is not responding.' })
})

it('a sign of trouble after a recovery may start another outage', async () => {
  const probe = vi.fn<() => Promise<unknown>>()
  watchWith(probe.mockRejectedValueOnce(failure(503)).mockResolvedValueOnce({}).mockRejectedValue(failure(503)))
  suspectOutage()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(currentOutage()).toBeUndefined()
  suspectOutage()
  await vi.advanceTimersByTimeAsync(0)
  expect(currentOutage()?.since).toEqual(new Date(2026, 0, 31, 9, 5, 10))
})

it('does not probe while the user is away', async () => {
  const probe = vi.fn(() => Promise.reject<unknown>(failure(503)))
  watchWith(probe)
  suspectOutage()
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  const calls = probe.mock.calls.length
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(probe).toHaveBeenCalledTimes(calls)
  globalThis.dispatchEvent(new Event('keydown'))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(probe).toHaveBeenCalledTimes(calls + 1)
})

it('a stopped outage watch reports no outage, whatever a late probe says', async () => {
  const fail: ((error: Error) => void)[] = []
  const probe = vi.fn(() => new Promise((_, reject) => fail.push(reject)))
  const stop = startOutageWatch(probe)
  suspectOutage()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(currentOutage()).toBeDefined()
  stop()
  expect(currentOutage()).toBeUndefined()
  fail[0]?.(failure(503))
  suspectOutage()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(currentOutage()).toBeUndefined()
  expect(probe).toHaveBeenCalledOnce()
})

const call = (signal?: AbortSignal) => send('/api/k8s/version', { signal }).catch(() => undefined)
test.each<[string, number, () => void]>([
  ['a call that fails', 1, () => configureApi({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) })],
  ['a call that takes more than 5 s', 1, () => configureApi({ fetch: () => new Promise(() => {}) })],
  [
    'a call that takes 4 s',
    0,
    () => configureApi({ fetch: () => new Promise((go) => setTimeout(() => go(new Response()), 4_000)) }),
  ],
])('%s starts %i probe(s)', async (_, probes, prepare) => {
  const probe = vi.fn(() => Promise.resolve())
  watchWith(probe)
  prepare()
  void call()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(probe).toHaveBeenCalledTimes(probes)
})

test.each([
  ['is cancelled', new DOMException('cancelled', 'AbortError'), 0],
  ['times out', new DOMException('late', 'TimeoutError'), 1],
])('a call is a sign of trouble only when it times out: one that %s', async (_, reason, probes) => {
  const probe = vi.fn(() => Promise.resolve())
  watchWith(probe)
  configureApi({
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(reason))),
  })
  const controller = new AbortController()
  const calling = call(controller.signal)
  controller.abort(reason)
  await calling
  expect(probe).toHaveBeenCalledTimes(probes)
})

/** A list in the cache whose live connection is in this state. */
function watched(connection: 'open' | 'closed' | 'error') {
  const { queryKey } = listQuery(applicationType, { namespace: 'a' })
  queryClient.setQueryData(queryKey, { metadata: {}, items: [] })
  onTestFinished(() => queryClient.clear())
  const query = queryClient.getQueryCache().find({ queryKey }) ?? expect.fail('nothing is cached')
  setLiveState(query, { connection, isPolling: false })
  return queryKey
}

test.each([
  ['open', 0],
  ['closed', 1],
  ['error', 1],
] as const)('a live connection in state %s starts %i probe(s)', (connection, probes) => {
  const probe = vi.fn(() => Promise.resolve())
  watchWith(probe)
  watched(connection)
  expect(probe).toHaveBeenCalledTimes(probes)
})

it('a list is stale from the first sign of an outage on, though its connection is open', async () => {
  const queryKey = watched('open')
  watchWith(() => Promise.reject(failure(503)))
  await vi.advanceTimersByTimeAsync(60_000)
  const since = new Date()
  suspectOutage()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(freshnessOf(queryKey)).toEqual({
    kind: 'stale',
    asOf: since,
    reason: 'The cluster is being started again.',
  })
})

it('writes are rejected in an outage and never queued, but one that undoes another is still attempted', async () => {
  watchWith(() => Promise.reject(failure(503)))
  suspectOutage()
  await vi.advanceTimersByTimeAsync(0)
  const fetch = vi.fn(() => Promise.resolve(Response.json(anApplication())))
  configureApi({ fetch })
  const writes = [create(applicationType, anApplication({ metadata: { namespace: 'a', name: 'checkout' } }))]
  const blocked = new DisconnectedError(
    'The cluster is being started again. You can make changes once it responds again.',
  )
  for (const perform of [inOrder, inParallel, allOrNothing]) {
    await expect(perform(writes, { values: undefined })).rejects.toThrow(blocked)
  }
  expect(fetch).not.toHaveBeenCalled()
  for (const write of writes) await sendWrite(write, { dryRun: false })
  expect(fetch).toHaveBeenCalledOnce()
})

it('does not resend reads without a response while the user is away', async () => {
  const urls: string[] = []
  watchWith(() => Promise.resolve())
  configureApi({
    fetch: (input) => {
      urls.push(new URL(String(input), location.href).pathname)
      return new Promise(() => {})
    },
  })
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  client.request('/version').catch(() => {})
  await vi.advanceTimersByTimeAsync(30_000)
  expect(urls).toEqual(['/api/k8s/version'])
})

it('resends reads without a response, but never writes, when the cluster has recovered', async () => {
  const sent: string[] = []
  let isBack = false
  configureApi({
    fetch: (input, init) => {
      // The gateway itself responds all the time.
      if (String(input).endsWith('/health')) return Promise.resolve(new Response('{}'))
      sent.push(`${init?.method ?? 'GET'} ${String(input)}`)
      return isBack ? Promise.resolve(Response.json('again')) : new Promise(() => {})
    },
  })
  let respond = () => {}
  watchWith(() => new Promise<void>((resolve) => (respond = resolve)))
  const read = client.request('/api/v1/namespaces/a/pods')
  void client.request('/api/v1/namespaces/a/pods', { method: 'POST', body: '{}' }).catch(() => {})
  await vi.advanceTimersByTimeAsync(9_000)
  expect(currentOutage()).toBeDefined()
  isBack = true
  respond()
  expect(await read).toBe('again')
  expect(sent.filter((call) => call.startsWith('POST'))).toHaveLength(1)
})

it('a failing plugin is not a sign of an outage, but a gateway error for the cluster is', async () => {
  const probe = vi.fn(() => Promise.resolve())
  watchWith(probe)
  configureApi({ fetch: () => Promise.resolve(new Response('', { status: 503 })) })
  await send('/api/k8s/plugins/kubearchive/livez')
  expect(probe).not.toHaveBeenCalled()
  await send('/api/k8s/version')
  expect(probe).toHaveBeenCalledOnce()
})
