import '@patternfly/react-core/dist/styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { startAccess } from './api/access/access'
import { viewedRole } from './api/access/viewed-role'
import { client, gateway } from './api/client'
import { startConnectivity } from './api/live/connectivity'
import { startFlags } from './api/flags/flags'
import { startOutageWatch } from './api/live/outage'
import { queryClient } from './api/query-client'
import { startDiscovery } from './api/served-types'
import { startSession } from './api/session/session'
import { basePath } from './lib/base-path'
import { moveSheetIntoHead } from './preload/style-order'
import { discoverRoutes, loadNamespaceRoutes } from './discover-routes'
import { createRoutes } from './frame-routes'

/** How soon what could not be loaded is loaded again. */
const retryMs = 10_000

moveSheetIntoHead()

function start(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root element.')
  startConnectivity(() => gateway.request('/oauth2/userinfo'))
  startOutageWatch((signal) => client.request('/version', { signal }))
  startSession()
  startDiscovery(client.request)
  startFlags()
  startAccess(queryClient)
  startLiveUpdates()
  void import('./lib/foreign-text').then(({ guardTexts }) => guardTexts())

  const router = createBrowserRouter(createRoutes(), {
    basename: basePath,
    patchRoutesOnNavigation: discoverRoutes,
  })
  // Once the first page is there, for the next one, which says itself if they cannot be loaded.
  router.subscribe(({ initialized }) => {
    if (initialized) loadNamespaceRoutes().catch(() => undefined)
  })
  void import('./shell/prefetch-screens').then(({ startPrefetch }) => startPrefetch(router))

  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** After the first reads, from which every watch continues. */
function startLiveUpdates(): void {
  import('./api/live/live').then(
    ({ startLive }) => startLive(queryClient),
    () => setTimeout(startLiveUpdates, retryMs),
  )
}

// Nothing is sent before the role is applied that this tab is viewed as.
if (viewedRole.get().rules)
  void import('./api/access/role-lens')
    .then(({ applyViewedRole }) => applyViewedRole())
    .catch(viewedRole.clear)
    .then(start)
else start()
