import { nameOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { expect, it, onTestFinished } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { useObject } from '../../api/source'
import { applications } from '../../resources/applications'
import { DetailLayout } from './DetailLayout'

const query = applications.get(namespace, 'checkout')
const tabs = [
  { label: 'Overview', to: '/checkout' },
  { label: 'Components', to: '/checkout/components' },
]

function Layout() {
  return (
    <DetailLayout
      kind="Application"
      name="checkout"
      source={useObject(query)}
      breadcrumbs={[{ label: 'Applications', to: '/' }]}
      label={(object: Application) => object.spec.description}
      actions={() => [{ label: 'Stop', onSelect: () => undefined, isWrite: true }]}
      tabs={tabs}
    />
  )
}

const Name = () => <p>tab of {nameOf(useSuspenseQuery(query).data)}</p>

async function scene(path = '/checkout', answer?: (path: string) => Response | undefined) {
  const checkout = anApplication({ metadata: { name: 'checkout' }, spec: { description: 'as it was' } })
  const cluster = await testCluster({ as: 'admin', objects: [checkout] })
  const heal = answer && cluster.faults.intercept(answer)
  history.replaceState(null, '', path)
  startApi()
  const router = createBrowserRouter([
    {
      path: '/checkout',
      Component: Layout,
      ErrorBoundary: () => <p>the page of the route for what is wrong</p>,
      children: [
        { index: true, Component: Name },
        { path: 'components', element: <p>its components</p> },
      ],
    },
  ])
  onTestFinished(() => router.dispose())
  const view = render(
    <QueryClientProvider client={queryClient}>
      <main>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  )
  return { ...view, cluster, heal, router, user: userEvent.setup() }
}

it('NAV-04 has the name, and tabs with URLs and titles of their own', async () => {
  const { user } = await scene()
  expect(await screen.findByText('tab of checkout')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'checkout', level: 1 })).toBeVisible()
  expect(document.title).toBe('checkout - Overview | Slipway')
  await user.click(screen.getByRole('tab', { name: 'Components' }))
  expect(await screen.findByText('its components')).toBeVisible()
  expect(location.pathname).toBe('/checkout/components')
  expect(document.title).toBe('checkout - Components | Slipway')
})

it('passes axe with its menu open', async () => {
  const { user, container } = await scene()
  await user.click(await screen.findByRole('button', { name: 'Actions for checkout' }))
  await screen.findByRole('menuitem', { name: 'Stop' })
  // jsdom has no layout, so colours are checked in a browser.
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations).toEqual([])
})

it('LIVE-23 follows changes of the object with a watch of it alone', async () => {
  const { cluster } = await scene()
  expect(await screen.findByText('as it was')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Live' })).toBeVisible()
  expect(cluster.sockets().map(({ searchParams }) => searchParams.get('fieldSelector'))).toEqual([
    'metadata.name=checkout',
  ])
  const reads = () => cluster.calls.filter(({ path }) => path.includes('/applications'))
  expect(reads()).toHaveLength(1)
  const stored = await cluster.system.get(applicationType, 'checkout', { namespace })
  await cluster.system.create(
    applicationType,
    anApplication({ metadata: { name: 'ledger' }, spec: { description: 'other' } }),
  )
  await cluster.system.replace(applicationType, { ...stored, spec: { ...stored.spec, description: 'as it is' } })
  expect(await screen.findByText('as it is')).toBeVisible()
  expect(reads()).toHaveLength(1)
})

it('after a lost connection shows the changes that were made meanwhile', async () => {
  const { cluster } = await scene()
  await screen.findByRole('button', { name: 'Live' })
  cluster.faults.areSocketsBlocked = true
  cluster.faults.cutSockets()
  await screen.findByRole('button', { name: /Updated \d+ s ago/ })
  const stored = await cluster.system.get(applicationType, 'checkout', { namespace })
  await cluster.system.replace(applicationType, { ...stored, spec: { ...stored.spec, description: 'as it is' } })
  cluster.faults.areSocketsBlocked = false
  expect(await screen.findByText('as it is')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Live' })).toBeVisible()
})

it('keeps showing an object that is deleted meanwhile, with its actions disabled and the reason', async () => {
  const { cluster, user } = await scene()
  await screen.findByRole('button', { name: 'Live' })
  await cluster.system.delete(applicationType, 'checkout', { namespace })
  expect(await screen.findByText(/This application was deleted/)).toBeVisible()
  expect(screen.getByText('tab of checkout')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
  expect(await screen.findByRole('menuitem', { name: 'Stop' })).toHaveAttribute('aria-disabled', 'true')
})

it('immediately disables write actions while offline, with the reason', async () => {
  const { user, cluster } = await scene()
  await screen.findByRole('button', { name: 'Live' })
  cluster.faults.intercept(() => {
    throw new TypeError('no network')
  })
  cluster.faults.areSocketsBlocked = true
  cluster.faults.cutSockets()
  dispatchEvent(new Event('offline'))
  expect(await screen.findByRole('button', { name: /^Offline since/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
  const stop = await screen.findByRole('menuitem', { name: 'Stop' })
  expect(stop).toHaveAttribute('aria-disabled', 'true')
  await seeTooltip(user, stop, /^You have been offline since .* You can make changes once/)
})

it('leaves an object that does not exist to the not-found page of the route', async () => {
  await scene('/checkout', (path) =>
    path.includes('/applications/') ? Response.json({ message: 'not found' }, { status: 404 }) : undefined,
  )
  expect(await screen.findByText('the page of the route for what is wrong')).toBeVisible()
})

it('ERR-29 says why an object cannot be read, and can retry', async () => {
  const { user, heal } = await scene('/checkout', (path) =>
    path.includes('/applications') ? Response.json({ message: 'confused' }, { status: 422 }) : undefined,
  )
  expect(await screen.findByText('Unable to load application')).toBeVisible()
  heal?.()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByText('tab of checkout')).toBeVisible())
})

it('shows the object as YAML without managed fields, at a URL of its own', async () => {
  const { user } = await scene()
  await screen.findByText('tab of checkout')
  await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
  await user.click(await screen.findByRole('menuitem', { name: 'View YAML' }))
  const yaml = await screen.findByRole('region', { name: 'YAML of checkout' })
  expect(yaml).toHaveTextContent('kind: Application')
  expect(yaml).not.toHaveTextContent('managedFields')
  await waitFor(() => expect(location.search).toBe('?yaml='))
  await user.click(screen.getByRole('switch', { name: 'Managed fields' }))
  expect(yaml).toHaveTextContent('managedFields')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(location.search).toBe(''))
})
