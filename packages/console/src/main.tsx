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
import { startLive } from './api/live/live'
import { startOutageWatch } from './api/live/outage'
import { queryClient } from './api/query-client'
import { startDiscovery } from './api/served-types'
import { startSession } from './api/session/session'
import { basePath } from './lib/base-path'
import { moveSheetIntoHead } from './preload/style-order'
import { routes } from './routes'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element.')

moveSheetIntoHead()

const start = () => {
  startConnectivity(() => gateway.request('/oauth2/userinfo'))
  startOutageWatch((signal) => client.request('/version', { signal }))
  startSession()
  startDiscovery(client.request)
  startFlags()
  startAccess(queryClient)
  startLive(queryClient)
  void import('./lib/foreign-text').then(({ guardTexts }) => guardTexts())

  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createBrowserRouter(routes, { basename: basePath })} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

// Nothing is sent before the role is applied that this tab is viewed as.
if (viewedRole.get().rules)
  void import('./api/access/role-lens')
    .then(({ applyViewedRole }) => applyViewedRole())
    .catch(viewedRole.clear)
    .then(start)
else start()
