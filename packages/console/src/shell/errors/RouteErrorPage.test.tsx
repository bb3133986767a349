import { ApiError } from '@slipway/kube/status'
import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it, test, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { LazyPartError } from './LazyPartErrorPage'
import { RouteErrorPage } from './RouteErrorPage'

const failing = (error: unknown) =>
  render(
    <RouterProvider
      router={createMemoryRouter([
        {
          path: '/',
          Component: () => null,
          HydrateFallback: () => null,
          ErrorBoundary: RouteErrorPage,
          loader: () => {
            throw error
          },
        },
      ])}
    />,
  )

describe('by itself', () => {
  // React Router reports what it catches.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

  test.each([
    ['ERR-09 a 403', new ApiError({ code: 403, url: '/', message: 'no' }), "Let's get you access"],
    ['ERR-12 another HTTP error', new ApiError({ code: 500, url: '/', message: 'broken' }), 'Something went wrong'],
    ['ERR-12 no answer', new ApiError({ code: 0, url: '/', message: 'no network' }), 'Something went wrong'],
    ['ERR-12 an answer of a loader', new Response('', { status: 502 }), 'Something went wrong'],
    ['ERR-28 a 404', new ApiError({ code: 404, url: '/', message: 'gone' }), '404: Page not found'],
    ['ERR-15 a part that did not arrive', new LazyPartError('lost'), 'An unknown error occurred.'],
    ['ERR-13 a mistake of ours', new TypeError('x is not a function'), 'Oh no! Something went wrong.'],
    ['ERR-13 something that is no error', 'a string', 'Oh no! Something went wrong.'],
  ])('%s', async (_, error, heading) => {
    failing(error)
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeVisible()
  })

  it('ERR-14 a mistake of ours has details, closed at first', async () => {
    failing(new TypeError('x is not a function'))
    const summary = await screen.findByText('Details')
    expect(screen.getByText('x is not a function')).not.toBeVisible()
    await userEvent.click(summary)
    expect(screen.getByText('x is not a function')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Stack trace' })).toHaveTextContent('RouteErrorPage.test')
  })

  it('ERR-16 a part that did not arrive can be asked for again', async () => {
    failing(new LazyPartError('lost'))
    expect(await screen.findByRole('button', { name: 'Reload Page' })).toBeVisible()
  })
})

describe('in the console', () => {
  it('ERR-01, ERR-02, NAV-41, NAV-43 a path that nothing matches', async () => {
    const { user } = await renderRoute('/no/such/page', { as: 'outsider' })
    expect(
      await screen.findByText("Looks like that page doesn't exist. Let's get you back to your applications list."),
    ).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Go to applications list' }))
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeVisible()
  })

  it('NAV-03, NAV-44 the root of a namespace leads to its applications', async () => {
    const { router } = await renderRoute(paths.namespace({ namespace }))
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    expect(router.state.location.pathname).toBe(paths.applications({ namespace }))
  })

  it('NAV-25, NAV-26, NAV-27 a namespace that cannot be entered offers another one', async () => {
    const { user } = await renderRoute(paths.applications({ namespace: 'somebody-elses' }))
    expect(
      await screen.findByRole('heading', { name: 'Unable to access namespace somebody-elses', level: 1 }),
    ).toBeVisible()
    expect(screen.getByText(/namespaces "somebody-elses" is forbidden/)).toBeVisible()
    await user.click(screen.getByRole('link', { name: `Go to ${namespace} namespace` }))
    expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
  })

  it('NAV-27 the other namespace is the one that was used last', async () => {
    const other = 'team-search'
    const { router } = await renderRoute(paths.applications({ namespace: other }), {
      objects: [
        aNamespace({ metadata: { name: other } }),
        aRoleBinding({
          metadata: { namespace: other },
          subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('admin') }],
        }),
      ],
    })
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    await router.navigate(paths.applications({ namespace: 'somebody-elses' }))
    expect(await screen.findByRole('link', { name: `Go to ${other} namespace` })).toBeVisible()
  })
})
