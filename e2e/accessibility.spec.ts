import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/application'
import { anApplication } from '@slipway/model/testing'
import { applicationRow, openDeleteDialog } from './applications'
import { expect, expectAccessible, signIn, test } from './fixtures'

test('sign-in', async ({ page }) => {
  await page.goto(paths.overview())
  await expect(page).toHaveURL(/\/oauth2\/sign_in/)
  await expectAccessible(page, 'sign-in')
})

test('overview, namespaces, 404', async ({ page }) => {
  await signIn(page, 'admin')
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  await expectAccessible(page, 'overview')

  await page.goto(paths.namespaces())
  await expect(page.getByRole('table', { name: 'Namespaces' })).toBeVisible()
  await expectAccessible(page, 'namespaces')

  await page.goto('/no/such/page')
  await expect(page.getByRole('link', { name: 'Go to applications list' })).toBeVisible()
  await expectAccessible(page, '404')
})

test('outsider: no namespace, 403', async ({ page, namespace }) => {
  await signIn(page, 'outsider', paths.namespaces())
  await expect(page.getByRole('heading', { name: 'Namespaces', level: 1 })).toBeVisible()
  await expectAccessible(page, 'namespaces-none')

  await page.goto(paths.applications({ namespace }))
  await expect(page.getByRole('heading', { name: "Let's get you access" })).toBeVisible()
  await expectAccessible(page, '403')
})

test('LIST-06, LIST-07, LIST-08 applications: none, rows, no match; create; delete', async ({
  page,
  namespace,
  system,
}) => {
  await signIn(page, 'admin', paths.applications({ namespace }))
  await expect(page.getByText('Easily onboard your applications')).toBeVisible()
  await expectAccessible(page, 'applications-none')

  for (const name of ['checkout', 'ledger', 'payments']) {
    await system.create(applicationType, anApplication({ metadata: { name, namespace } }))
  }
  await expect(applicationRow(page, 'payments')).toBeVisible()
  await expectAccessible(page, 'applications-rows')

  await openDeleteDialog(page, 'checkout')
  await expectAccessible(page, 'delete-application')
  await page.keyboard.press('Escape')

  await page.getByPlaceholder('Filter by name...').fill('nothing has this name')
  await expect(page.getByText('No results found')).toBeVisible()
  await expect(page.getByText('No results match this filter criteria. Clear all filters and try again.')).toBeVisible()
  await expectAccessible(page, 'applications-no-match')
  await page.getByRole('button', { name: 'Clear all filters' }).last().click()
  await expect(applicationRow(page, 'checkout')).toBeVisible()

  await page.getByRole('link', { name: 'Create application' }).click()
  await page.getByRole('textbox', { name: 'Application name' }).fill('Not A Name!')
  await page.keyboard.press('Tab')
  await expectAccessible(page, 'create-application')
})
