import { paths } from '@slipway/console/paths'
import { expect, signIn, test } from './fixtures'

test('NAV-41, ERR-01, ERR-02 a path that no screen has shows the 404 page', async ({ page }) => {
  await signIn(page, 'admin', '/no/such/page')
  await expect(
    page.getByText("Looks like that page doesn't exist. Let's get you back to your applications list."),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Go to applications list' }).click()
  await expect(page).toHaveURL(paths.overview())
})

test('SHELL-07, SHELL-11, PREF-08 the chosen theme takes effect at once and outlives a reload', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page, 'admin')
  const root = page.locator('html')
  await expect(root).not.toHaveClass(/pf-v6-theme-dark/)

  await page.getByRole('button', { name: /^Theme/ }).click()
  await expect(page.getByRole('menuitem')).toHaveText([/^System/, 'Light', 'Dark'])
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect(root).toHaveClass(/pf-v6-theme-dark/)

  await page.reload()
  await expect(root).toHaveClass(/pf-v6-theme-dark/)
})
