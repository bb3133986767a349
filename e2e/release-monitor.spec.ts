import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { aRelease, condition } from '@slipway/model/testing'
import { rowOf } from './builds'
import { createNamespaceToSee, expect, expectAccessible, signIn, test } from './fixtures'

const table = 'Releases'

test('MON-01, MON-07, MON-08, MON-10 the releases of all namespaces, from the flag to the latest of each component', async ({
  page,
  namespace,
  system,
}) => {
  const denied = `${namespace}-denied`
  await createRelease(system, namespace, 'api-1', 'Failed', '2026-01-31T09:00:00Z')
  await createNamespaceToSee(system, denied, 'admin')
  await signIn(page, 'admin', paths.overview())
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: 'Namespaces' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Release Monitor/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Experimental features' }).click()
  const flags = page.getByRole('dialog', { name: 'Feature Flags' })
  await flags.getByText('release-monitor').locator('..').locator('..').locator('label').click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Release Monitor Board' }).click()
  await expect(page).toHaveURL(/\/releasemonitor/)
  await navigation.getByRole('link', { name: 'Overview' }).click()
  await navigation.getByRole('link', { name: 'Release Monitor' }).click()
  await expect(page.getByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()

  // Other tests have namespaces of their own.
  await page.getByRole('textbox', { name: 'Filter by name' }).fill(namespace)
  const first = rowOf(page, table, `${namespace}-api-1`)
  await expect(first).toContainText('Failed')
  await expect(page.getByText(new RegExp(`Could not read.* namespace ${denied}`))).toBeVisible()
  await page.getByRole('button', { name: 'Partial' }).click()
  await expect(page.getByText(new RegExp(`^namespace ${denied}: You don't have access`))).toBeVisible()
  await expectAccessible(page, 'release-monitor-partial')
  await page.keyboard.press('Escape')

  await createRelease(system, namespace, 'api-2', 'Succeeded', '2026-01-31T10:00:00Z')
  await expect(rowOf(page, table, `${namespace}-api-2`)).toContainText('Succeeded')
  await page.getByText('Show latest release for each component').click()
  await expect(first).toHaveCount(0)
  await page.getByRole('button', { name: 'Status', expanded: false }).click()
  await page.getByRole('menuitem', { name: /^Succeeded/ }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/showLatest=true/)
  await expect(page).toHaveURL(/status=Succeeded/)
  await page.reload()
  await expect(rowOf(page, table, `${namespace}-api-2`)).toBeVisible()
  await expect(first).toHaveCount(0)
  await expectAccessible(page, 'release-monitor')
  await page.setViewportSize({ width: 400, height: 900 })
  await expectAccessible(page, 'release-monitor-narrow')
  await page.getByRole('link', { name: `${namespace}-api-2` }).click()
  await expect(page).toHaveURL(new RegExp(`${paths.namespace({ namespace })}/`))
})

async function createRelease(
  system: KubeClient,
  namespace: string,
  name: string,
  outcome: 'Succeeded' | 'Failed',
  completionTime: string,
) {
  const release = aRelease({
    metadata: {
      name: `${namespace}-${name}`,
      namespace,
      labels: { [labels.application]: 'checkout', [labels.component]: 'api' },
    },
  })
  const created = await system.create(releaseType, release)
  const conditions = [condition('Released', outcome === 'Succeeded' ? 'True' : 'False', outcome)]
  await system.replaceStatus(releaseType, { ...created, status: { conditions, completionTime } })
}
