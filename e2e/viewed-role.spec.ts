import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

test(
  'an admin views the console as a contributor: nothing can be changed, secrets are denied, and End restores both',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    await system.create(applicationType, anApplication({ metadata: { name: 'shop', namespace } }))
    await signIn(page, 'admin', paths.applications({ namespace }))
    const role = page.getByRole('button', { name: 'Your role: Admin' })
    const create = page.getByRole('link', { name: 'Create application' })
    await expect(create).toBeEnabled()

    const writes: string[] = []
    const headers = new Set<string>()
    page.on('request', (request) => {
      for (const name of Object.keys(request.headers())) headers.add(name)
      const isReview = /review/.test(request.url())
      if (request.method() !== 'GET' && !isReview) writes.push(`${request.method()} ${request.url()}`)
    })

    await role.click()
    await expectAccessible(page, 'role')
    await page.getByRole('button', { name: 'View as Contributor' }).click()
    const banner = page.getByRole('region', { name: 'Viewed role' })
    await expect(banner).toContainText('Viewed as Contributor. Nothing can be changed.')
    await page.getByRole('button', { name: 'Actions for shop' }).click()
    const deletion = page.getByRole('menuitem', { name: 'Delete application' })
    await expect(deletion).toBeDisabled()
    await deletion.hover()
    await expect(page.getByRole('tooltip')).toHaveText("You don't have access to delete this application")
    await deletion.press('Enter')
    await expect(page.getByRole('dialog', { name: "Why can't I? Delete application" })).toContainText('Contributor')
    await page.keyboard.press('Escape')
    await expectAccessible(page, 'viewed-role')

    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill('create')
    const creation = page.getByRole('option', { name: /Create application/ })
    await expect(creation).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')

    await page.goto(paths.secrets({ namespace }))
    await expect(page.getByText(/You need permission to list secrets/)).toBeVisible()
    await expect(banner).toBeVisible()

    await banner.getByRole('button', { name: 'End' }).click()
    await expect(banner).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'Secrets' })).toBeVisible()
    await page.goto(paths.applications({ namespace }))
    await expect(create).toBeEnabled()
    expect(writes).toEqual([])
    expect([...headers].filter((name) => name.startsWith('impersonate'))).toEqual([])
  },
)

test('an admin who views as an admin can open what changes something, and the console refuses to send it', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'shop', namespace } }))
  await signIn(page, 'admin', paths.applications({ namespace }))
  await page.getByRole('button', { name: 'Your role: Admin' }).click()
  await page.getByRole('button', { name: 'View as Admin' }).click()
  await expect(page.getByRole('region', { name: 'Viewed role' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for shop' }).click()
  await page.getByRole('menuitem', { name: 'Delete application' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('shop')
  await dialog.getByRole('textbox').press('Enter')
  await expect(dialog).toContainText('You view the console as Admin: nothing can be changed.')
  expect((await system.list(applicationType, { namespace })).items).toHaveLength(1)
})
