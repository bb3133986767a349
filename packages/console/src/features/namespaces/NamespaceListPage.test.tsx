import { roleBindingType } from '@slipway/kube/core-types'
import { aNamespace, anApplication, aRelease, aRoleBinding, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { emailOf } from '@slipway/slipway/users'
import { expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

/** Namespaces that the user may see, besides the one that every test has. */
const ofAdmin = (names: readonly string[]) =>
  names.flatMap((name) => [
    aNamespace({ metadata: { name } }),
    aRoleBinding({
      metadata: { namespace: name },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('admin') }],
    }),
  ])
const rowNames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name} `) })

it('NAV-07, NAV-08, NAV-23 lists namespaces with application counts, and links to their applications from the name and the menu', async () => {
  const { user, router } = await renderRoute(paths.namespaces(), {
    objects: [anApplication({ metadata: { name: 'checkout' } }), anApplication({ metadata: { name: 'ledger' } })],
  })
  expect(await screen.findByRole('heading', { name: 'Namespaces', level: 1 })).toBeVisible()
  const row = await rowOf(namespace)
  expect(screen.getByRole('table', { name: 'Namespaces' })).toBeVisible()
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Name',
    'Status',
    'Applications',
    'Visibility',
    'Actions',
  ])
  expect(await within(row).findByRole('cell', { name: '2' })).toBeVisible()
  expect(within(row).getByRole('link', { name: namespace })).toHaveAttribute('href', paths.applications({ namespace }))
  await user.click(within(row).getByRole('button', { name: `Actions for ${namespace}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'View applications' }))
  await screen.findByRole('heading', { name: 'Applications', level: 1 })
  expect(router.state.location.pathname).toBe(paths.applications({ namespace }))
})

it('shows the worst state of each namespace and since when, and sorts what fails first', async () => {
  const failed = aRelease({
    metadata: { name: 'checkout-release', namespace },
    status: { completionTime: '2026-01-31T10:00:00Z', conditions: [condition('Released', 'False', 'Failed')] },
  })
  const { user } = await renderRoute(paths.namespaces(), { objects: [...ofAdmin(['team-a']), failed] })
  expect(await within(await rowOf(namespace)).findByText(/^1 failing since/)).toHaveTextContent(
    '1 failing since Jan 31',
  )
  expect(await within(await rowOf('team-a')).findByText('No failures')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Status' }))
  await waitFor(() => expect(rowNames()).toEqual([namespace, 'team-a']))
})

it('says which namespaces it has not looked at where a browser reads them by itself', async () => {
  await renderRoute(paths.namespaces(), {
    objects: ofAdmin(['a', 'b', 'c', 'd', 'e', 'f'].map((each) => `team-${each}`)),
  })
  expect(await within(await rowOf('team-a')).findByText('No failures')).toBeVisible()
  expect(within(await rowOf('team-f')).getByText('Not looked at')).toHaveAttribute(
    'title',
    expect.stringMatching(/^This cluster has no service/),
  )
})

const everyone = { kind: 'Group' as const, apiGroup: roleBindingType.group, name: 'system:authenticated' }
const publicBinding = aRoleBinding({
  metadata: { name: 'konflux-public-viewer', namespace },
  roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: 'konflux-viewer-user-actions' },
  subjects: [everyone],
})

it.each([
  ['Private', []],
  ['Public', [publicBinding]],
])('shows that a namespace is %s, and leads to its user access', async (visibility, objects) => {
  const { user, router } = await renderRoute(paths.namespaces(), { objects })
  const row = await rowOf(namespace)
  expect(await within(row).findByRole('cell', { name: visibility })).toBeVisible()
  await user.click(within(row).getByRole('button', { name: `Actions for ${namespace}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'View user access' }))
  await screen.findByRole('heading', { name: 'User access', level: 1 })
  expect(router.state.location.pathname).toBe(paths.access({ namespace }))
})

it('does not claim to know the visibility of a namespace whose role bindings the user may not list, or which fail', async () => {
  const { cluster } = await renderRoute(paths.namespaces(), { as: 'outsider', objects: [publicBinding] })
  expect(await within(await rowOf(namespace)).findByText('Not known')).toHaveAttribute(
    'title',
    'You may not read the role bindings of this namespace',
  )
  expect(cluster.calls.filter(({ method, path }) => method === 'GET' && path.includes('/rolebindings'))).toEqual([])
})

it('says that the visibility is not known when the role bindings cannot be read', async () => {
  await renderRoute(paths.namespaces(), {
    prepare: (faults) =>
      void faults.intercept((path) =>
        /\/rolebindings\b/.test(path) ? Response.json({ message: 'no' }, { status: 422 }) : undefined,
      ),
  })
  expect(await within(await rowOf(namespace)).findByText('Not known')).toHaveAttribute('title', 'no')
})

it('NAV-08 filters by name', async () => {
  const other = 'team-search'
  const { user } = await renderRoute(paths.namespaces(), { objects: ofAdmin([other]) })
  await rowOf(other)
  await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'SEARCH{Enter}')
  await waitFor(() => expect(screen.queryByRole('link', { name: namespace })).not.toBeInTheDocument())
  expect(await rowOf(other)).toBeVisible()
})

it('NAV-09 says when the applications of a namespace cannot be counted', async () => {
  const { cluster, router } = await renderRoute(paths.about())
  cluster.faults.intercept((path) =>
    /\/applications\b/.test(path) ? Response.json({ message: 'no' }, { status: 422 }) : undefined,
  )
  await screen.findByRole('heading', { name: 'About Slipway' })
  await router.navigate(paths.namespaces())
  expect(await within(await rowOf(namespace)).findByText('Failed to load applications')).toBeVisible()
})

it('NAV-07 needs no permission, and tells a user without a namespace whom to ask, and which username to give', async () => {
  const { user } = await renderRoute(paths.namespaces(), { as: 'outsider' })
  expect(await screen.findByRole('heading', { name: "You don't have access to any namespaces yet" })).toBeVisible()
  expect(screen.getByText(/Ask your team's admin to add you/)).toBeVisible()
  expect(await within(screen.getByRole('main')).findByText(emailOf('outsider'))).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Copy username' }))
  expect(await navigator.clipboard.readText()).toBe(emailOf('outsider'))
  expect(screen.queryByRole('table')).not.toBeInTheDocument()
})

it('finds a namespace by its name to which the user got access after the list was read', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { user, cluster } = await renderRoute(paths.namespaces())
  await rowOf(namespace)
  await cluster.put(ofAdmin(['team-new']))
  await user.type(screen.getByRole('textbox', { name: /name/i }), 'team-new')
  expect(await screen.findByRole('heading', { name: 'No results found' })).toBeVisible()
  // The gateway may cache its last response for a few seconds of real time.
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(20_000)
    expect(rowNames()).toEqual(['team-new'])
  })
})

it('NAV-07 shows a user without a namespace the first one they get access to, without a reload', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { cluster } = await renderRoute(paths.namespaces(), { as: 'outsider' })
  expect(await screen.findByRole('heading', { name: "You don't have access to any namespaces yet" })).toBeVisible()
  const reads = () => cluster.calls.filter(({ path }) => path.startsWith('/api/k8s/api/v1/namespaces?')).length
  const before = reads()
  await cluster.system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { namespace },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('outsider') }],
    }),
  )
  await vi.advanceTimersByTimeAsync(120_000)
  expect(reads() - before).toBeLessThanOrEqual(6)
  // The gateway may cache its last response for a few seconds of real time.
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(20_000)
    expect(screen.getByRole('row', { name: new RegExp(namespace) })).toBeVisible()
  })
})
