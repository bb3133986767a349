import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { deliveredRules } from '@slipway/model/access/missing-right'
import { clusterRoleName, type UserRole } from '@slipway/model/access/roles/user-actions'
import { anApplication, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { applyRole } from '../../api/access/role-lens'
import { viewedRole } from '../../api/access/viewed-role'
import { paths } from '../../paths'

const list = paths.applications({ namespace })
const roleButton = () => screen.findByRole('button', { name: /^Your role: / })
const popover = () => screen.findByRole('dialog', { name: /^Your role in / })
const customBinding = (name: string): RoleBinding =>
  aRoleBinding({
    metadata: { name, namespace },
    roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('contributor') }],
  })

const viewed = (role: UserRole) => ({
  name: role.replace(/^./, (first) => first.toUpperCase()),
  rules: deliveredRules({
    displayName: role,
    description: '',
    roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: clusterRoleName(role) },
  }),
  isExact: true,
  email: 'admin@example.com',
})
/** Renders a page for an admin who views the console as another role. */
function renderAs(role: UserRole, path = list) {
  onTestFinished(applyRole(viewed(role)))
  return renderRoute(path, { as: 'admin', objects: [anApplication()] })
}

test.each(['admin', 'maintainer', 'contributor'] as const)(
  'the page of a namespace says that a user is %s',
  async (as) => {
    await renderRoute(list, { as })
    expect(await roleButton()).toHaveAccessibleName(new RegExp(`: *${as}$`, 'i'))
  },
)

it('says what the role can and cannot do, where it comes from, and leads to the access of users', async () => {
  const { user } = await renderRoute(list, { as: 'maintainer' })
  await user.click(await roleButton())
  const shown = await popover()
  expect(shown).toHaveAccessibleName(`Your role in ${namespace}: Maintainer`)
  expect(shown).toHaveTextContent('A role binding of this namespace gives it to you.')
  const can = within(within(shown).getByRole('list', { name: 'You can' }))
  const cannot = within(within(shown).getByRole('list', { name: 'You cannot' }))
  expect(can.getByText('Create and change applications and components')).toBeInTheDocument()
  expect(cannot.getByText('Manage secrets')).toBeInTheDocument()
  expect(within(shown).getByRole('link', { name: 'User access' })).toHaveAttribute('href', paths.access({ namespace }))
})

it('names a role of another kind beside one of the platform', async () => {
  const { user } = await renderRoute(list, { as: 'contributor', objects: [customBinding('deployer')] })
  const button = await roleButton()
  expect(button).toHaveAccessibleName('Your role: Several roles')
  await user.click(button)
  expect(await popover()).toHaveTextContent('give you: Contributor, deployer.')
})

it('judges the role by the rights of the user where role bindings may not be read, and says so', async () => {
  const { user } = await renderRoute(list, {
    as: 'maintainer',
    prepare: (faults) =>
      faults.intercept((path) => (path.includes('/rolebindings') ? Response.json({}, { status: 403 }) : undefined)),
  })
  const button = await roleButton()
  expect(button).toHaveAccessibleName('Your role: Maintainer')
  await user.click(button)
  expect(await popover()).toHaveTextContent('Judged by your rights: you have those of the role Maintainer.')
})

it('says that the role is not known if neither bindings nor rights can be read', async () => {
  await renderRoute(list, {
    as: 'maintainer',
    prepare: (faults) =>
      faults.intercept((path) =>
        /\/rolebindings|rulesreviews|access-reviews/.test(path) ? Response.json({}, { status: 403 }) : undefined,
      ),
  })
  expect(await roleButton()).toHaveAccessibleName('Your role: Role not known')
})

it('a choice shows the console as that role after a reload, and says what the user lacks', async () => {
  const { user, cluster } = await renderRoute(list, { as: 'maintainer' })
  await user.click(await roleButton())
  const choices = await screen.findByRole('list', { name: 'View as' })
  const [contributor, , admin] = within(choices).getAllByRole('listitem')
  expect(contributor).toHaveTextContent(/^Contributor$/)
  expect(admin).toHaveTextContent(/^Admin has 4 abilities that you lack$/)
  await user.click(within(choices).getByRole('button', { name: 'View as Contributor' }))
  expect(cluster.departures).toEqual([list])
  expect(viewedRole.get()).toMatchObject({ name: 'Contributor', isExact: true })
})

it('as another role, what it may not do is disabled, and the reason is explained with that role', async () => {
  const { user } = await renderAs('contributor')
  expect(await screen.findByRole('region', { name: 'Viewed role' })).toHaveTextContent(
    'Viewed as Contributor. Nothing can be changed.',
  )
  await user.click(await screen.findByRole('button', { name: 'Create application' }))
  const dialog = await screen.findByRole('dialog', { name: "Why can't I? Create application" })
  expect(dialog).toHaveTextContent('Contributor, as which you view the console')
  expect(within(dialog).getByRole('button', { name: 'Copy request' })).toHaveAttribute('aria-disabled', 'true')
})

it('as another role, a list that it may not read is denied', async () => {
  const { cluster } = await renderAs('contributor', paths.secrets({ namespace }))
  expect(await screen.findByText(/You need permission to list secrets/)).toBeInTheDocument()
  expect(cluster.calls.filter(({ path }) => path.includes('/secrets'))).toEqual([])
})

it('as another role, what it may do is enabled, and refused with words', async () => {
  const { user, cluster } = await renderAs('admin')
  await user.click(await screen.findByRole('button', { name: 'Actions for checkout' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete application' }))
  const dialog = await screen.findByRole('dialog', { name: /Delete/ })
  await user.type(within(dialog).getByRole('textbox'), 'checkout')
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await within(dialog).findByText(/You view the console as Admin: nothing can be changed/)).toBeInTheDocument()
  expect(cluster.calls.filter(({ method }) => method === 'DELETE')).toEqual([])
})

it('ends with a reload', async () => {
  const { user, cluster } = await renderAs('contributor')
  viewedRole.set(viewed('contributor'))
  await user.click(
    within(await screen.findByRole('region', { name: 'Viewed role' })).getByRole('button', { name: 'End' }),
  )
  await waitFor(() => expect(cluster.departures).toEqual([list]))
  expect(viewedRole.get()).toEqual({})
})
