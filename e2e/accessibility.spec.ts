import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { completeCredentials } from '@slipway/slipway/credentials'
import { startSignInProvider } from '@slipway/slipway/sign-in/provider'
import { describedUsers } from '@slipway/slipway/users'
import { applicationRow, openDeleteDialog } from './applications'
import { expect, expectAccessible, expectSignedIn, expectSignInPage, signIn, signInButton, test } from './fixtures'

test('accessibility of sign-in and its failures', async ({ page, product }) => {
  await page.goto(paths.overview())
  await expectSignInPage(page)
  await expectAccessible(page, 'sign-in')

  await page.goto(`${product.signInUrl}/sign-in/long-ago`)
  await expect(page.getByRole('heading', { name: 'This sign-in has expired' })).toBeVisible()
  await expectAccessible(page, 'sign-in-expired')

  await page.goto(`${product.signInUrl}/session/end`)
  await expectAccessible(page, 'signed-out')

  await page.goto('/oauth2/callback?code=a&state=b')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page, 'sign-in-over')

  await page.getByRole('link', { name: 'Try again' }).click()
  await signInButton(page, 'admin').click()
  await expectSignedIn(page, 'admin')
  await page.goto(`${product.signInUrl}/session/end`)
  await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible()
  await expectAccessible(page, 'sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
})

test('accessibility of sign-in with a passcode', async ({ page }) => {
  const provider = await startSignInProvider({
    host: '127.0.0.1',
    port: 0,
    users: describedUsers('demo').slice(0, 1),
    clientId: 'slipway',
    secrets: completeCredentials({}).signIn,
    redirectOrigins: () => ['http://127.0.0.1:8080'],
    passcode: 'open sesame',
  })
  try {
    const parameters = new URLSearchParams({
      client_id: 'slipway',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://127.0.0.1:8080/oauth2/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })
    await page.goto(`${provider.issuer}/auth?${parameters}`)
    const passcode = page.getByLabel('Passcode')
    await expect(passcode).toBeFocused()
    await expectAccessible(page, 'passcode')
    await passcode.fill('guess')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Wrong passcode.')
    await expectAccessible(page, 'passcode-wrong')
  } finally {
    await provider.close()
  }
})

test('accessibility of the overview, the namespaces and the 404 page', async ({ page }) => {
  await signIn(page, 'admin', paths.overview())
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  await expectAccessible(page, 'overview')

  await page.goto(paths.namespaces())
  await expect(page.getByRole('table', { name: 'Namespaces' })).toBeVisible()
  await expectAccessible(page, 'namespaces')

  await page.goto('/no/such/page')
  await expect(page.getByRole('link', { name: 'Go to applications list' })).toBeVisible()
  await expectAccessible(page, '404')
})

test('accessibility for an outsider: no namespaces, 403', async ({ page, namespace }) => {
  await signIn(page, 'outsider', paths.namespaces())
  await expect(page.getByRole('heading', { name: 'Namespaces', level: 1 })).toBeVisible()
  await expectAccessible(page, 'namespaces-none')

  await page.goto(paths.applications({ namespace }))
  await expect(page.getByRole('heading', { name: "Let's get you access" })).toBeVisible()
  await expectAccessible(page, '403')
})

test('LIST-06, LIST-07, LIST-08 accessibility of applications: empty, rows, no match, create, delete', async ({
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
