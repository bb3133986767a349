import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aConfigMap } from '@slipway/model/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, test } from 'vitest'
import { renderRoute } from '../../../test/render-route'
import { setFlag } from '../../api/flags/flags'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { discussionsUrl } from '../../product'
import { publicInfo } from '../../resources/public-info'

it('OVW-01, OVW-02, OVW-03, NAV-06 needs no permission and introduces the product', async () => {
  await renderRoute(paths.overview(), { as: 'outsider' })
  expect(await screen.findByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  expect(await screen.findByText('Build artifacts of all kinds from source')).toBeVisible()
  expect(screen.getByText('Rapidly improve the security of the software supply chain')).toBeVisible()
  expect(screen.getByText('Catch critical vulnerabilities quickly')).toBeVisible()
})

it('OVW-04, OVW-05 links to the namespaces', async () => {
  const { user, router } = await renderRoute(paths.overview(), { as: 'outsider' })
  expect(await screen.findByRole('heading', { name: 'Get started' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'View my namespaces' }))
  await screen.findByRole('heading', { name: 'Namespaces', level: 1 })
  expect(router.state.location.pathname).toBe(paths.namespaces())
})

it('OVW-06 links to the release monitor while its flag is on', async () => {
  const { user, router } = await renderRoute(paths.about())
  await screen.findByRole('heading', { name: 'Get started' })
  expect(screen.queryByRole('link', { name: 'Release Monitor Board' })).not.toBeInTheDocument()
  act(() => setFlag('release-monitor', true))
  await user.click(screen.getByRole('link', { name: 'Release Monitor Board' }))
  await screen.findByRole('heading', { name: 'Release Monitor', level: 1 })
  expect(router.state.location.pathname).toBe(paths.releaseMonitor())
})

it.each([
  ['OVW-07', 'Build'],
  ['OVW-08', 'Securely Sign'],
  ['OVW-09', 'Identify Vulnerabilities'],
  ['OVW-10', 'Supply Chain Safeguards'],
  ['OVW-11', 'Integration Tests'],
  ['OVW-12', 'SCM Integration'],
])('%s the About card lists %s', async (_, ability) => {
  await renderRoute(paths.overview(), { as: 'outsider' })
  await screen.findByRole('heading', { name: 'About', level: 2 })
  expect(screen.getByRole('heading', { name: ability, level: 3 })).toBeVisible()
})

it('OVW-13 links to the public discussions', async () => {
  await renderRoute(paths.overview(), { as: 'outsider' })
  expect(await screen.findByRole('heading', { name: 'Contact us' })).toBeVisible()
  expect(screen.getByRole('link', { name: /Open discussions/ })).toHaveAttribute('href', discussionsUrl)
})

test.each([
  ['http', 'http://status.slipway.test', true],
  ['https', 'https://status.slipway.test', true],
  ['another scheme', 'javascript:alert(1)', false],
  ['nothing', undefined, false],
])(
  'OVW-14, OVW-15 the status page card depends on the URL in the public info: %s',
  async (_, statusPageUrl, isShown) => {
    const { cluster, router } = await renderRoute(paths.namespaces())
    cluster.faults.intercept((path) =>
      path.endsWith(`/configmaps/${publicInfoLocation.name}`)
        ? Response.json(aConfigMap({ data: { 'info.json': JSON.stringify({ statusPageUrl }) } }))
        : undefined,
    )
    await screen.findByRole('heading', { name: 'Namespaces', level: 1 })
    await router.navigate(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway', level: 1 })
    if (isShown) {
      expect(await screen.findByRole('link', { name: /View Status Page/ })).toHaveAttribute('href', statusPageUrl)
      expect(screen.getByRole('heading', { name: 'Status Page' })).toBeVisible()
    } else {
      // Everything that depends on the public info has rendered by then.
      await waitFor(() => expect(queryClient.getQueryData(publicInfo.get().queryKey)).toBeDefined())
      await act(() => queryClient.refetchQueries({ queryKey: publicInfo.get().queryKey }))
      expect(screen.queryByText('Status Page')).not.toBeInTheDocument()
    }
  },
)
