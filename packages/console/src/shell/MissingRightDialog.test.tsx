import { roleBindingType } from '@slipway/kube/core-types'
import { anApplication, aRoleBinding } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { paths } from '../paths'

const list = paths.applications({ namespace })
const objects = [
  anApplication(),
  aRoleBinding({
    metadata: { name: 'konflux-admin-eve-user-actions', namespace },
    roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: 'konflux-admin-user-actions' },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: 'eve' }],
  }),
]
const right = (dialog: HTMLElement, term: string) =>
  within(within(dialog).getByText(term, { selector: 'dt *' }).closest('div') as HTMLElement).getByRole('definition')

it('a disabled button explains which right is missing, which roles have it and who can give them', async () => {
  const { user } = await renderRoute(list, { as: 'contributor', objects })
  await user.click(await screen.findByRole('button', { name: 'Create application' }))
  const dialog = await screen.findByRole('dialog', { name: "Why can't I? Create application" })
  expect(right(dialog, 'You lack')).toHaveTextContent('create applications.appstudio.redhat.com')
  await waitFor(() => expect(right(dialog, 'Your role here')).toHaveTextContent('Contributor'))
  await waitFor(() => expect(right(dialog, 'Roles that may')).toHaveTextContent('Admin, Maintainer'))
  expect(right(dialog, 'Who can give them')).toHaveTextContent('eve')
  await user.click(within(dialog).getByRole('button', { name: 'Copy request' }))
  expect(await navigator.clipboard.readText()).toMatch(
    new RegExp(`^Please give .+ the role Maintainer in the namespace ${namespace}\\.\nFor: Create application`),
  )
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

it('so does a disabled action of a menu, by keyboard', async () => {
  const { user } = await renderRoute(list, { as: 'contributor', objects })
  await user.click(await screen.findByRole('button', { name: 'Actions for checkout' }))
  const action = await screen.findByRole('menuitem', { name: 'Delete application' })
  action.focus()
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: "Why can't I? Delete application" })
  await waitFor(() => expect(right(dialog, 'Roles that may')).toHaveTextContent(/^Admin$/))
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
})
