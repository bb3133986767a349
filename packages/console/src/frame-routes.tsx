import type { RouteObject } from 'react-router'
import { queryClient } from './api/query-client'
import { userQuery } from './api/session/session'
import { Component as OverviewPage, page as overview } from './features/overview/OverviewPage'
import { paths, pattern } from './paths'
import { banners } from './resources/banners'
import { screen } from './screen-routes'
import { AppLayout } from './shell/AppLayout'
import { LazyNotFoundPage } from './shell/errors/LazyNotFoundPage'
import { RouteErrorPage } from './shell/errors/RouteErrorPage'
import { namespaceLoader } from './shell/namespace-loader'

/** Id of the route around the screens of a namespace. */
export const namespaceId = 'namespace'

/** The routes of every visit. @param ofNamespace absent until they are discovered (`discoverRoutes`) */
export const createRoutes = (ofNamespace?: RouteObject[]): RouteObject[] => [
  {
    // No screen is shown before the gateway has identified the user.
    loader: () => {
      void queryClient.prefetchQuery(banners.list())
      return queryClient.ensureQueryData(userQuery)
    },
    Component: AppLayout,
    HydrateFallback: AppLayout,
    ErrorBoundary: RouteErrorPage,
    children: [
      {
        ErrorBoundary: RouteErrorPage,
        children: [
          // Loaded with the frame, which contains what most pages need.
          { path: paths.overview(), loader: overview.loader, Component: OverviewPage },
          screen(paths.allVulnerabilities, () => import('./features/vulnerabilities/AllVulnerabilitiesPage')),
          screen(paths.search, () => import('./features/search/SearchPage')),
          screen(paths.about, () => import('./features/overview/AboutPage')),
          screen(paths.signedIn, () => import('./features/session/SignedInPage')),
          screen(paths.namespaces, () => import('./features/namespaces/NamespaceListPage')),
          screen(paths.releaseMonitor, () => import('./features/releases/ReleaseMonitorPage')),
          {
            id: namespaceId,
            path: pattern(paths.namespace),
            loader: namespaceLoader,
            ErrorBoundary: RouteErrorPage,
            ...(ofNamespace && { children: ofNamespace }),
          },
          { path: '*', Component: LazyNotFoundPage },
        ],
      },
    ],
  },
]
