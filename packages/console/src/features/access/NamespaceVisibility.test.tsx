import { roleBindingType, type RoleBinding, type Subject } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { clusterRoleName, type UserRole } from '@slipway/model/access/roles/user-actions'
import { anApplication, aRoleBinding } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace, writeLine } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const list = paths.access({ namespace })
const apiGroup = roleBindingType.group
const everyone: Subject = { kind: 'Group', apiGroup, name: 'system:authenticated' }
const crew: Subject = { kind: 'Group', apiGroup, name: 'crew' }
const binding = (name: string, role: UserRole, ...subjects: Subject[]): RoleBinding =>
  aRoleBinding({
    metadata: { name, namespace },
    roleRef: { apiGroup, kind: 'ClusterRole', name: clusterRoleName(role) },
    subjects,
  })
const publicBinding = binding('konflux-public-viewer', 'viewer', everyone)

async function scene(objects: KubeObject[] = [], as: 'admin' | 'maintainer' = 'admin') {
  const view = await renderRoute(list, { objects, as })
  const visibility = await screen.findByRole('group', { name: 'Visibility' })
  const writes = () =>
    view.cluster.calls
      .filter(({ method, path }) => method !== 'GET' && path.includes('/rolebindings'))
      .map((call) => writeLine(call, /^.*rolebindings\/?/))
  const bindings = async () => {
    const { items } = await view.cluster.system.list(roleBindingType, { namespace })
    return items.filter(({ subjects = [] }) => subjects.some(({ kind }) => kind === 'Group'))
  }
  return { ...view, visibility, writes, bindings }
}

describe('the visibility of a namespace', () => {
  it('is private without a role for everyone, and made public by the role of viewers', async () => {
    const { user, visibility, writes, bindings } = await scene()
    expect(visibility).toHaveTextContent('Private: only users with a role can see this namespace.')
    await user.click(within(visibility).getByRole('button', { name: 'Make public' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Make team-payments public\?$/ }))
    expect(dialog.getByText(/Everyone who can sign in .* pipeline runs and their logs/)).toBeVisible()
    expect(dialog.getByText(/see neither secrets nor user access/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Make public' }))
    await waitFor(() =>
      expect(visibility).toHaveTextContent('Public: everyone who is signed in can see this namespace.'),
    )
    expect(writes()).toEqual(['POST  (dry run)', 'POST '])
    expect(await bindings()).toMatchObject([
      { metadata: { name: 'konflux-public-viewer' }, roleRef: publicBinding.roleRef, subjects: [everyone] },
    ])
  })

  it('is made private again, and other subjects keep their role', async () => {
    const shared = binding('konflux-public-viewer', 'viewer', everyone, crew)
    const contributors = binding('everyone', 'contributor', everyone)
    const { user, visibility, writes, bindings } = await scene([shared, contributors])
    expect(visibility).toHaveTextContent('everyone who is signed in can see this namespace, with the role Contributor.')
    await user.click(within(visibility).getByRole('button', { name: 'Make private' }))
    const dialog = within(await screen.findByRole('dialog', { name: `Make ${namespace} private?` }))
    expect(dialog.getByText(/lose the role/)).toHaveTextContent(/Contributor and Viewer|Viewer and Contributor/)
    await user.click(dialog.getByRole('button', { name: 'Make private' }))
    await waitFor(() => expect(visibility).toHaveTextContent('Private'))
    expect(writes().toSorted()).toEqual(
      ['DELETE everyone', 'PUT konflux-public-viewer'].flatMap((each) => [each, `${each} (dry run)`]).toSorted(),
    )
    expect(await bindings()).toMatchObject([{ subjects: [crew] }])
    // The name is in use by now.
    await user.click(within(visibility).getByRole('button', { name: 'Make public' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make public' }))
    await waitFor(() => expect(visibility).toHaveTextContent('Public'))
    expect(await bindings()).toMatchObject([{ subjects: [crew, everyone] }])
  })

  it('says why it was not changed, and changes nothing', async () => {
    const { user, visibility, cluster } = await scene([publicBinding])
    cluster.faults.intercept((path, { method, body }) =>
      method === 'DELETE' && !isDryRun({ path, body })
        ? Response.json({ message: 'a webhook says no' }, { status: 422 })
        : undefined,
    )
    await user.click(within(visibility).getByRole('button', { name: 'Make private' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Make private' }))
    expect(await dialog.findByText('a webhook says no')).toBeVisible()
    expect(visibility).toHaveTextContent('Public')
  })

  it('is shown to users who may not change it, with the reason', async () => {
    const { visibility } = await scene([publicBinding], 'maintainer')
    expect(visibility).toHaveTextContent('Public')
    const button = within(visibility).getByRole('button', { name: 'Make private' })
    expect(button).toHaveAttribute('aria-disabled', 'true')
    button.focus()
    expect(await screen.findByText("You don't have access to change who can see this namespace")).toBeInTheDocument()
  })
})

it('a public namespace can be seen by users without a role, but neither its user access nor its secrets', async () => {
  const objects = [publicBinding, anApplication({ metadata: { name: 'checkout' } })]
  const { user, router } = await renderRoute(paths.namespaces(), { as: 'outsider', objects })
  const row = await screen.findByRole('row', { name: new RegExp(namespace) })
  await user.click(within(row).getByRole('link', { name: namespace }))
  expect(await screen.findByRole('link', { name: 'checkout' })).toBeVisible()
  for (const page of [list, paths.secrets({ namespace })]) {
    await router.navigate(page)
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  }
})
