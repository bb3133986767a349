import { type Clock, every, systemClock } from '@slipway/kube/clock'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createBrowserRouter, type PatchRoutesOnNavigationFunction, RouterProvider } from 'react-router'
import { onTestFinished } from 'vitest'
import { startAccess } from '../src/api/access/access'
import { client, gateway } from '../src/api/client'
import { startConnectivity } from '../src/api/live/connectivity'
import { startFlags } from '../src/api/flags/flags'
import { startLive } from '../src/api/live/live'
import { startOutageWatch } from '../src/api/live/outage'
import { queryClient } from '../src/api/query-client'
import { startViews } from '../src/api/views/open-view'
import { linkTasks } from '../src/resources/link-task-store'
import { startSession } from '../src/api/session/session'
import { createRoutes } from '../src/frame-routes'
import { routes } from '../src/routes'
import { patienceMs } from '../../../scripts/lib/patience.mjs'
import { fastClock } from './fast-clock'
import { reportOpenedScreens } from './opened-screens'
import { type Faults, testCluster, type TestClusterOptions } from './cluster'
import { expectNoUncheckedActions } from './unchecked-actions'

/**
 * Renders the whole console at a URL, against a new cluster.
 * @param path built by `paths`
 * @param prepare called before the first request, such as to intercept it
 */
export async function renderRoute(
  path: string,
  {
    as = 'admin',
    prepare,
    discover,
    ...options
  }: Partial<TestClusterOptions> & {
    prepare?: (faults: Faults) => void
    /** Starts with the routes of the first load, as a browser does, instead of all. */
    discover?: PatchRoutesOnNavigationFunction
  } = {},
) {
  const cluster = await testCluster({ as, ...options })
  prepare?.(cluster.faults)
  expectNoUncheckedActions()
  // A browser router, since state in the URL (nuqs) is read from the location of the page.
  history.replaceState(null, '', path)
  startApi()
  stayActive()
  const router = createBrowserRouter(
    reportOpenedScreens(discover ? createRoutes() : routes),
    discover && { patchRoutesOnNavigation: discover },
  )
  onTestFinished(() => router.dispose())
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, cluster, router, user: userEvent.setup() }
}

/** Moves the pointer now and then: on the fast clock, a slow test would otherwise leave an idle tab behind. */
function stayActive(): void {
  onTestFinished(every(systemClock, 1_000, () => dispatchEvent(new Event('pointermove'))))
}

/** Starts what `main.tsx` starts, without state from earlier tests. */
export function startApi(clock: Clock = fastClock()): void {
  queryClient.clear()
  linkTasks.set([])
  localStorage.clear()
  sessionStorage.clear()
  const stops = [
    startConnectivity(() => gateway.request('/oauth2/userinfo')),
    // On the real clock, and only a failed probe counts: a busy machine, however slow, would block every write as an
    // outage, and a click on a button that is disabled for a moment does nothing.
    startOutageWatch((signal) => client.request('/version', { signal }), systemClock, {
      decideMs: patienceMs,
      timeoutMs: patienceMs,
    }),
    startSession(),
    startFlags(),
    startAccess(queryClient),
    startLive(queryClient, clock),
    startViews(clock),
  ]
  onTestFinished(() => {
    for (const stop of stops) stop()
    queryClient.clear()
  })
}
