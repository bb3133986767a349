import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

const applications = ['checkout', 'ledger']

/** In each application, a build that has failed, one that has succeeded, and a test that has failed. */
async function createRuns(system: KubeClient, namespace: string) {
  for (const [at, application] of applications.entries()) {
    await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
    for (const [index, [type, status]] of (
      [
        ['build', 'False'],
        ['build', 'True'],
        ['test', 'False'],
      ] as const
    ).entries()) {
      const created = await system.create(
        pipelineRunType,
        aPipelineRun({
          metadata: {
            name: `${application}-${type}-${index}`,
            namespace,
            labels: {
              [labels.application]: application,
              [labels.component]: `${application}-api`,
              [labels.pipelineType]: type,
            },
          },
        }),
      )
      const minutes = 10 * at + index
      await system.replaceStatus(pipelineRunType, {
        ...created,
        status: {
          conditions: [condition('Succeeded', status)],
          startTime: `2026-01-31T09:${String(minutes + 10)}:00Z`,
          completionTime: `2026-01-31T09:${String(minutes + 12)}:00Z`,
        },
      })
    }
  }
}

const names = (page: Page) => page.getByRole('table', { name: 'Pipeline runs' }).getByRole('rowheader')
const inToolbar = (page: Page, name: string | RegExp) =>
  page.locator('.slipway-table__toolbar').getByRole('button', { name, exact: typeof name === 'string' })
async function filter(page: Page, label: string, value: RegExp) {
  await inToolbar(page, label).click()
  await page.getByRole('menuitem', { name: value }).click()
  await page.keyboard.press('Escape')
}

test(
  'failed runs of all applications are found, saved as a view, shared, and gone through one by one',
  { tag: '@cluster' },
  async ({ page, context, namespace, system }) => {
    await createRuns(system, namespace)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, 'contributor', paths.applications({ namespace }))
    await page.getByRole('link', { name: 'View all pipeline runs' }).click()
    await expect(page).toHaveTitle('Pipeline runs | Slipway')
    await expect(names(page)).toHaveText([
      'ledger-test-2',
      'ledger-build-1',
      'ledger-build-0',
      'checkout-test-2',
      'checkout-build-1',
      'checkout-build-0',
    ])
    await expectAccessible(page, 'namespace-runs')

    await filter(page, 'Status', /^Failed/)
    await filter(page, 'Type', /^Build/)
    await expect(names(page)).toHaveText(['ledger-build-0', 'checkout-build-0'])
    await inToolbar(page, 'Views').click()
    await expect(page.getByRole('menuitem', { name: 'Save as a new view' })).toBeVisible()
    await expectAccessible(page, 'namespace-runs-views')
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    await expect(page.getByRole('dialog', { name: 'Save view' })).toBeVisible()
    await expectAccessible(page, 'namespace-runs-save-view')
    await page.getByRole('textbox', { name: 'Name' }).fill('Failed builds')
    await page.keyboard.press('Enter')
    await expect(inToolbar(page, 'View: Failed builds')).toBeVisible()

    await inToolbar(page, 'View: Failed builds').click()
    await page.getByRole('menuitem', { name: 'Copy link to this view' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const otherTab = await context.newPage()
    await otherTab.goto(link)
    await expect(names(otherTab)).toHaveText(['ledger-build-0', 'checkout-build-0'])
    await otherTab.close()

    // Into the first one, by keyboard, and on to the next.
    await names(page).getByRole('link', { name: 'ledger-build-0' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'ledger-build-0', level: 1 })).toBeVisible()
    const position = page.getByRole('navigation', { name: 'Position in pipeline runs' })
    await expect(position).toHaveText('1 of 2')
    await expectAccessible(page, 'run-of-list')
    await page.getByRole('tab', { name: 'Logs' }).click()
    await expect(page).toHaveURL(/\/ledger-build-0\/logs$/)
    await page.keyboard.press(']')
    await expect(page.getByRole('heading', { name: 'checkout-build-0', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(/\/checkout-build-0\/logs$/)
    await page.reload()
    await expect(position).toHaveText('2 of 2')
    await page.keyboard.press('[')
    await expect(page.getByRole('heading', { name: 'ledger-build-0', level: 1 })).toBeVisible()
    await position.getByRole('link').click()
    await expect(inToolbar(page, 'View: Failed builds')).toBeVisible()
    await expect(names(page)).toHaveText(['ledger-build-0', 'checkout-build-0'])
    await page.setViewportSize({ width: 400, height: 800 })
    await expectAccessible(page, 'namespace-runs-phone')
  },
)
