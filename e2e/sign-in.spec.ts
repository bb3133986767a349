import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { expect, expectSignedIn, expectSignInPage, signIn, signInButton, signOut, test } from './fixtures'

/** Records the requests for a path of the gateway. */
function requestsFor(page: Page, path: string): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === path) found.push(`${request.method()} ${pathname}${search}`)
  })
  return found
}

test('SESS-04, SESS-05, SESS-06 signing in with the keyboard returns to the requested page', async ({
  page,
  namespace,
}) => {
  const deepLink = `${paths.applications({ namespace })}?name=check#top`
  const asked = requestsFor(page, '/oauth2/sign_in')
  await page.goto(deepLink)
  await expectSignInPage(page)
  expect(asked).toEqual([`GET /oauth2/sign_in?rd=${encodeURIComponent(deepLink)}`])

  await page.keyboard.press('Tab')
  await expect(signInButton(page, 'admin')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(signInButton(page, 'maintainer')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSignedIn(page, 'maintainer')
  await expect(page).toHaveURL(deepLink)
  await expect(page.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
})

test('SHELL-12, SHELL-13, SESS-07, SESS-08 logging out leads to sign-in, which shows the users again', async ({
  page,
  context,
}) => {
  await signIn(page, 'admin', paths.namespaces())
  const copies = await context.cookies()
  const asked = requestsFor(page, '/oauth2/sign_out')
  await signOut(page, 'admin')
  expect(asked).toEqual(['GET /oauth2/sign_out'])

  await page.goto(paths.namespaces())
  await expectSignInPage(page)
  // Copies of the cookies are worthless too.
  await context.addCookies(copies)
  await page.goto(paths.namespaces())
  await expectSignInPage(page)

  await signInButton(page, 'outsider').click()
  await expectSignedIn(page, 'outsider')
})

test('a session that ends in another tab ends in this one too, and its page stays', async ({
  page,
  context,
  namespace,
}) => {
  const deepLink = `${paths.applications({ namespace })}?name=check`
  await signIn(page, 'admin', deepLink)
  await expect(page.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()

  const otherTab = await context.newPage()
  await otherTab.goto(paths.namespaces())
  await signOut(otherTab, 'admin')

  const popup = context.waitForEvent('page')
  await page.getByRole('dialog').getByRole('link', { name: 'Sign in again' }).click()
  await signInButton(await popup, 'contributor').click()
  // No data of the first user remains.
  await expectSignedIn(page, 'contributor')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(deepLink)
})

test('an abandoned sign-in can be started again from its own page', async ({ page, product }) => {
  await page.goto(`${product.signInUrl}/sign-in/long-ago`)
  await expect(page.getByRole('heading', { name: 'This sign-in has expired' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Slipway' }).click()
  await expectSignInPage(page)
  await signInButton(page, 'admin').click()
  await expectSignedIn(page, 'admin')
})

test('opening the sign-out address by hand signs out here and at the provider', async ({ page, context }) => {
  await signIn(page, 'admin', '/')
  await page.goto('about:blank') // the console would redirect to sign-in as soon as its live lists end
  await page.goto('/oauth2/sign_out')
  await expectSignInPage(page)
  const names = (await context.cookies()).map(({ name }) => name)
  expect(names.filter((name) => /session(-\d+)?$/.test(name))).toEqual([])
})
