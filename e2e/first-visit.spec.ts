import { paths } from '@slipway/console/paths'
import { applicationRow, freshness } from './applications'
import { expect, expectSignedIn, expectSignInPage, signInButton, test } from './fixtures'

test('OVW-05, NAV-08, SHELL-20 a first-time user finds the way to a first application', async ({ page, namespace }) => {
  await page.goto('/')
  await expectSignInPage(page)
  await signInButton(page, 'maintainer').click()
  await expectSignedIn(page, 'maintainer')
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  // No namespace is open yet, and the page says how to find one.
  await expect(navigation.getByRole('link', { name: 'Applications' })).toHaveAttribute('aria-disabled', 'true')

  await page.getByRole('link', { name: 'View my namespaces' }).click()
  await page.getByPlaceholder('Filter by name...').fill(namespace)
  await expect(page.getByRole('table', { name: 'Namespaces' }).getByRole('rowheader')).toHaveText([namespace])
  await page.getByRole('link', { name: namespace, exact: true }).click()
  await expect(page).toHaveURL(paths.applications({ namespace }))

  await expect(page.getByText('Easily onboard your applications')).toBeVisible()
  await page.getByRole('link', { name: 'Create application' }).first().click()
  const name = page.getByRole('textbox', { name: 'Application name' })
  await name.fill('a')
  await name.blur()
  await expect(page.getByText(/^Must be 2 to 45 characters long/)).toBeVisible()
  await name.fill('my-first')
  await page.getByRole('button', { name: 'Create application' }).click()
  await expect(page.getByRole('heading', { name: 'my-first', level: 1 })).toBeVisible()
  await expect(page.getByText('No components yet')).toBeVisible()
  await expect(freshness(page)).toHaveText('Live')

  // From then on, every page knows the namespace.
  await navigation.getByRole('link', { name: 'Overview' }).click()
  await navigation.getByRole('link', { name: 'Applications' }).click()
  await expect(applicationRow(page, 'my-first')).toBeVisible()
  await page.reload()
  await expect(applicationRow(page, 'my-first')).toBeVisible()
})
