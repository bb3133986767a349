import { anApplication } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import { matchRoutes } from 'react-router'
import { expect, it, vi } from 'vitest'
import { namespace } from '../test/cluster'
import { renderRoute } from '../test/render-route'
import { discoverRoutes } from './discover-routes'
import { createRoutes, namespaceId } from './frame-routes'
import { paths } from './paths'
import { routes } from './routes'

const discovered = { discover: discoverRoutes }

it('the first screen of a namespace is found although its routes come later, and so are the next ones', async () => {
  const { router } = await renderRoute(paths.applications({ namespace }), {
    ...discovered,
    objects: [anApplication({ metadata: { name: 'checkout' } })],
  })
  expect(await screen.findByRole('link', { name: 'checkout' })).toBeVisible()
  await router.navigate(paths.secrets({ namespace }))
  expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeVisible()
})

it('a path of a namespace that no screen has is not found', async () => {
  await renderRoute(`${paths.namespace({ namespace })}/no-such`, discovered)
  expect(await screen.findByRole('heading', { name: '404: Page not found' })).toBeVisible()
})

it('routes are added once, and only for the screens of a namespace', async () => {
  const patch = vi.fn()
  const at = (path: string, all = createRoutes()) => ({
    path,
    matches: matchRoutes(all, path) ?? [],
    patch,
    signal: new AbortController().signal,
  })
  await discoverRoutes(at('/no/such') as never)
  await discoverRoutes(at(paths.namespace({ namespace }), routes) as never)
  expect(patch).not.toHaveBeenCalled()
  await discoverRoutes(at(paths.namespace({ namespace })) as never)
  await waitFor(() => expect(patch).toHaveBeenCalledExactlyOnceWith(namespaceId, expect.any(Array)))
})
