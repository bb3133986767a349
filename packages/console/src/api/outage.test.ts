import { ApiError } from '@slipway/kube/status'
import { afterEach, beforeEach, expect, it, onTestFinished, test, vi } from 'vitest'
import { configureApi, repeatSlowReads, send } from './client'
import { startIdle } from './idle'
import { currentOutage, onRecovery, startOutageWatch, suspectOutage } from './outage'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 0, 31, 9, 5) })
  onTestFinished(startIdle(() => {}))
})
afterEach(() => void vi.useRealTimers())

const failure = (code: number) => new ApiError({ code, message: 'The cluster is being started again.', url: '/' })
const watchWith = (probe: () => Promise<unknown>) => onTestFinished(startOutageWatch(probe))

test.each([
  ['a response', () => Promise.resolve({})],
  ['a refusal', () => Promise.reject(failure(403))],
  ['an internal error', () => Promise.reject(failure(500))],
])('a sign of trouble is no outage when the probe gets %s', async (_, probe) => {
  watchWith(probe)
  suspectOutage()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(currentOutage()).toBeUndefined()
})

test.each([0, 502, 503, 504])(
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

it('takes a probe without a response for an outage after two seconds', async () => {
  watchWith(() => new Promise(() => {}))
  suspectOutage()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(currentOutage()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(currentOutage()?.reason).toBe('The server is not responding.')
})

it('sends reads without a response again when the cluster has recovered, and writes never', async () => {
  const fetch = vi.fn(() => new Promise<Response>(() => {}))
  configureApi({ fetch })
  let respond = () => {}
  watchWith(() => new Promise<void>((resolve) => (respond = resolve)))
  const read = send('/api/k8s/api/v1/namespaces/a/pods')
  void send('/api/k8s/api/v1/namespaces/a/pods', { method: 'POST', body: '{}' })
  await vi.advanceTimersByTimeAsync(7_000)
  expect(currentOutage()).toBeDefined()
  fetch.mockResolvedValue(new Response('again'))
  respond()
  expect(await (await read).text()).toBe('again')
  expect(fetch).toHaveBeenCalledTimes(3)
})

it('takes the response of the first attempt when it is the one that comes', async () => {
  const responses: ((response: Response) => void)[] = []
  configureApi({ fetch: () => new Promise((resolve) => responses.push(resolve)) })
  const read = send('/api/k8s/version')
  await vi.advanceTimersByTimeAsync(5_000)
  repeatSlowReads()
  expect(responses).toHaveLength(2)
  responses[0]?.(new Response('first'))
  expect(await (await read).text()).toBe('first')
})

it('a plugin that fails is no sign of an outage, and a gateway error of the cluster is one', async () => {
  const probe = vi.fn(() => Promise.resolve())
  watchWith(probe)
  configureApi({ fetch: () => Promise.resolve(new Response('', { status: 503 })) })
  await send('/api/k8s/plugins/kubearchive/livez')
  expect(probe).not.toHaveBeenCalled()
  await send('/api/k8s/version')
  expect(probe).toHaveBeenCalledOnce()
})
