import { bannerEntry, bannerLocation } from '@slipway/model/platform/public-info'
import { aConfigMap } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { setFlag } from '../api/flags/flags'
import { queryClient } from '../api/query-client'
import { paths } from '../paths'
import { banners } from '../resources/banners'

const navigation = () => screen.getByRole('navigation', { name: 'Main' })

describe('the frame', () => {
  it('SHELL-01, SHELL-03 has a header with the logo, a sidebar and the page', async () => {
    await renderRoute(paths.about())
    await screen.findByRole('heading', { level: 1 })
    const header = within(screen.getByRole('banner'))
    expect(header.getByRole('link', { name: 'Slipway, overview' })).toHaveAttribute('href', paths.overview())
    expect(screen.getByRole('main')).toBeVisible()
    // On a narrow screen, as that of jsdom, it starts closed.
    expect(document.getElementById('sidebar')).toContainElement(
      screen.getByRole('navigation', { name: 'Main', hidden: true }),
    )
  })

  it('SHELL-01, SHELL-29 has the banner, the drawer and all header controls for a user without a namespace', async () => {
    const { user, cluster } = await renderRoute(`${paths.overview()}?ff=system-notifications`, { as: 'outsider' })
    cluster.faults.intercept((path) =>
      path.endsWith(bannerLocation.name)
        ? Response.json(aConfigMap({ data: { [bannerEntry]: '- {summary: Quiet please, type: info}' } }))
        : undefined,
    )
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(queryClient.getQueryData(banners.list().queryKey)).toBeDefined())
    await act(() => queryClient.refetchQueries({ queryKey: banners.list().queryKey }))
    expect(await screen.findByRole('region', { name: 'Banner' })).toHaveTextContent('Quiet please')
    const header = within(screen.getByRole('banner'))
    expect(header.getByRole('button', { name: 'Experimental features' })).toBeEnabled()
    expect(header.getByRole('button', { name: 'Theme: System' })).toBeEnabled()
    await user.click(await header.findByRole('button', { name: 'Notifications, 0' }))
    expect(await screen.findByRole('complementary', { name: 'Notifications' })).toBeVisible()
  })

  it('SHELL-02 has a toggle that shows and hides the sidebar', async () => {
    const { user } = await renderRoute(paths.about())
    const toggle = await screen.findByRole('button', { name: 'Show navigation' })
    const sidebar = document.getElementById('sidebar')
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    expect(sidebar).toHaveAttribute('inert')
    await user.click(toggle)
    expect(navigation()).toBeVisible()
    expect(sidebar).not.toHaveAttribute('inert')
    await user.click(screen.getByRole('button', { name: 'Hide navigation' }))
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    expect(sidebar).toHaveAttribute('inert')
  })

  it('closes a sidebar that covers the page on Escape, and when one of its links is clicked', async () => {
    const { user } = await renderRoute(paths.about())
    await user.click(await screen.findByRole('button', { name: 'Show navigation' }))
    within(navigation()).getByRole('link', { name: 'Namespaces' }).focus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Show navigation' })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Show navigation' }))
    await user.click(within(navigation()).getByRole('link', { name: 'Namespaces' }))
    await screen.findByRole('heading', { name: 'Namespaces' })
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Show navigation' }))
    await user.click(within(navigation()).getByRole('link', { name: 'Namespaces' }))
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Namespaces' })).toHaveFocus()
  })

  it('SHELL-12, SHELL-13 shows the signed-in user, who can log out', async () => {
    const { user, cluster } = await renderRoute(paths.about())
    await user.click(await screen.findByRole('button', { name: emailOf('admin') }))
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    await waitFor(() => expect(cluster.departures.some((url) => url.startsWith('/oauth2/sign_in'))).toBe(true))
  })

  it('starts with a link that skips to the content', async () => {
    const { user } = await renderRoute(paths.about())
    await screen.findByRole('heading', { level: 1 })
    await user.tab()
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('main')).toHaveFocus()
  })
})

describe('the sidebar', () => {
  it('SHELL-14, SHELL-17, SHELL-18, SHELL-19 has the release monitor only with its flag, in a fixed order', async () => {
    const { user } = await renderRoute(paths.about())
    await user.click(await screen.findByRole('button', { name: 'Show navigation' }))
    const links = () => within(navigation()).getAllByRole('link')
    const labels = () => links().map((link) => link.textContent)
    const others = ['Applications', 'Secrets', 'Releases', 'User Access']
    expect(labels()).toEqual(['Overview', 'Namespaces', ...others])
    act(() => setFlag('release-monitor', true))
    expect(labels()).toEqual(['Overview', 'Namespaces', 'Release Monitor', ...others])
    expect(links().map((link) => link.getAttribute('href'))).toEqual([
      '/',
      '/ns',
      '/releasemonitor',
      ...others.map(() => null),
    ])
  })

  it('SHELL-15, SHELL-16 disables namespace links until a namespace has been visited', async () => {
    const { user } = await renderRoute(paths.about())
    await user.click(await screen.findByRole('button', { name: 'Show navigation' }))
    const link = (name: string) => within(navigation()).getByRole('link', { name })
    expect(link('Overview')).toHaveAttribute('href', '/')
    expect(link('Namespaces')).toHaveAttribute('href', '/ns')
    for (const name of ['Applications', 'Secrets', 'Releases', 'User Access']) {
      expect(link(name)).toHaveAttribute('aria-disabled', 'true')
      expect(link(name)).not.toHaveAttribute('href')
    }
    await user.hover(within(navigation()).getByText('User Access'))
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Select a namespace first')
    expect(link('Overview')).toHaveAttribute('aria-current', 'page')
  })

  it('SHELL-20, SHELL-21, SHELL-23, PREF-09 links to the last used namespace, even from pages outside it', async () => {
    const { user, router } = await renderRoute(paths.applications({ namespace }))
    await screen.findByRole('heading', { name: 'Applications' })
    expect(localStorage.getItem('lastUsedNamespace')).toBe(namespace)
    await router.navigate(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway' })
    await user.click(screen.getByRole('button', { name: 'Show navigation' }))
    const link = within(navigation()).getByRole('link', { name: 'Applications' })
    expect(link).toHaveAttribute('href', paths.applications({ namespace }))
    expect(within(navigation()).getByRole('link', { name: 'Secrets' })).toHaveAttribute(
      'href',
      paths.secrets({ namespace }),
    )
    expect(within(navigation()).getByRole('link', { name: 'Releases' })).toHaveAttribute(
      'href',
      paths.releaseArea({ namespace }),
    )
    expect(within(navigation()).getByRole('link', { name: 'User Access' })).toHaveAttribute(
      'href',
      paths.access({ namespace }),
    )
  })
})

describe('the current link of the sidebar', () => {
  it.each([
    [paths.overview(), 'Overview'],
    [paths.namespaces(), 'Namespaces'],
    [`${paths.releaseMonitor()}?ff=release-monitor`, 'Release Monitor'],
    [paths.applications({ namespace }), 'Applications'],
    [paths.createApplication({ namespace }), 'Applications'],
    [paths.pipelineRuns({ namespace }), 'Applications'],
    [paths.allComponents({ namespace }), 'Applications'],
    [paths.componentGroups({ namespace }), 'Applications'],
    [paths.componentGroupTests({ namespace, componentGroup: 'missing' }), 'Applications'],
    [paths.secrets({ namespace }), 'Secrets'],
    [paths.releaseArea({ namespace }), 'Releases'],
    [paths.releasePlanAdmissions({ namespace }), 'Releases'],
    [paths.createReleasePlan({ namespace }), 'Releases'],
    [paths.grantAccess({ namespace }), 'User Access'],
  ])('on %s is %s', async (path, label) => {
    const { user } = await renderRoute(path)
    await screen.findByRole('heading', { level: 1 })
    await user.click(screen.getByRole('button', { name: 'Show navigation' }))
    const current = within(navigation())
      .getAllByRole('link')
      .filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map((link) => link.textContent)).toEqual([label])
  })
})

describe('the theme', () => {
  it('SHELL-07, SHELL-08, SHELL-11, PREF-08 is one of three, applied immediately and remembered', async () => {
    const { user } = await renderRoute(paths.about())
    await user.click(await screen.findByRole('button', { name: 'Theme: System' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual(['SystemFollow system preference', 'Light', 'Dark'])
    await user.click(screen.getByRole('menuitem', { name: 'Dark' }))
    expect(document.documentElement).toHaveClass('pf-v6-theme-dark')
    // Not JSON: `public/theme.js` reads it before the first paint.
    expect(localStorage.getItem('konflux-theme-preference')).toBe('dark')
    await user.click(screen.getByRole('button', { name: 'Theme: Dark' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Light' }))
    expect(document.documentElement).not.toHaveClass('pf-v6-theme-dark')
  })

  it('SHELL-09, SHELL-10 follows the system until the user chooses another', async () => {
    const system = Object.assign(new EventTarget(), { matches: false })
    vi.spyOn(globalThis, 'matchMedia').mockImplementation(() => system as unknown as MediaQueryList)
    await renderRoute(paths.about())
    await screen.findByRole('button', { name: 'Theme: System' })
    expect(document.documentElement).not.toHaveClass('pf-v6-theme-dark')
    system.matches = true
    system.dispatchEvent(new Event('change'))
    await waitFor(() => expect(document.documentElement).toHaveClass('pf-v6-theme-dark'))
    vi.restoreAllMocks()
  })
})

describe('a change of page', () => {
  it('NAV-04, NAV-05 sets the document title, focuses the heading and announces the title', async () => {
    const { user } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway' })
    await waitFor(() => expect(document.title).toBe('About Slipway | Slipway'))
    await user.click(screen.getByRole('link', { name: 'View my namespaces' }))
    const heading = await screen.findByRole('heading', { name: 'Namespaces' })
    await waitFor(() => expect(heading).toHaveFocus())
    await waitFor(() => expect(document.title).toBe('Namespaces | Slipway'))
    expect(await screen.findByText('Namespaces | Slipway')).toHaveAttribute('aria-live', 'polite')
  })
})
