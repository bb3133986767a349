import { paths } from '@slipway/console/paths'
import { expect, signIn, test } from './fixtures'

test('NAV-41, ERR-01, ERR-02 an unknown path shows the 404 page', async ({ page }) => {
  await signIn(page, 'admin', '/no/such/page')
  await expect(
    page.getByText("Looks like that page doesn't exist. Let's get you back to your applications list."),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Go to applications list' }).click()
  await expect(page).toHaveURL(paths.overview())
})

test('SHELL-07, SHELL-11, PREF-08 the chosen theme takes effect immediately and survives a reload', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page, 'admin', paths.overview())
  const root = page.locator('html')
  await expect(root).not.toHaveClass(/pf-v6-theme-dark/)

  await page.getByRole('button', { name: /^Theme/ }).click()
  await expect(page.getByRole('menuitem')).toHaveText([/^System/, 'Light', 'Dark'])
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect(root).toHaveClass(/pf-v6-theme-dark/)

  await page.reload()
  await expect(root).toHaveClass(/pf-v6-theme-dark/)
})

test('the page asks not to be translated, since a translation would hide later changes', async ({ page }) => {
  await signIn(page, 'admin', paths.overview())
  await expect(page.locator('html')).toHaveAttribute('translate', 'no')
})

test('a page starts at its top, and keeps its scroll position on the way back', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 400 })
  await signIn(page, 'admin', paths.about())
  const content = page.getByRole('main')
  const top = () => content.evaluate((element) => element.scrollTop)
  await content.evaluate((element) => (element.scrollTop = 150))
  await page.getByRole('link', { name: 'View my namespaces' }).click()
  await expect(page.getByRole('heading', { name: 'Namespaces' })).toBeFocused()
  expect(await top()).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'About Slipway' })).toBeFocused()
  expect(await top()).toBe(150)

  // Also if the tab was reloaded in between, and after a reload of the page itself.
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Namespaces' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Namespaces' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'About Slipway' })).toBeVisible()
  await expect.poll(top).toBe(150)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'About Slipway' })).toBeVisible()
  await expect.poll(top).toBe(150)
})
