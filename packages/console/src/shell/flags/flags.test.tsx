import { ApiError } from '@slipway/kube/status'
import { bannerLocation, publicInfoLocation } from '@slipway/model/platform/public-info'
import { aConfigMap } from '@slipway/model/testing'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it, test, vi } from 'vitest'
import { namespace, type TestCluster } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import {
  findConditions,
  type FlagName,
  flagOnceKnown,
  isFlagOn,
  requireFlag,
  resetFlags,
  startFlags,
} from '../../api/flags/flags'
import { paths } from '../../paths'
import { RouteErrorPage } from '../errors/RouteErrorPage'
import { FlagList } from './FlagList'

const livez = '/api/k8s/plugins/kubearchive/livez'

async function open(
  search = '',
  prepare: (cluster: TestCluster) => void = () => undefined,
  { as = 'admin', awaited = 'kubearchive-logs' }: { as?: 'admin' | 'outsider'; awaited?: FlagName } = {},
) {
  const view = await renderRoute(paths.about() + search, { as })
  prepare(view.cluster)
  await view.user.click(await screen.findByRole('button', { name: 'Experimental features' }))
  const dialog = await screen.findByRole('dialog', { name: 'Feature Flags' })
  await within(dialog).findByRole('switch', { name: awaited })
  return { ...view, dialog, toggle: (name: string) => within(dialog).getByRole('switch', { name }) }
}

const withArchive = ({ faults }: TestCluster) =>
  void faults.intercept((path) => (path === livez ? new Response('ok') : undefined))

describe('the flags dialog', () => {
  it('FLAG-24, FLAG-25, FLAG-26 lists the flags, and how stable they are', async () => {
    const { dialog } = await open('', undefined, { as: 'outsider' })
    const items = within(dialog).getAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringContaining('release-monitor Unstable'),
      expect.stringContaining('column-management Stable'),
      expect.stringContaining('system-notifications Unstable'),
      expect.stringContaining('kubearchive-logs Unstable'),
      expect.stringContaining('taskruns-kubearchive Unstable'),
      expect.stringContaining('pipelineruns-kubearchive Unstable'),
    ])
  })

  it('SHELL-04, FLAG-23, FLAG-27 opens for every user, with the state of each flag', async () => {
    const { dialog, toggle } = await open('', undefined, { as: 'outsider' })
    expect(toggle('column-management')).toBeChecked()
    expect(toggle('release-monitor')).not.toBeChecked()
    expect(within(dialog).getByRole('button', { name: 'Reset to Defaults' })).toBeEnabled()
  })

  it('FLAG-17, FLAG-18, FLAG-22, PREF-02 sets a flag immediately, in the URL and in this browser', async () => {
    const { user, toggle, router } = await open('?name=x')
    const { length } = history
    await user.click(toggle('system-notifications'))
    expect(toggle('system-notifications')).toBeChecked()
    await waitFor(() => expect(router.state.location.search).toBe('?name=x&ff_system-notifications=true'))
    expect(localStorage.getItem('__ff_overrides__')).toBe('{"system-notifications":true}')
    expect(await screen.findByRole('button', { name: /^Notifications/, hidden: true })).toBeInTheDocument()
    await user.click(toggle('system-notifications'))
    await waitFor(() => expect(router.state.location.search).toBe('?name=x&ff_system-notifications=false'))
    expect(history.length).toBe(length)
    expect(screen.queryByRole('button', { name: /^Notifications/, hidden: true })).not.toBeInTheDocument()
  })

  it('FLAG-17 sets one flag right after another on a page that takes time to load', async () => {
    const { user, router } = await renderRoute(paths.applications({ namespace }))
    await user.click(await screen.findByRole('button', { name: 'Experimental features' }))
    const dialog = await screen.findByRole('dialog', { name: 'Feature Flags' })
    const toggles = ['release-monitor', 'column-management'].map((name) =>
      within(dialog).findByRole('switch', { name }),
    )
    for (const toggle of await Promise.all(toggles)) fireEvent.click(toggle)
    await waitFor(() =>
      expect(router.state.location.search).toBe('?ff_release-monitor=true&ff_column-management=false'),
    )
  })

  it('FLAG-19, FLAG-20 resets all flags, in the URL and in this browser', async () => {
    const { user, toggle, dialog, router } = await open('?ff=release-monitor&name=x')
    expect(toggle('release-monitor')).toBeChecked()
    await user.click(toggle('column-management'))
    await user.click(within(dialog).getByRole('button', { name: 'Reset to Defaults' }))
    await waitFor(() => expect(router.state.location.search).toBe('?name=x'))
    expect(localStorage.getItem('__ff_overrides__')).toBeNull()
    expect(toggle('release-monitor')).not.toBeChecked()
    expect(toggle('column-management')).toBeChecked()
  })

  it('FLAG-28, FLAG-29, FLAG-30, FLAG-31 says why the archive flags cannot be turned on without an archive', async () => {
    const { user, toggle, dialog } = await open()
    for (const name of ['kubearchive-logs', 'taskruns-kubearchive', 'pipelineruns-kubearchive']) {
      expect(toggle(name)).toBeDisabled()
      await seeTooltip(
        user,
        within(dialog).getByRole('group', { name: `${name} cannot be turned on` }),
        'The archive is not available on this cluster.',
      )
    }
  })

  it('FLAG-15, FLAG-24 lists unguarded flags while the capabilities of the platform are still loading', async () => {
    let respond: ((response: Response) => void) | undefined
    const prepare = ({ faults }: TestCluster) =>
      void faults.intercept((path) => (path === livez ? new Promise((resolve) => (respond = resolve)) : undefined))
    const { user, dialog, toggle } = await open('', prepare, { awaited: 'release-monitor' })
    await user.click(toggle('release-monitor'))
    expect(toggle('release-monitor')).toBeChecked()
    expect(within(dialog).getByRole('progressbar', { name: 'Checking what this platform supports' })).toBeVisible()
    expect(within(dialog).queryByRole('switch', { name: 'kubearchive-logs' })).not.toBeInTheDocument()
    respond?.(new Response('ok'))
    expect(await within(dialog).findByRole('switch', { name: 'kubearchive-logs' })).toBeEnabled()
    expect(within(dialog).queryByRole('progressbar')).not.toBeInTheDocument()
  })

  it('FLAG-12, FLAG-13 enables the archive flags if there is an archive', async () => {
    const { user, toggle } = await open('', withArchive)
    expect(toggle('kubearchive-logs')).toBeEnabled()
    await user.click(toggle('kubearchive-logs'))
    expect(toggle('kubearchive-logs')).toBeChecked()
  })

  it('FLAG-32 says when there are no flags', () => {
    render(<FlagList flags={[]} states={{}} onToggle={() => undefined} />)
    expect(screen.getByText('No experimental features found.')).toBeVisible()
  })
})

describe('a flag in the URL', () => {
  it('FLAG-05, FLAG-09 overrides the stored setting for as long as the tab is open', async () => {
    const { router } = await renderRoute(`${paths.overview()}?ff_system-notifications=true`)
    localStorage.setItem('__ff_overrides__', '{"system-notifications":false}')
    expect(await screen.findByRole('button', { name: /^Notifications/ })).toBeVisible()
    await router.navigate(paths.namespaces())
    await screen.findByRole('heading', { name: 'Namespaces' })
    expect(screen.getByRole('button', { name: /^Notifications/ })).toBeVisible()
  })

  it('FLAG-09 still applies when a page to which a link led is reloaded', async () => {
    const { router } = await renderRoute(`${paths.overview()}?ff_release-monitor=true`)
    await waitFor(() => expect(isFlagOn('release-monitor')).toBe(true))
    await router.navigate(paths.releaseMonitor())
    await screen.findByRole('heading', { name: 'Release Monitor', level: 1 })
    // What main.tsx does when the page is loaded again.
    startFlags()
    expect(isFlagOn('release-monitor')).toBe(true)
    resetFlags()
    startFlags()
    expect(isFlagOn('release-monitor')).toBe(false)
  })

  it('FLAG-06 turns off a flag that is on', async () => {
    const { router } = await renderRoute(`${paths.overview()}?ff=system-notifications`)
    expect(await screen.findByRole('button', { name: /^Notifications/ })).toBeVisible()
    await router.navigate(`${paths.overview()}?ff_system-notifications=false`)
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Notifications/ })).not.toBeInTheDocument())
  })

  it('FLAG-09 applies again when the user returns to the page with Back', async () => {
    const { user, router, toggle, dialog } = await open()
    await user.click(toggle('release-monitor'))
    await waitFor(() => expect(router.state.location.search).toBe('?ff_release-monitor=true'))
    await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    await router.navigate(`${paths.namespaces()}?ff_release-monitor=false`)
    await waitFor(() => expect(isFlagOn('release-monitor')).toBe(false))
    await router.navigate(-1)
    await waitFor(() => expect(router.state.location.search).toBe('?ff_release-monitor=true'))
    await waitFor(() => expect(isFlagOn('release-monitor')).toBe(true))
  })
})

describe('conditions', () => {
  it('FLAG-13, FLAG-15, PREF-03 are checked while the page is open, and remembered', async () => {
    const { cluster } = await renderRoute(paths.about())
    withArchive(cluster)
    expect(isFlagOn('kubearchive-logs')).toBe(false)
    localStorage.setItem('__ff_overrides__', '{"kubearchive-logs":true}')
    expect(isFlagOn('kubearchive-logs')).toBe(false)
    expect(await flagOnceKnown('kubearchive-logs')).toBe(true)
    expect(isFlagOn('kubearchive-logs')).toBe(true)
    expect(localStorage.getItem('__ff_conditions__')).toContain('"isKubearchiveEnabled":true')
  })

  test.each([
    ['staging', true],
    ['production', false],
  ])('FLAG-14 on a cluster of %s, isStagingCluster is %s', async (environment, expected) => {
    const { cluster } = await renderRoute(paths.namespaces())
    cluster.faults.intercept((path) =>
      path.endsWith(publicInfoLocation.name)
        ? Response.json(aConfigMap({ data: { 'info.json': JSON.stringify({ environment }) } }))
        : undefined,
    )
    expect((await findConditions()).isStagingCluster).toBe(expected)
  })

  it('FLAG-16 count as false if they cannot be checked, even if they were true before', async () => {
    const { cluster } = await renderRoute(paths.namespaces())
    localStorage.setItem('__ff_conditions__', '{"isKubearchiveEnabled":true,"isStagingCluster":true}')
    cluster.faults.intercept((path) =>
      path === livez || path.endsWith(publicInfoLocation.name) ? Response.json({}, { status: 403 }) : undefined,
    )
    expect(await findConditions()).toEqual({ isKubearchiveEnabled: false, isStagingCluster: false })
    expect(isFlagOn('kubearchive-logs')).toBe(false)
  })

  it('are not checked while no guarded flag is requested', async () => {
    const { cluster } = await renderRoute(`${paths.about()}?ff=release-monitor`)
    await screen.findByRole('heading', { name: 'About Slipway' })
    await waitFor(() => expect(cluster.calls.some(({ path }) => path.includes(bannerLocation.name))).toBe(true))
    expect(cluster.calls.some(({ path }) => path === livez)).toBe(false)
  })
})

it('a page guarded by a flag is not found while the flag is off', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await renderRoute(paths.about())
  const guarded = (search: string) =>
    render(
      <RouterProvider
        router={createMemoryRouter(
          [
            {
              path: '/guarded',
              HydrateFallback: () => null,
              ErrorBoundary: RouteErrorPage,
              loader: async ({ request }) => {
                await requireFlag('release-monitor', request)
                return null
              },
              Component: () => 'The guarded page',
            },
          ],
          { initialEntries: [`/guarded${search}`] },
        )}
      />,
    )
  const off = guarded('')
  expect(await screen.findByRole('heading', { name: '404: Page not found' })).toBeVisible()
  await expect(requireFlag('release-monitor', { url: 'http://localhost/' })).rejects.toThrow(ApiError)
  off.unmount()
  guarded('?ff_release-monitor=true')
  expect(await screen.findByText('The guarded page')).toBeVisible()
  vi.restoreAllMocks()
})
