import { type Application, applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { nameOf } from '@slipway/kube/object'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { type Faults, namespace, testCluster } from '../../../test/cluster'
import { fastClock } from '../../../test/fast-clock'
import { startApi } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { routes } from '../../routes'

const named = (name: string): Application => anApplication({ metadata: { name } })
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)

/** The live list of the applications `kept` and `goes`. */
async function scene(speed = 10) {
  const cluster = await testCluster({ as: 'admin', objects: [named('kept'), named('goes')] })
  // On a faster clock, connection timeouts would be too short for a busy machine.
  const clock = fastClock(1)
  startApi(clock)
  history.replaceState(null, '', paths.applications({ namespace }))
  const router = createBrowserRouter(routes)
  onTestFinished(() => router.dispose())
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: 'Live' })
  await waitFor(() => expect(cluster.openSockets()).toHaveLength(5))
  clock.setSpeed(speed)
  return { ...cluster, clock }
}

const isList = (path: string) =>
  /^\/api\/k8s\/.*\/(applications|components|releases|snapshots|pipelineruns)\?/.test(path)
const status = (code: number, headers?: HeadersInit) =>
  Response.json(
    { kind: 'Status', status: 'Failure', code, message: `told ${code}`, metadata: {} },
    { status: code, headers },
  )
const returning = (code: number, headers?: HeadersInit) => (faults: Faults) =>
  faults.intercept((path) => (isList(path) ? status(code, headers) : undefined))

/** Each row breaks something, while every socket is cut as well, and returns a function that repairs it. */
const matrix: [string, (faults: Faults) => () => void][] = [
  ['every socket is dropped', () => () => undefined],
  [
    'no socket can be opened for a while',
    (faults) => {
      faults.areSocketsBlocked = true
      return () => void (faults.areSocketsBlocked = false)
    },
  ],
  ['lists return a 401 from behind the gateway', returning(401)],
  ['lists return 403', returning(403)],
  ['lists return 410', returning(410)],
  ['lists return 429', returning(429, { 'retry-after': '1' })],
  ['lists return 500', returning(500)],
  ['lists return 503', returning(503)],
  ['lists return HTML', (faults) => faults.intercept((path) => (isList(path) ? new Response('<html>') : undefined))],
  [
    'there is no network',
    (faults) =>
      faults.intercept(() => {
        throw new TypeError('Failed to fetch')
      }),
  ],
  [
    'lists are slow',
    (faults) => {
      const release: (() => void)[] = []
      let isSlow = true
      const heal = faults.intercept((path, init) =>
        isSlow && isList(path)
          ? new Promise<Response>((_, reject) => {
              release.push(() => reject(new TypeError('Failed to fetch')))
              init.signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
            })
          : undefined,
      )
      return () => {
        isSlow = false
        heal()
        for (const end of release) end()
      }
    },
  ],
]

describe('after any connection failure, the table equals a new list', () => {
  test.each(matrix)('%s', async (_, breakIt) => {
    const { system, faults } = await scene()
    const heal = breakIt(faults)
    faults.cutSockets()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Live' })).not.toBeInTheDocument())
    // The old rows stay, and nothing claims to be current.
    expect(rowNames()).toEqual(['goes', 'kept'])
    await system.create(applicationType, named('comes'))
    await system.delete(applicationType, 'goes', { namespace })
    heal()
    // A user returns to the tab, which speeds up the recovery but is not required for it.
    dispatchEvent(new Event('focus'))
    const fresh = (await system.list(applicationType, { namespace })).items.map(nameOf).toSorted()
    expect(fresh).toEqual(['comes', 'kept'])
    await waitFor(() => expect(rowNames()).toEqual(fresh))
    await screen.findByRole('button', { name: 'Live' })
  })

  it('the computer was asleep', async () => {
    const { system, faults, clock } = await scene()
    // The sockets look open, but nothing arrives through them.
    faults.muteSockets()
    await system.create(applicationType, named('comes'))
    await system.delete(applicationType, 'goes', { namespace })
    clock.skip(8 * 3_600_000)
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(rowNames()).toEqual(['comes', 'kept']))
    await screen.findByRole('button', { name: 'Live' })
  })

  it('a socket is half open', async () => {
    const { system, faults, clock, attempts } = await scene(40)
    const before = attempts()
    faults.muteSockets()
    await system.create(applicationType, named('comes'))
    await system.delete(applicationType, 'goes', { namespace })
    await waitFor(() => expect(attempts()).toBeGreaterThan(before))
    clock.setSpeed(10)
    await waitFor(() => expect(rowNames()).toEqual(['comes', 'kept']))
    await screen.findByRole('button', { name: 'Live' })
  })
})

describe('an idle tab', () => {
  /** Minutes on the clock of the lists: long enough to see that the rate does not grow. */
  const minutes = 3

  test.each(matrix)('sends few requests while %s', async (_, breakIt) => {
    const { faults, calls, clock, attempts } = await scene(60)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const heal = breakIt(faults)
    faults.areSocketsBlocked = true
    faults.cutSockets()
    const begin = { calls: calls.length, attempts: attempts(), atMs: clock.now() }
    await waitFor(() => expect(clock.now() - begin.atMs).toBeGreaterThan(minutes * 60_000))
    const made = calls.length - begin.calls + attempts() - begin.attempts
    expect(made).toBeLessThanOrEqual(minutes * 6)
    heal()
  })

  it('sends no requests while it is live', async () => {
    const { calls, clock, attempts } = await scene(60)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const begin = { calls: calls.length, attempts: attempts(), atMs: clock.now() }
    await waitFor(() => expect(clock.now() - begin.atMs).toBeGreaterThan(60_000))
    expect(calls.length).toBe(begin.calls)
    expect(attempts()).toBe(begin.attempts)
  })
})
