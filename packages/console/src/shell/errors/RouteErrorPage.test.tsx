import { namespaceType } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import { anApplication, aNamespace, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { ChunkLoadError } from './ChunkLoadErrorPage'
import { RouteErrorPage } from './RouteErrorPage'

const failing = (error: unknown, isBroken = () => true) =>
  render(
    <RouterProvider
      router={createMemoryRouter([
        {
          path: '/',
          Component: () => 'The page',
          HydrateFallback: () => null,
          ErrorBoundary: RouteErrorPage,
          loader: () => {
            if (isBroken()) throw error
            return null
          },
        },
      ])}
    />,
  )

const raise = (message: string) => {
  throw new Error(message)
}

describe('the error page by itself', () => {
  // React Router logs the errors it catches.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

  test.each([
    ['ERR-09 a 403', new ApiError({ code: 403, url: '/', message: 'no' }), "Let's get you access"],
    ['ERR-12 another HTTP error', new ApiError({ code: 500, url: '/', message: 'broken' }), 'Something went wrong'],
    ['ERR-12 no response', new ApiError({ code: 0, url: '/', message: 'no network' }), 'Something went wrong'],
    ['ERR-12 a Response thrown by a loader', new Response('', { status: 502 }), 'Something went wrong'],
    ['ERR-28 a 404', new ApiError({ code: 404, url: '/', message: 'gone' }), '404: Page not found'],
    ['ERR-15 a chunk that could not be loaded', new ChunkLoadError('lost'), 'An unknown error occurred.'],
    ['ERR-13 a bug in the console', new TypeError('x is not a function'), 'Oh no! Something went wrong.'],
    ['ERR-13 a thrown value that is not an Error', 'a string', 'Oh no! Something went wrong.'],
  ])('%s', async (_, error, heading) => {
    failing(error)
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeVisible()
  })

  it('ERR-14 a bug in the console has details, collapsed at first', async () => {
    failing(new TypeError('x is not a function'))
    const summary = await screen.findByText('Details')
    for (const text of ['Description', 'x is not a function', 'Stack trace']) {
      expect(screen.getByText(text)).not.toBeVisible()
    }
    await userEvent.click(summary)
    expect(screen.getByText('Description')).toBeVisible()
    expect(screen.getByText('x is not a function')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Stack trace' })).toHaveTextContent('RouteErrorPage.test')
  })

  it.each([
    ['ERR-16 a chunk that could not be loaded', new ChunkLoadError('lost')],
    ['a bug in the console', new TypeError('x is not a function')],
  ])('%s: the page can be asked for again', async (_, error) => {
    failing(error)
    const button = await screen.findByRole('button', { name: 'Reload Page' })
    const reload = vi.fn()
    vi.stubGlobal('location', { reload })
    onTestFinished(() => void vi.unstubAllGlobals())
    await userEvent.click(button)
    expect(reload).toHaveBeenCalledOnce()
  })

  test.each([
    [
      'an error with a message from the server',
      new ApiError({ code: 500, url: '/', message: 'etcd is down' }),
      ['500 Internal Server Error', 'etcd is down'],
    ],
    [
      'an error without a message from the server',
      new ApiError({ code: 502, url: '/', message: 'Bad Gateway' }),
      ['502 Bad Gateway'],
    ],
    [
      'no response',
      new ApiError({ code: 0, url: '/', message: 'Failed to fetch' }),
      ['The server cannot be reached.', 'Failed to fetch'],
    ],
    ['an invalid success response', new ApiError({ code: 200, url: '/', message: 'names no user' }), ['names no user']],
  ])('ERR-12 reports %s once', async (_, error, words) => {
    failing(error)
    const heading = await screen.findByRole('heading', { name: 'Something went wrong' })
    const page = heading.closest('section')
    expect([...(page?.querySelectorAll('p') ?? [])].map((line) => line.textContent)).toEqual(words)
  })

  it('names the request that failed on the server, for the log of the gateway', async () => {
    failing(new ApiError({ code: 502, url: '/', message: 'Bad Gateway', requestId: '1b4e28ba' }))
    expect(await screen.findByText('Request 1b4e28ba')).toBeVisible()
  })

  it('ERR-12 an HTTP error can be retried', async () => {
    let isBroken = true
    failing(new ApiError({ code: 500, url: '/', message: 'broken' }), () => isBroken)
    const button = await screen.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.click(button)
    expect(await screen.findByText('The page')).toBeVisible()
  })

  test.each<[string, unknown, string]>([
    ['a string', 'a string', 'a string'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['a value that cannot be serialized', { toJSON: () => raise('no') }, 'An unknown error occurred.'],
  ])('ERR-13, ERR-14 shows %s that was thrown, and no stack of its own', async (_, error, text) => {
    failing(error)
    await userEvent.click(await screen.findByText('Details'))
    expect(screen.getByText(text)).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Stack trace' })).not.toBeInTheDocument()
  })
})

describe('the error page in the console', () => {
  it('ERR-01, ERR-02, NAV-41, NAV-43 a path that matches no route shows the 404 page', async () => {
    const { user } = await renderRoute('/no/such/page', { as: 'outsider' })
    expect(
      await screen.findByText("Looks like that page doesn't exist. Let's get you back to your applications list."),
    ).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Go to applications list' }))
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeVisible()
  })

  it('ERR-28 the page of an application that does not exist names it and its namespace', async () => {
    await renderRoute(paths.application({ namespace, application: 'no-such' }))
    expect(await screen.findByText(/^There is no application/)).toHaveTextContent(
      `There is no application no-such in the namespace ${namespace}.`,
    )
    expect(screen.getByText(/^Looks like that page doesn't exist\./)).toBeVisible()
  })

  it('ERR-28 a tab that does not exist does not claim that its application is missing', async () => {
    await renderRoute(paths.activityTab({ namespace, application: 'checkout', activityTab: 'no-such' }), {
      objects: [anApplication({ metadata: { name: 'checkout' } })],
    })
    expect(await screen.findByText(/^Looks like that page doesn't exist\./)).toBeVisible()
    expect(screen.queryByText(/There is no/)).not.toBeInTheDocument()
  })

  it('NAV-03, NAV-44 the root of a namespace redirects to its applications', async () => {
    const { router } = await renderRoute(paths.namespace({ namespace }))
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    expect(router.state.location.pathname).toBe(paths.applications({ namespace }))
  })

  test.each([
    ['the root of a namespace', paths.namespace({ namespace })],
    ['a pipeline run without its name', `/ns/${namespace}/pipelineruns`],
  ])('NAV-03, NAV-44 Back skips the opened address of %s, which redirects', async (_, address) => {
    const entries = history.length
    const { router } = await renderRoute(address)
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.applications({ namespace })))
    // The address was replaced: a further entry would redirect again.
    expect(history.length).toBe(entries)
  })

  it('NAV-25, NAV-26, NAV-27 a namespace that cannot be accessed offers another one', async () => {
    const { user } = await renderRoute(paths.applications({ namespace: 'somebody-elses' }))
    expect(
      await screen.findByRole('heading', { name: 'Unable to access namespace somebody-elses', level: 1 }),
    ).toBeVisible()
    expect(screen.getByText(/namespaces "somebody-elses" is forbidden/)).toBeVisible()
    expect(screen.getByText(/^It does not exist, or you do not have access to it/)).toBeVisible()
    await user.click(screen.getByRole('link', { name: `Go to ${namespace} namespace` }))
    expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
  })

  it('a namespace that the cluster says is missing is said not to exist', async () => {
    const { cluster, router } = await renderRoute(paths.about())
    cluster.faults.intercept((path) =>
      path.endsWith('/namespaces/long-gone')
        ? Response.json({ kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' }, { status: 404 })
        : undefined,
    )
    await router.navigate(paths.application({ namespace: 'long-gone', application: 'checkout' }))
    expect(await screen.findByText('It does not exist. It may have been deleted.')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Unable to access namespace long-gone', level: 1 })).toBeVisible()
  })

  it('a page of a namespace that has been deleted since it was read says that it may not exist', async () => {
    const { cluster, router } = await renderRoute(paths.applications({ namespace }), {
      objects: [anApplication({ metadata: { name: 'checkout' } })],
    })
    await screen.findByRole('link', { name: 'checkout' })
    await router.navigate(paths.namespaces())
    await cluster.system.delete(namespaceType, namespace)
    await waitFor(() => expect(cluster.system.get(namespaceType, namespace)).rejects.toMatchObject({ code: 404 }))
    queryClient.removeQueries({ queryKey: ['access-rules', namespace] })
    await router.navigate(paths.secrets({ namespace }))
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
    expect(await screen.findByText(/^The namespace may also not exist/)).toBeVisible()
  })

  it('NAV-27 the offered namespace is the last used one', async () => {
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
