import { configMapType, roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { isDryRun, namespace, reviewsIn } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'

const list = paths.access({ namespace })
const user = (name: string) => ({ kind: 'User' as const, apiGroup: roleBindingType.group, name })
const group = { kind: 'Group' as const, apiGroup: roleBindingType.group, name: 'testers' }
const binding = (name: string, subjects: RoleBinding['subjects'], role = 'konflux-contributor-user-actions') =>
  aRoleBinding({
    metadata: { name, namespace },
    roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: role },
    subjects,
  })
const rowOf = (name: string | RegExp) => screen.findByRole('row', { name: new RegExp(name) })
const usernames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const texts = (row: HTMLElement) =>
  [...within(row).getAllByRole('rowheader'), ...within(row).getAllByRole('cell')]
    .filter((cell) => !within(cell).queryByRole('checkbox'))
    .map((cell) => cell.textContent)

async function openMenu(actor: Awaited<ReturnType<typeof renderRoute>>['user'], row: HTMLElement, item: string) {
  await actor.click(within(row).getByRole('button', { name: /^Actions for/ }))
  return screen.findByRole('menuitem', { name: new RegExp(`^${item}`) })
}

describe('the list', () => {
  it('UA-01, UA-06, UA-46, UA-50 shows who has which role', async () => {
    const { cluster } = await renderRoute(list)
    expect(await screen.findByRole('heading', { name: 'User access', level: 1 })).toBeVisible()
    expect(texts(await rowOf('maintainer@')).slice(0, 3)).toEqual([
      emailOf('maintainer'),
      'Maintainer',
      'konflux-maintainer-maintainer-user-actions',
    ])
    expect(screen.getByRole('table', { name: 'User access' })).toBeVisible()
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
      'Selection',
      'Username',
      'Role',
      'Role Binding',
      'Actions',
    ])
    expect(cluster.calls.map(({ path }) => path.split('?')[0])).toContain(
      `/api/k8s/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
    )
  })

  it('UA-33 leaves out bindings of a role that is not configured', async () => {
    await renderRoute(list, { objects: [binding('pipelines', [user('robot')], 'tekton-runner')] })
    await rowOf('maintainer@')
    expect(usernames()).toEqual([emailOf('admin'), emailOf('contributor'), emailOf('maintainer')])
  })

  it('UA-03 can be filtered by username', async () => {
    const { user: actor } = await renderRoute(list)
    await rowOf('maintainer@')
    await actor.type(screen.getByPlaceholderText('Filter by username...'), 'contri')
    await waitFor(() => expect(usernames()).toEqual([emailOf('contributor')]))
  })

  it('UA-47 a binding shows all its subjects, or a dash if it has none', async () => {
    await renderRoute(list, {
      objects: [binding('several', [user('ann'), user('bob'), group]), binding('nobody', undefined)],
    })
    expect(texts(await rowOf('several'))[0]).toBe('ann, bob, testers (Group)')
    expect(texts(await rowOf('nobody'))[0]).toBe('-')
  })

  async function configuredWith(rbac: unknown) {
    const view = await renderRoute(paths.about())
    const { name, namespace: at } = publicInfoLocation
    const configMap = await view.cluster.system.get(configMapType, name, { namespace: at })
    const data = { 'info.json': JSON.stringify({ rbac }) }
    await view.cluster.system.replace(configMapType, { ...configMap, data })
    await screen.findByRole('heading', { name: 'About Slipway' })
    // Discard the version that the landing page has read.
    queryClient.clear()
    await view.router.navigate(list)
    return view
  }

  it('UA-26, UA-33 shows the roles that the platform configures', async () => {
    const roleRef = { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: 'konflux-contributor-user-actions' }
    await configuredWith([{ displayName: 'reader', description: '', roleRef }])
    expect(texts(await rowOf('contributor@'))[1]).toBe('Reader')
    expect(usernames()).toEqual([emailOf('contributor')])
  })

  it('UA-33 does not claim that no user has access when no role is configured', async () => {
    const { user: actor, router } = await configuredWith('none')
    expect(await screen.findByRole('heading', { name: 'No roles are configured' })).toBeVisible()
    await act(() => router.navigate(paths.grantAccess({ namespace })))
    expect(await screen.findByText('No roles are configured on this platform.')).toBeVisible()
    await actor.type(screen.getByRole('textbox', { name: /Usernames/ }), 'ann{Enter}')
    expect(screen.getByRole('button', { name: 'Grant access' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('says why the list is missing when the roles cannot be read', async () => {
    const { user: actor, cluster, router } = await renderRoute(paths.namespaces())
    await screen.findByRole('heading', { name: 'Namespaces' })
    // Discard what that page has read.
    queryClient.clear()
    const heal = cluster.faults.intercept((path) =>
      path.includes('konflux-public-info') ? Response.json({ message: 'no such map' }, { status: 404 }) : undefined,
    )
    await router.navigate(list)
    expect(await screen.findByRole('heading', { name: 'Unable to load roles' })).toBeVisible()
    heal()
    await actor.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await rowOf('maintainer@')).toBeVisible()
  })
})

describe('permissions', () => {
  it('UA-02, ACC-12 shows the access page without permission to list', async () => {
    await renderRoute(list, { as: 'outsider', objects: grantTo() })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
    expect(
      screen.getByText(`Ask the administrator or the owner of the '${namespace}' namespace for access permissions.`),
    ).toBeVisible()
  })

  it('UA-05, ACC-01 Grant access stays visible without permission, and says why it is disabled', async () => {
    await renderRoute(list, { as: 'maintainer' })
    const grant = await screen.findByRole('button', { name: 'Grant access' })
    expect(grant).toHaveAttribute('aria-disabled', 'true')
    grant.focus()
    expect(await screen.findByText('You cannot grant access in this namespace')).toBeInTheDocument()
  })

  it('UA-07, UA-09, UA-10 Edit and Revoke stay visible without permission, and say why they are disabled', async () => {
    const { user: actor } = await renderRoute(list, { as: 'maintainer' })
    const edit = await openMenu(actor, await rowOf('contributor@'), 'Edit access')
    expect(edit).toHaveAttribute('aria-disabled', 'true')
    await actor.hover(edit)
    expect(await screen.findByText("You don't have permission to edit access")).toBeInTheDocument()
    const revoke = screen.getByRole('menuitem', { name: /^Revoke access/ })
    expect(revoke).toHaveAttribute('aria-disabled', 'true')
    await actor.hover(revoke)
    expect(await screen.findByText("You don't have permission to revoke access")).toBeInTheDocument()
  })

  test.each<[verb: string, allowed: string[]]>([
    ['UA-05 create', ['Grant access']],
    ['UA-10 delete', ['Revoke access']],
    // Editing also creates and deletes.
    ['UA-09 update', []],
    ['UA-09 create delete', ['Grant access', 'Revoke access']],
    ['UA-09 update delete', ['Revoke access']],
    ['UA-09 update create', ['Grant access']],
    ['UA-09 update create delete', ['Grant access', 'Edit access', 'Revoke access']],
  ])('ACC-02 permission to %s enables %j', async (words, allowed) => {
    const verbs = ['list', 'watch', ...words.split(' ').slice(1)]
    const rights = grantTo({ apiGroups: [roleBindingType.group], resources: ['rolebindings'], verbs })
    const { user: actor } = await renderRoute(list, { as: 'outsider', objects: rights })
    const revoke = await openMenu(actor, await rowOf('contributor@'), 'Revoke access')
    const edit = screen.getByRole('menuitem', { name: /^Edit access/ })
    const grant = screen.getByText('Grant access').closest('a, button')
    const isPossible = (control: Element | null) => control?.getAttribute('aria-disabled') !== 'true'
    const controls = { 'Grant access': grant, 'Edit access': edit, 'Revoke access': revoke }
    expect(Object.entries(controls).flatMap(([name, control]) => (isPossible(control) ? [name] : []))).toEqual(allowed)
  })

  it('UA-08 a binding without a user can be neither edited nor revoked', async () => {
    const { user: actor } = await renderRoute(list, { objects: [binding('group-only', [group])] })
    const edit = await openMenu(actor, await rowOf('group-only'), 'Edit access')
    expect(edit).toHaveAttribute('aria-disabled', 'true')
    expect(screen.getByRole('menuitem', { name: /^Revoke access/ })).toHaveAttribute('aria-disabled', 'true')
  })

  it('controls first appear in their final state, after one batch of access reviews, however many rows there are', async () => {
    const many = Array.from({ length: 9 }, (_, n) => binding(`many-${n}`, [user(`user-${n}`)]))
    const { cluster } = await renderRoute(list, { objects: many })
    // Asserted without waiting: the button must never have been disabled.
    expect((await screen.findByText('Grant access')).closest('a, button')).not.toHaveAttribute('aria-disabled')
    await rowOf('maintainer@')
    // The role beside the namespace is checked later, by itself.
    const requests = cluster.calls.filter(
      ({ path, body }) => path.endsWith('/access-reviews') && JSON.stringify(body ?? '').includes('"rolebindings"'),
    )
    expect(requests).toHaveLength(1)
    expect(reviewsIn(requests, 'SelfSubjectAccessReview')).toHaveLength(4)
  })

  it('UA-04 Grant access opens the form', async () => {
    const { user: actor } = await renderRoute(list)
    await actor.click(await screen.findByRole('link', { name: 'Grant access' }))
    expect(await screen.findByRole('heading', { name: 'Grant access', level: 1 })).toBeVisible()
  })
})

describe('revoking', () => {
  it('UA-15, UA-16 asks for confirmation, then deletes the binding', async () => {
    const { user: actor, cluster } = await renderRoute(list)
    await actor.click(await openMenu(actor, await rowOf('contributor@'), 'Revoke access'))
    const dialog = within(await screen.findByRole('dialog', { name: /Revoke access/ }))
    expect(dialog.getByRole('listitem')).toHaveTextContent(emailOf('contributor'))
    expect(cluster.calls.some(({ method }) => method === 'DELETE')).toBe(false)
    await actor.click(dialog.getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(usernames()).toEqual([emailOf('admin'), emailOf('maintainer')]))
    const { items } = await cluster.system.list(roleBindingType, { namespace })
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('konflux-contributor-contributor-user-actions')
    // The menu that opened the dialog was removed with its row.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
  })

  it('previews the binding that it would delete without deleting it', async () => {
    const { user: actor, cluster } = await renderRoute(list)
    await actor.click(await openMenu(actor, await rowOf('contributor@'), 'Revoke access'))
    const dialog = within(await screen.findByRole('dialog', { name: /Revoke access/ }))
    await actor.click(dialog.getByRole('button', { name: 'Show change' }))
    const name = 'konflux-contributor-contributor-user-actions'
    expect(await dialog.findByRole('region', { name: `Changes: Delete RoleBinding ${name}` })).toHaveTextContent(
      `Removed: name: ${emailOf('contributor')}`,
    )
    await actor.click(dialog.getByRole('tab', { name: 'kubectl' }))
    expect(await dialog.findByRole('region', { name: 'kubectl commands' })).toHaveTextContent(
      `kubectl delete rolebindings.v1.rbac.authorization.k8s.io ${name} -n ${namespace} --wait=false`,
    )
    expect(cluster.calls.filter((call) => call.method === 'DELETE' && !isDryRun(call))).toEqual([])
  })

  it('UA-17 reports a failure, stops the spinner, and can be retried', async () => {
    const { user: actor, cluster } = await renderRoute(list)
    await actor.click(await openMenu(actor, await rowOf('contributor@'), 'Revoke access'))
    const dialog = within(await screen.findByRole('dialog'))
    const heal = cluster.faults.intercept((_, { method }) =>
      method === 'DELETE' ? Response.json({ message: 'a webhook says no' }, { status: 422 }) : undefined,
    )
    await actor.click(dialog.getByRole('button', { name: 'Revoke' }))
    const alert = { selector: '.pf-m-danger.pf-m-inline *' }
    expect(await dialog.findByText('An error occurred', alert)).toBeVisible()
    expect(dialog.getByText('a webhook says no', alert)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Revoke' })).not.toHaveAttribute('aria-disabled', 'true')
    heal()
    await actor.click(dialog.getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('does not revoke a subject that was added after the dialog opened', async () => {
    const { user: actor, cluster } = await renderRoute(list)
    await actor.click(await openMenu(actor, await rowOf('contributor@'), 'Revoke access'))
    const dialog = within(await screen.findByRole('dialog'))
    const name = 'konflux-contributor-contributor-user-actions'
    const addition = [{ op: 'add' as const, path: '/subjects/-', value: user('bob') }]
    await cluster.system.patch(roleBindingType, name, addition, { namespace })
    await actor.click(dialog.getByRole('button', { name: 'Revoke' }))
    expect(await dialog.findByText(/The object might have been modified/)).toBeVisible()
    await expect(cluster.system.get(roleBindingType, name, { namespace })).resolves.toBeDefined()
  })

  it('a response that arrives after its dialog was closed does not affect the next dialog', async () => {
    const { user: actor, cluster } = await renderRoute(list)
    let answer: () => void = () => undefined
    cluster.faults.intercept((path, { method, body }) =>
      method === 'DELETE' && path.endsWith('/konflux-contributor-contributor-user-actions') && !isDryRun({ path, body })
        ? new Promise<Response>(
            (resolve) => (answer = () => resolve(Response.json({ kind: 'Status', status: 'Success' }))),
          )
        : undefined,
    )
    await actor.click(await openMenu(actor, await rowOf('contributor@'), 'Revoke access'))
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(cluster.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2))
    await actor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await actor.click(await openMenu(actor, await rowOf('maintainer@'), 'Revoke access'))
    const dialog = within(await screen.findByRole('dialog'))
    answer()
    await waitFor(() => expect(queryClient.isMutating()).toBe(0))
    await act(() => Promise.resolve())
    expect(dialog.getByRole('listitem')).toHaveTextContent(emailOf('maintainer'))
    expect(dialog.getByRole('button', { name: 'Revoke' })).toBeVisible()
  })

  it('is not possible while offline, and says why', async () => {
    const { user: actor, cluster } = await renderRoute(list)
    await actor.click(await openMenu(actor, await rowOf('contributor@'), 'Revoke access'))
    const revoke = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' })
    cluster.faults.intercept(() => Promise.reject(new TypeError('Failed to fetch')))
    act(() => void dispatchEvent(new Event('offline')))
    await waitFor(() => expect(revoke).toHaveAccessibleDescription(/^You have been offline since/))
    await actor.click(revoke)
    expect(cluster.calls.some(({ method }) => method === 'DELETE')).toBe(false)
  })

  it('warns users who revoke their own access', async () => {
    const { user: actor } = await renderRoute(list)
    await actor.click(await openMenu(actor, await rowOf('admin@'), 'Revoke access'))
    expect(await screen.findByText('This is your own access.')).toBeVisible()
    await actor.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})
