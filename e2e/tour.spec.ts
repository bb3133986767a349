import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { demoTour } from '@slipway/simulator/scenarios/demo-tour'
import { rowOf } from './builds'
import { expect, expectAccessible, productWith, signIn, test as base, type Product } from './fixtures'

/** The tour through the demo, which only the embedded cluster offers. */
const test = base.extend<object, { product: Product }>({
  product: productWith({ scenario: 'demo', archive: 'kubearchive' }),
})

const tour = (page: Page) => page.getByRole('complementary', { name: 'Tour' })

/** What each step tells users to look at is on its page. */
const subjects: ((page: Page) => Promise<void>)[] = [
  (page) => expect(page.getByRole('link', { name: 'checkout', exact: true })).toBeVisible(),
  (page) => expect(rowOf(page, 'Pipeline runs', /^checkout-web-on-push-/).first()).toContainText('Failed'),
  (page) => expect(page.getByRole('table', { name: 'Snapshots' }).getByRole('row', { name: /Group/ })).toBeVisible(),
  (page) => expect(rowOf(page, 'Release plans', 'storefront-frozen')).toContainText('Blocked'),
  (page) => expect(page.getByRole('heading', { name: 'Pipeline runs', level: 1 })).toBeVisible(),
]

test('the tour of the demo is offered once, leads through its story from the keyboard, and is found again', async ({
  page,
}) => {
  await signIn(page, 'admin', paths.overview())
  await expect(page.getByRole('heading', { name: 'New here? Take the tour' })).toBeVisible()
  await expectAccessible(page, 'tour-offer')
  await page.getByRole('button', { name: 'Start the tour' }).press('Enter')

  expect(subjects).toHaveLength(demoTour.length)
  for (const [index, { title, path }] of demoTour.entries()) {
    await test.step(title, async () => {
      await expect(tour(page).getByRole('heading', { name: title })).toBeVisible()
      await expect(page).toHaveURL(path)
      await subjects[index]?.(page)
      if (index === 0) {
        await expect(tour(page)).toBeFocused()
        await expectAccessible(page, 'tour')
      }
      const next = tour(page).getByRole('button', { name: index < demoTour.length - 1 ? 'Next' : 'Finish' })
      if (index > 0) await expect(next).toBeFocused()
      await next.press('Enter')
    })
  }
  await expect(tour(page)).toHaveCount(0)

  await page.goto(paths.overview())
  await expect(page.getByRole('heading', { name: 'Your namespaces' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'New here? Take the tour' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'Take the tour' }).click()
  await expect(tour(page)).toContainText(demoTour[0]?.text ?? '')

  await test.step('it survives a reload, and covers nothing on a narrow screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.reload()
    await expect(tour(page)).toContainText(demoTour[0]?.text ?? '')
    await expectAccessible(page, 'tour-narrow')
    await expect(page.getByRole('button', { name: 'Help' })).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await tour(page).getByRole('button', { name: 'End tour' }).click()
    await expect(tour(page)).toHaveCount(0)
  })
})

test('the tour is not offered to a user without access to what it shows', async ({ page }) => {
  await signIn(page, 'outsider', paths.overview())
  await page.getByRole('button', { name: 'Help' }).click()
  await expect(page.getByRole('menuitem', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Take the tour' })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'New here? Take the tour' })).toHaveCount(0)
})
