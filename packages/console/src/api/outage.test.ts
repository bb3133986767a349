import { ApiError } from '@slipway/kube/status'
import { afterEach, beforeEach, expect, it, onTestFinished, test, vi } from 'vitest'
import { client, configureApi, send } from './client'
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

it('a plugin that fails is no sign of an outage, and a gateway error of the cluster is one', async () => {
  const probe = vi.fn(() => Promise.resolve())
  watchWith(probe)
  configureApi({ fetch: () => Promise.resolve(new Response('', { status: 503 })) })
  await send('/api/k8s/plugins/kubearchive/livez')
  expect(probe).not.toHaveBeenCalled()
  await send('/api/k8s/version')
  expect(probe).toHaveBeenCalledOnce()
})
