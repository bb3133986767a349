import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { openDeleteDialog } from './applications'
import {
  expect,
  expectAccessible,
  expectSignedIn,
  expectSignInPage,
  signIn,
  signInButton,
  signOut,
  test,
} from './fixtures'

test('a form survives the end of the session, and is submitted after signing in in another tab', async ({
  page,
  context,
  namespace,
  system,
}) => {
  await signIn(page, 'admin', paths.createApplication({ namespace }))
  const name = page.getByRole('textbox', { name: 'Application name' })
  await name.fill('checkout')

  const otherTab = await context.newPage()
  await otherTab.goto(paths.namespaces())
  await signOut(otherTab, 'admin')

  await expect(page.getByRole('dialog', { name: 'You have logged out' })).toBeVisible()
  await expectAccessible(page, 'session-ended')
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))

  const popup = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  const signInPage = await popup
  await expectSignInPage(signInPage)
  expect(calls.filter((url) => new URL(url).pathname.startsWith('/api'))).toEqual([])
  await signInButton(signInPage, 'admin').click()

  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(name).toHaveValue('checkout')
  await page.getByRole('button', { name: 'Create application' }).click()
  await expect(page).toHaveURL(paths.application({ namespace, application: 'checkout' }))
  expect((await system.get(applicationType, 'checkout', { namespace })).metadata.name).toBe('checkout')
})

test('an open dialog survives the end of the session, with only the keyboard', async ({
  page,
  context,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
  await signIn(page, 'admin', paths.applications({ namespace }))
  const dialog = await openDeleteDialog(page, 'checkout')
  await dialog.getByRole('textbox').fill('checkout')
  await context.clearCookies()
  await page.keyboard.press('Enter')

  const offer = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(offer).toBeVisible()
  await expectAccessible(page, 'session-ended-over-dialog')
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  await expect(offer).toBeVisible()
  await expect(offer.getByRole('link', { name: 'Sign in again' })).toBeFocused()
  const popup = context.waitForEvent('page')
  await page.keyboard.press('Enter')
  await signInButton(await popup, 'admin').click()

  await expect(offer).toBeHidden()
  await expect(dialog.getByRole('textbox')).toHaveValue('checkout')
  await dialog.getByRole('textbox').press('Enter')
  await expect(dialog).toBeHidden()
  expect((await system.list(applicationType, { namespace })).items).toEqual([])
})

test('a session that ended without notice ends in all tabs as soon as one of them sends a request', async ({
  page,
  context,
  namespace,
}) => {
  await signIn(page, 'admin', paths.createApplication({ namespace }))
  await page.getByRole('textbox', { name: 'Application name' }).fill('checkout')
  const otherTab = await context.newPage()
  await otherTab.goto(paths.namespaces())
  await expectSignedIn(otherTab, 'admin')
  // Its own requests are complete: the next request comes from the first tab.
  await expect(
    otherTab.getByRole('row', { name: namespace }).getByRole('cell', { name: '0', exact: true }),
  ).toBeVisible()

  await context.clearCookies()
  await page.getByRole('button', { name: 'Create application' }).click()
  for (const tab of [page, otherTab]) {
    await expect(tab.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  }
})
