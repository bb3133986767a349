import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '@slipway/console/paths'
import { applicationRow } from './applications'
import { application, createApplication } from './builds'
import { assets, expect, recordPageErrors, signIn, test } from './fixtures'

test('the layout of a page is there before its script, and the page takes its place', async ({
  page,
  system,
  namespace,
}) => {
  await createApplication(system, namespace)
  await signIn(page, 'maintainer', paths.overview())
  const errors = recordPageErrors(page)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/index-[^/]+\.(js|css)$/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(paths.applications({ namespace }), { waitUntil: 'commit' })

  const main = page.locator('main')
  await expect(main.getByText('Applications', { exact: true }).last()).toBeVisible()
  await expect(main.getByText('Last deploy')).toBeVisible()
  // The names in the address, and the last user.
  await expect(main.getByText(namespace)).toBeVisible()
  await expect(page.getByText('maintainer@slipway.test')).toBeVisible()
  await expect(page.locator('#sidebar a', { hasText: 'Secrets' })).toHaveAttribute('href', paths.secrets({ namespace }))
  // Nothing that does not work yet can be reached.
  await expect(page.getByRole('heading')).toHaveCount(0)
  const button = await page.locator('.slipway-palette-button').boundingBox()
  await page.mouse.click((button?.x ?? 0) + 5, (button?.y ?? 0) + 5)
  await expect(page.locator('.slipway-palette-button')).not.toBeFocused()

  release()
  await expect(applicationRow(page, application)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Applications', level: 1 })).toHaveCount(1)
  await expect(page.locator('.slipway-first-page, #slipway-critical')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a site without prepared documents has the same pages', async ({ page, system, namespace }) => {
  await createApplication(system, namespace)
  await signIn(page, 'maintainer', paths.overview())
  const errors = recordPageErrors(page)
  const index = await readFile(join(assets, 'index.html'), 'utf8')
  await page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const policy = (response.headers()['content-security-policy'] ?? '').replaceAll(/ 'sha256-[^']+'/g, '')
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': policy },
      body: index,
    })
  })
  for (const path of [paths.overview(), paths.applications({ namespace })]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await expect(applicationRow(page, application)).toBeVisible()
  expect(errors).toEqual([])
})
