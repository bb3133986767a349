import type { Page } from '@playwright/test'
import { badge } from './builds'
import { expect } from './fixtures'

/** Who reads the lists of a page, in the words of its badge. */
const readers = {
  service: 'The service for list views, which reads lists for all users.',
  browser: 'Your browser, since the service for list views cannot be reached or does not exist.',
}

/** Expects that the badge of the page says who reads its list. */
export async function expectReader(page: Page, reader: keyof typeof readers) {
  const live = badge(page, 'Live')
  await expect(async () => {
    await live.click({ timeout: 1_000 })
    await expect(page.getByText(readers[reader]).first()).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await page.keyboard.press('Escape')
}
