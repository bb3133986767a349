import type { Browser, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { roleBindingType, roleType } from '@slipway/kube/core-types'
import { aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { expect, expectAccessible, signIn, test } from './fixtures'
import { patienceMs } from '../scripts/lib/patience.mjs'

const accessRow = (page: Page, name: string) =>
  page.getByRole('table', { name: 'User access' }).getByRole('row').filter({ hasText: name })

async function choose(page: Page, name: string, action: string) {
  await accessRow(page, name)
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Another user in a separate browser. */
async function anotherPerson(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({ baseURL })
  return context.newPage()
}

/** A change of permissions reaches an open page within 30 seconds. */
const soon = { timeout: patienceMs }

test(
  'UA-34, UA-16, UA-43, ACC-09 an admin grants, edits and revokes access, and the other user’s open tab follows',
  { tag: '@cluster' },
  async ({ page, browser, baseURL, namespace }) => {
    const other = await anotherPerson(browser, baseURL)
    await signIn(other, 'contributor', paths.applications({ namespace }))
    await expect(other.getByRole('button', { name: 'Create application' })).toBeDisabled()

    await signIn(page, 'admin', paths.access({ namespace }))
    await page.getByRole('link', { name: 'Grant access' }).click()
    const usernames = page.getByRole('textbox', { name: 'Usernames' })
    await usernames.fill(emailOf('contributor'))
    await usernames.press('Enter')
    await usernames.fill('bob@slipway.test')
    await page.getByRole('radio', { name: 'Maintainer' }).click()
    await page.getByRole('button', { name: 'Grant access' }).click()
    await expect(accessRow(page, 'bob@slipway.test')).toContainText('Maintainer')
    await expect(other.getByRole('link', { name: 'Create application' })).toBeEnabled(soon)

    const granted = 'konflux-maintainer-contributor-slipway-test-user-actions'
    await choose(page, granted, 'Edit access')
    await page.getByRole('radio', { name: 'Admin' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(accessRow(page, 'konflux-admin-contributor-slipway-test-user-actions')).toContainText('Admin')
    await expect(accessRow(page, granted)).toBeHidden()

    await choose(page, 'konflux-admin-contributor-slipway-test-user-actions', 'Revoke access')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(accessRow(page, 'konflux-admin-contributor-slipway-test-user-actions')).toBeHidden()
    await expect(other.getByRole('button', { name: 'Create application' })).toBeDisabled(soon)
    await other.context().close()
  },
)

test(
  'an admin gives several users another role, and all of them have it',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const names = ['ann@slipway.test', 'ben@slipway.test']
    for (const name of names) {
      const binding = { metadata: { name: `konflux-contributor-${name.split('@')[0]}-user-actions`, namespace } }
      const subjects = [{ kind: 'User' as const, apiGroup: roleBindingType.group, name }]
      const roleRef = { name: 'konflux-contributor-user-actions' }
      await system.create(roleBindingType, aRoleBinding({ ...binding, roleRef, subjects }))
    }
    await signIn(page, 'admin', paths.access({ namespace }))
    for (const name of names) await accessRow(page, name).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Change role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Maintainer' }).click()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expect(dialog).toBeHidden()
    for (const name of names) {
      // A new binding comes before the former one goes.
      await expect(accessRow(page, name)).toHaveCount(1)
      await expect(accessRow(page, name)).toContainText('Maintainer')
    }
    const { items } = await system.list(roleBindingType, { namespace })
    const roles = items.filter(({ subjects }) => subjects?.some(({ name }) => names.includes(name)))
    expect(roles.map(({ roleRef }) => roleRef.name)).toEqual(names.map(() => 'konflux-maintainer-user-actions'))
  },
)

test(
  'a namespace that is made public can be seen by an outsider, and no longer once it is private again',
  { tag: '@cluster' },
  async ({ page, browser, baseURL, namespace }) => {
    await signIn(page, 'admin', paths.access({ namespace }))
    const visibility = page.getByRole('group', { name: 'Visibility' })
    await visibility.getByRole('button', { name: 'Make public' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make public' }).click()
    await expect(visibility).toContainText('Public')

    const other = await anotherPerson(browser, baseURL)
    await signIn(other, 'outsider', paths.namespaces())
    await expect(other.getByRole('link', { name: namespace, exact: true })).toBeVisible(soon)

    await visibility.getByRole('button', { name: 'Make private' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click()
    await expect(visibility).toContainText('Private')
    // A list of namespaces that is open counts as fresh for a while (NAV-24).
    await other.goto(paths.applications({ namespace }))
    await expect(other.getByRole('heading', { name: "Let's get you access" })).toBeVisible(soon)
    await other.context().close()
  },
)

test('users cannot grant more permissions than they have', { tag: '@cluster' }, async ({ page, namespace, system }) => {
  const rules = [{ apiGroups: [roleBindingType.group], resources: ['rolebindings'], verbs: ['*'] }]
  await system.create(roleType, { metadata: { name: 'gatekeeper', namespace }, rules })
  await system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name: 'gatekeeper', namespace },
      roleRef: { kind: 'Role', name: 'gatekeeper' },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('contributor') }],
    }),
  )
  await signIn(page, 'contributor', paths.grantAccess({ namespace }))
  await page.getByRole('textbox', { name: 'Usernames' }).fill('eve@slipway.test')
  await page.getByRole('radio', { name: 'Admin' }).click()
  await page.getByRole('button', { name: 'Grant access' }).click()
  await expect(
    page.getByText(/^eve@slipway\.test: .*attempting to grant RBAC permissions not currently held/),
  ).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'eve@slipway.test' }).first()).toBeVisible()
})

test('accessibility of the user access screens', async ({ page, namespace }) => {
  await signIn(page, 'admin', paths.access({ namespace }))
  await expect(accessRow(page, emailOf('contributor'))).toBeVisible()
  await expectAccessible(page, 'access-list')

  await choose(page, emailOf('contributor'), 'Revoke access')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'access-revoke')
  await page.keyboard.press('Escape')

  await page.goto(paths.grantAccess({ namespace }))
  const usernames = page.getByRole('textbox', { name: 'Usernames' })
  await usernames.fill('ann@slipway.test')
  await usernames.press('Enter')
  await usernames.fill('no name!')
  // The message moves the elements below the field, but not away from the mouse pointer.
  await page.getByRole('radio', { name: 'Contributor' }).click()
  await expect(page.getByRole('radio', { name: 'Contributor' })).toBeChecked()
  await expect(page.getByText(/^Must be 2 to 45 characters long/)).toBeVisible()
  await expectAccessible(page, 'access-grant')
})
