import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { namespaces } from '../../resources/namespaces'

const other = 'team-search'
const objects = [
  aNamespace({ metadata: { name: other } }),
  aRoleBinding({
    metadata: { namespace: other },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('admin') }],
  }),
]
const isOfNamespaces = (path: string) => /\/api\/v1\/namespaces(\/[^/]+)?(\?.*)?$/.test(path)
const toggle = (name = namespace) => screen.findByRole('button', { name: `Switch namespace, now ${name}` })

it('NAV-16, NAV-17 has two tabs and a filter by name', async () => {
  const { user } = await renderRoute(paths.applications({ namespace }), { objects })
  expect((await toggle()).closest('nav')).toHaveAccessibleName('Breadcrumb')
  await user.click(await toggle())
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual(['Recent', 'All'])
  await screen.findByRole('menuitem', { name: namespace })
  await user.type(screen.getByRole('textbox', { name: 'Filter namespaces by name' }), 'search')
  expect(screen.queryByRole('menuitem', { name: namespace })).not.toBeInTheDocument()
  expect(screen.getByRole('menuitem', { name: other })).toBeVisible()
})

it('NAV-13, NAV-15, NAV-19, PREF-04 leads to the same section of another namespace, and remembers both', async () => {
  const { user, router } = await renderRoute(`${paths.applications({ namespace })}?name=x`, { objects })
  await user.click(await toggle())
  await user.click(await screen.findByRole('menuitem', { name: other }))
  await toggle(other)
  expect(router.state.location).toMatchObject({ pathname: paths.applications({ namespace: other }), search: '' })
  expect(localStorage.getItem('context-switcher')).toContain(`["${other}","${namespace}"]`)
})

it('NAV-14 keeps only the first section, and leads out of a namespace that the user may not access', async () => {
  const { user, router } = await renderRoute('/ns/somebody-elses/applications/x/components?tab=1', { objects })
  await screen.findByRole('heading', { level: 1 })
  await user.click(await toggle('somebody-elses'))
  await user.click(await screen.findByRole('menuitem', { name: other }))
  await screen.findByRole('heading', { name: 'Applications', level: 1 })
  expect(router.state.location.pathname).toBe(paths.applications({ namespace: other }))
})

test.each([
  ['NAV-10 the overview', paths.overview(), 'Overview'],
  ['NAV-11 the namespaces list', paths.namespaces(), 'Namespaces'],
  ['NAV-12 the release monitor', `${paths.releaseMonitor()}?ff=release-monitor`, 'Release Monitor'],
])('the namespace switcher is not on %s', async (_, path, heading) => {
  const { router } = await renderRoute(paths.applications({ namespace }))
  await toggle()
  await router.navigate(path)
  await screen.findByRole('heading', { name: heading, level: 1 })
  expect(screen.queryByRole('button', { name: /^Switch namespace/ })).not.toBeInTheDocument()
})

test.each([
  ['of no route', '/ns/team-payments/bogus', '404: Page not found'],
  ['of an application', '/ns/team-payments/applications/checkout/bogus', '404: Page not found'],
])('NAV-45 the namespace switcher is on the page of an address below a namespace %s', async (_, path, heading) => {
  const { user, router } = await renderRoute(path, { objects })
  await screen.findByRole('heading', { name: heading, level: 1 })
  await user.click(await toggle())
  await user.click(await screen.findByRole('menuitem', { name: other }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/ns\/team-search/))
})

it('NAV-16 sorts namespaces by name, in whatever order the cluster lists them', async () => {
  const { user, cluster } = await renderRoute(paths.applications({ namespace }))
  const items = ['team-b', namespace, 'team-a'].map((name) => aNamespace({ metadata: { name } }))
  cluster.faults.intercept((path) =>
    /\/namespaces(\?|$)/.test(path)
      ? Response.json({ apiVersion: 'v1', kind: 'NamespaceList', metadata: { resourceVersion: '1' }, items })
      : undefined,
  )
  await user.click(await toggle())
  await screen.findByRole('menuitem', { name: namespace })
  const names = screen.getAllByRole('menuitem').map((item) => item.textContent.trim())
  expect(names).toEqual(['team-a', 'team-b', namespace].sort())
})

it('says when namespaces cannot be listed, and can retry', async () => {
  const { user, cluster } = await renderRoute(paths.applications({ namespace }))
  const heal = cluster.faults.intercept((path) =>
    /\/namespaces(\?|$)/.test(path) ? Response.json({ message: 'no list' }, { status: 403 }) : undefined,
  )
  await user.click(await toggle())
  expect(await screen.findByText('Unable to load namespaces')).toBeVisible()
  expect(screen.getByText('no list')).toBeVisible()
  heal()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('menuitem', { name: namespace })).toBeVisible()
})

it('NAV-23, NAV-24 reads namespaces one by one or as a list, each at most once in 500 seconds', async () => {
  const { user, cluster, router } = await renderRoute(paths.applications({ namespace }))
  await user.click(await toggle())
  await screen.findByRole('menuitem', { name: namespace })
  await user.keyboard('{Escape}')
  await router.navigate(paths.namespaces())
  await screen.findByRole('link', { name: namespace })
  await router.navigate(paths.applications({ namespace }))
  await user.click(await toggle())
  await screen.findByRole('menuitem', { name: namespace })
  await waitFor(() => {
    const reads = cluster.calls.map(({ path }) => path).filter(isOfNamespaces)
    expect(reads.map((path) => path.split('?')[0])).toEqual([
      `/api/k8s/api/v1/namespaces/${namespace}`,
      '/api/k8s/api/v1/namespaces',
    ])
  })
})

it('NAV-24 treats namespaces as fresh for 500 seconds, and no longer', async () => {
  const { cluster } = await renderRoute(paths.about())
  const callsForOneReadAgo = async (seconds: number) => {
    const list = { apiVersion: 'v1', kind: 'NamespaceList', metadata: {}, items: [] }
    const one = aNamespace({ metadata: { name: namespace } })
    const updatedAt = Date.now() - seconds * 1_000
    queryClient.setQueryData(namespaces.list().queryKey, list, { updatedAt })
    queryClient.setQueryData(namespaces.get(namespace).queryKey, one, { updatedAt })
    const before = cluster.calls.length
    await Promise.all([queryClient.fetchQuery(namespaces.list()), queryClient.fetchQuery(namespaces.get(namespace))])
    return cluster.calls.slice(before).filter(({ path }) => isOfNamespaces(path)).length
  }
  expect(await callsForOneReadAgo(499)).toBe(0)
  expect(await callsForOneReadAgo(501)).toBe(2)
})
