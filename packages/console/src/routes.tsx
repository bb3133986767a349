import { type LazyRouteFunction, redirect, type RouteObject } from 'react-router'
import { paths, pattern } from './paths'
import { AppLayout } from './shell/AppLayout'
import { LazyPartError } from './shell/errors/LazyPartErrorPage'
import { NotFoundPage } from './shell/errors/NotFoundPage'
import { RouteErrorPage } from './shell/errors/RouteErrorPage'

/** A screen that is fetched when it is first visited. */
const screen =
  <M extends object>(load: () => Promise<M>): LazyRouteFunction<RouteObject> =>
  async () => {
    const { Component, loader } = (await load().catch((cause: unknown) => {
      throw new LazyPartError('A part of the console could not be loaded.', { cause })
    })) as Pick<RouteObject, 'Component' | 'loader'>
    return { Component, loader }
  }

/** The route tree: the only file that knows every screen. */
export const routes: RouteObject[] = [
  {
    Component: AppLayout,
    ErrorBoundary: RouteErrorPage,
    children: [
      {
        ErrorBoundary: RouteErrorPage,
        children: [
          { path: paths.overview(), lazy: screen(() => import('./features/overview/OverviewPage')) },
          {
            path: pattern(paths.namespace),
            ErrorBoundary: RouteErrorPage,
            children: [
              {
                index: true,
                loader: ({ params }) => redirect(paths.applications({ namespace: params.namespace ?? '' })),
              },
            ],
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]
