import { paths } from '@slipway/console/paths'
import { configMapType } from '@slipway/kube/core-types'
import type { KubeClient } from '@slipway/kube/client'
import { bannerEntry, bannerLocation } from '@slipway/model/platform/public-info'
import { installClock } from './clock'
import { expect, expectAccessible, signIn, test } from './fixtures'

test.describe.configure({ mode: 'serial' })

async function announce(system: KubeClient, text: string) {
  const { name, namespace } = bannerLocation
  const configMap = await system.get(configMapType, name, { namespace })
  await system.replace(configMapType, { ...configMap, data: { [bannerEntry]: text } })
}

test('BAN-17, BAN-18 a banner appears and disappears while the page is open, and the page makes room for it', async ({
  page,
  system,
}) => {
  const banner = page.getByRole('region', { name: 'Banner' })
  const endOfFrame = () =>
    page.locator('.slipway-frame').evaluate((frame) => Math.round(frame.getBoundingClientRect().bottom))
  // Half a minute before nine this evening, by the clocks of the page and the entry; sessions use real time.
  const start = new Date()
  start.setUTCHours(20, 59, 30, 0)
  await announce(
    system,
    `- {summary: The database moves tonight, type: warning, startTime: '21:00', endTime: '21:10', dayOfWeek: ${start.getUTCDay()}}`,
  )
  await signIn(page, 'outsider')
  await installClock(page, { time: start })
  await page.goto(paths.overview())
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  const height = page.viewportSize()?.height
  expect(await endOfFrame()).toBe(height)
  await expect(banner).toBeHidden()

  await page.clock.runFor('00:31')
  await expect(banner).toContainText('The database moves tonight')
  expect(await endOfFrame()).toBe(height)
  await page.clock.resume()
  await expectAccessible(page, 'banner')

  await page.clock.fastForward('11:00')
  await expect(banner).toBeHidden()
  await announce(system, '[]\n')
})

test('BAN-18 a long banner can be read to its end on a phone, and the page stays below it', async ({
  page,
  system,
}) => {
  await announce(system, `- {summary: '${'tonight '.repeat(50)}https://example.com/${'a'.repeat(50)}', type: danger}`)
  await page.setViewportSize({ width: 400, height: 900 })
  await signIn(page, 'outsider', paths.overview())
  const banner = page.getByRole('region', { name: 'Banner' })
  await expect(banner).toContainText('https://example.com/')
  const size = () =>
    page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      height: document.documentElement.scrollHeight,
    }))
  const { height = 0 } = (await banner.boundingBox()) ?? {}
  expect(height).toBeGreaterThan(150)
  await expect.poll(size).toEqual({ width: 400, height: 900 })
  await expectAccessible(page, 'banner-long')

  // At 400% zoom the window scrolls.
  await page.setViewportSize({ width: 320, height: 256 })
  await page.getByRole('link', { name: 'View my namespaces' }).click()
  await expect(page).toHaveURL(paths.namespaces())
  expect((await size()).width).toBe(320)
  await announce(system, '[]\n')
})

test('FLAG-05, FLAG-17, FLAG-18, FLAG-20 flags are set by URL, by hand, and reset to their defaults', async ({
  page,
}) => {
  await signIn(page, 'outsider', `${paths.overview()}?ff=system-notifications`)
  const bell = page.getByRole('button', { name: 'Notifications, 0' })
  await bell.click()
  await expect(page.getByText('Unable to load system notifications')).toBeVisible()
  await expectAccessible(page, 'notifications-refused')
  await page.keyboard.press('Escape')
  await expect(bell).toBeFocused()

  await page.getByRole('button', { name: 'Experimental features' }).click()
  const dialog = page.getByRole('dialog', { name: 'Feature Flags' })
  await expect(dialog.getByRole('switch', { name: 'system-notifications' })).toBeChecked()
  await expect(dialog.getByRole('switch', { name: 'kubearchive-logs' })).toBeDisabled()
  await expectAccessible(page, 'feature-flags')
  await dialog.getByText('column-management').locator('..').locator('..').locator('label').click()
  await expect(page).toHaveURL(/\?ff=system-notifications&ff_column-management=false$/)

  // Flags of a URL are those of the tab that opened it, while those set by hand are the browser's.
  const other = await page.context().newPage()
  await other.goto(paths.overview())
  await expect(other.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Notifications, 0' })).toBeHidden()
  await other.getByRole('button', { name: 'Experimental features' }).click()
  const panel = other.getByRole('dialog', { name: 'Feature Flags' })
  await expect(panel.getByRole('switch', { name: 'column-management' })).not.toBeChecked()
  await panel.getByRole('button', { name: 'Reset to Defaults' }).click()
  await expect(panel.getByRole('switch', { name: 'column-management' })).toBeChecked()
  await expect(other).toHaveURL(paths.overview())
})

test('NAV-13, NAV-19 the namespace switcher leads to the same section of another namespace', async ({
  page,
  namespace,
}) => {
  await signIn(page, 'admin', paths.applications({ namespace }))
  await page.getByRole('button', { name: `Switch namespace, now ${namespace}` }).click()
  await expect(page.getByRole('textbox', { name: 'Filter namespaces by name' })).toBeFocused()
  await page.keyboard.type('payments')
  await expect(page.getByRole('menuitem', { name: 'team-payments' })).toBeVisible()
  await expectAccessible(page, 'namespace-switcher')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(paths.applications({ namespace: 'team-payments' }))
  await page.getByRole('button', { name: 'Switch namespace, now team-payments' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['team-payments', namespace])
})
