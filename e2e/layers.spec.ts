import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { annotations } from '@slipway/model/labels'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication } from '@slipway/model/testing'
import { expect, expectAccessible, reject, signIn, signInButton, signOut, test } from './fixtures'

test('FORM-13 only the top layer is accessible and has the focus, while live data updates all that is below it', async ({
  page,
  context,
  namespace,
  system,
}) => {
  const at = { namespace, application: 'checkout' }
  await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
  for (const [name, nudges] of Object.entries({ api: ['web', 'docs'], web: [], docs: [] }))
    await system.create(
      componentType,
      aComponent({ metadata: { name, namespace }, spec: { 'build-nudges-ref': nudges } }),
    )
  const relationships = page.locator('[role=dialog]', { hasText: 'What rebuilds' })
  let isSent = false
  const update = async () => {
    isSent = !isSent
    const state = JSON.stringify({ pac: { state: isSent ? 'enabled' : 'error' } })
    const metadata = { annotations: { [annotations.buildStatus]: state } }
    await system.patch(componentType, 'web', { metadata }, { namespace })
    await expect(relationships.getByText(isSent ? 'Merge pull request' : 'Pull request failed')).toBeVisible()
  }

  await signIn(page, 'admin', paths.components(at))
  await page.getByRole('link', { name: 'api', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'api', level: 1 })).toBeVisible()

  // A failure, whose notice stays until it is dismissed.
  await page.route(/\/components\/api/, (route) =>
    route.request().method() === 'PATCH' ? reject(route, 403, 'a webhook says no') : route.fallback(),
  )
  await page.getByRole('button', { name: 'Actions for api' }).click()
  await page.getByRole('menuitem', { name: 'Start new build' }).click()
  const notice = page.getByRole('list', { name: 'Notices' }).getByText('a webhook says no')
  await expect(notice).toBeVisible()
  await page.unrouteAll()

  // A dialog.
  await page.getByRole('button', { name: 'Define component relationships' }).click()
  const dialog = page.getByRole('dialog', { name: 'Component relationships' })
  await expect(dialog.getByRole('button', { name: /^Component / })).toBeFocused()
  await dialog.getByRole('button', { name: 'What rebuilds with these relationships' }).click()
  await update()
  await expectOnTop(page, 'Component relationships')
  await expect(notice).toBeVisible()
  await expectAccessible(page, 'layers-dialog')

  // A menu of the dialog.
  const targets = dialog.getByRole('button', { name: /^Related components / })
  await targets.click()
  const option = dialog.getByRole('option', { name: 'docs' })
  await expect(option).toBeVisible()
  await update()
  await expectOnTop(page, 'Component relationships')
  await expect(option).toBeVisible()
  await expectAccessible(page, 'layers-menu')
  await page.keyboard.press('Escape')
  await expect(option).toBeHidden()
  await expect(targets).toBeFocused()

  // A question above the dialog, and the notice next to it.
  await dialog.getByRole('button', { name: 'Remove docs' }).click()
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  await cancel.click()
  const question = page.getByRole('dialog', { name: /Discard unsaved changes\?/ })
  const stay = question.getByRole('button', { name: 'Go back' })
  await expect(stay).toBeFocused()
  await update()
  await expectOnTop(page, 'Warning alert: Discard unsaved changes?')
  await expect(stay).toBeFocused()
  await expect(dialog).toBeHidden()
  await expectAccessible(page, 'layers-question')
  expect(await tabStops(page, 8)).toEqual(['Close', 'Close anyway', 'Dismiss', 'Go back'])

  // The end of the session, above all of them.
  await stay.focus()
  const otherTab = await context.newPage()
  await otherTab.goto(paths.namespaces())
  await signOut(otherTab, 'admin')
  await otherTab.close()
  const session = page.getByRole('dialog', { name: 'You have logged out' })
  await expect(session.getByRole('link', { name: 'Sign in again' })).toBeFocused()
  await expectOnTop(page, 'You have logged out')
  await expectAccessible(page, 'layers-session')
  const popup = context.waitForEvent('page')
  await page.keyboard.press('Enter')
  await signInButton(await popup, 'admin').click()
  await expect(session).toBeHidden()
  await expect(stay).toBeFocused()
  await update()
  await expectOnTop(page, 'Warning alert: Discard unsaved changes?')

  await page.keyboard.press('Escape')
  await expectOnTop(page, 'Component relationships')
  await expect(cancel).toBeFocused()
  await page.goBack()
  await page.getByRole('button', { name: 'Leave anyway' }).click()
  await expect(page.getByRole('heading', { name: 'checkout', level: 1 })).toBeFocused()
  await expectOnTop(page)
  await expect(page.locator('[inert]')).toHaveCount(0)
})

/** Expects that a dialog, or else the page, is all that the browser exposes to assistive technology and to the keyboard. */
async function expectOnTop(page: Page, dialog?: string) {
  const devtools = await page.context().newCDPSession(page)
  await expect(async () => {
    const { nodes } = await devtools.send('Accessibility.getFullAXTree')
    const exposed = nodes.filter(
      ({ ignored, role }) => !ignored && (role?.value === 'dialog' || role?.value === 'main'),
    )
    expect(exposed.map(({ role, name }) => (role?.value === 'main' ? 'page' : name?.value))).toEqual([dialog ?? 'page'])
  }).toPass()
  await devtools.detach()
}

/** Presses Tab, and returns the names of all elements that have had the focus, sorted. */
async function tabStops(page: Page, presses: number): Promise<string[]> {
  const names = new Set<string>()
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement === document.body
        ? undefined
        : (activeElement?.getAttribute('title') ??
            activeElement?.getAttribute('aria-label') ??
            activeElement?.textContent)
    })
    if (name) names.add(name)
  }
  return [...names].sort()
}
