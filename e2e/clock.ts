import type { Page } from '@playwright/test'

/**
 * Installs a clock that the test advances, for the page and, as the page sees it, for the cluster: the console corrects
 * its own clock by the `Date` of responses, and would take a clock that only the page has for a wrong one.
 */
export async function installClock(page: Page, ...options: Parameters<Page['clock']['install']>): Promise<void> {
  await page.clock.install(...options)
  await page.addInitScript(() => {
    const { get } = Headers.prototype
    Headers.prototype.get = function (name) {
      return name.toLowerCase() === 'date' ? new Date().toUTCString() : get.call(this, name)
    }
  })
}
