import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { onTestFinished } from 'vitest'
import { queryClient } from '../src/api/query-client'
import { type Faults, testCluster, type TestClusterOptions } from './cluster'
import { startApi } from './render-route'

/**
 * Renders an element that several screens share, alone on a page, against a new cluster.
 * @param query of the URL, such as `?status=Failed`
 * @param prepare called before the first request, such as to intercept it
 */
export async function renderElement(
  element: ReactElement,
  {
    as = 'admin',
    objects,
    archives,
    query = '',
    prepare,
  }: Partial<TestClusterOptions> & { query?: string; prepare?: (faults: Faults) => void } = {},
) {
  const cluster = await testCluster({ as, objects, archives })
  prepare?.(cluster.faults)
  history.replaceState(null, '', `/${query}`)
  startApi()
  const router = createBrowserRouter([{ path: '*', element: <main>{element}</main> }])
  onTestFinished(() => router.dispose())
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, cluster, router, user: userEvent.setup() }
}
