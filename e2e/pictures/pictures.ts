import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { type TaskRun, taskRunType } from '@slipway/model/runs/task-run'
import { applicationRow } from '../applications'
import { badge, markedLine, rowOf, statusIn } from '../builds'
import { colorSchemes, expect, productWith, settle, signIn, test as base, type Product } from '../fixtures'

/** Takes the pictures of the README, in both themes, of the demo as a user finds it after `npm start`. */

const test = base.extend<object, { product: Product }>({
  product: productWith({ scenario: 'demo', simulator: true, archive: 'kubearchive' }),
  page: async ({ page }, use) => {
    // On a busy machine, fonts may arrive so late that the browser would no longer use them.
    await page.route('**/*.css', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('font-display:fallback', '') })
    })
    await use(page)
  },
})

const checkout = { namespace: 'team-payments', application: 'checkout' }
const storefront = { namespace: 'team-storefront', application: 'storefront' }

const fileOf = (name: string) => fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url))

/** Resolves once the page shows all its data and is kept up to date. */
async function expectLive(page: Page) {
  await expect(badge(page, 'Live')).toBeVisible()
  await expect(page.locator('.pf-v6-c-skeleton, .pf-v6-c-spinner')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Takes a picture of the page as it is, in each theme. */
async function takePicture(page: Page, name: string) {
  // The pointer would highlight what it was last used on.
  await page.mouse.move(0, 0)
  for (const colorScheme of colorSchemes) {
    await settle(page, colorScheme)
    await page.screenshot({ path: fileOf(`${name}-${colorScheme}`), animations: 'disabled', caret: 'hide' })
  }
}

/** Name of the build whose task was killed: chance decides how others end, and what they are called. */
async function killedBuild(system: KubeClient): Promise<string> {
  const { items } = await system.list(taskRunType, {
    namespace: checkout.namespace,
    labels: { matchLabels: { [labels.component]: 'checkout-web', [labels.pipelineType]: 'build' } },
  })
  const wasKilled = ({ status }: TaskRun) => status?.steps?.some(({ terminated }) => terminated?.reason === 'OOMKilled')
  return items.find(wasKilled)?.metadata.labels?.[labels.pipelineRun] ?? ''
}

test('applications', async ({ page }) => {
  await signIn(page, 'admin', paths.applications(checkout))
  await expect(applicationRow(page, 'refunds')).toContainText('ago')
  await expectLive(page)
  await takePicture(page, 'applications')
})

test('workflow', async ({ page }) => {
  await signIn(page, 'admin', `${paths.application(checkout)}?workflow=expanded`)
  const graph = page.getByRole('application', { name: 'Workflow of checkout' })
  await expect(graph.getByText('checkout-to-staging')).toBeVisible()
  await expect(graph.getByText('Running')).toBeVisible()
  await expectLive(page)
  await takePicture(page, 'workflow')
})

test('pipeline-runs', async ({ page }) => {
  await signIn(page, 'admin', paths.pipelineRuns(checkout))
  const statusOf = (runs: RegExp) => statusIn(rowOf(page, 'Pipeline runs', runs).first())
  await expect(statusOf(/^refunds-api-on-push-/)).toHaveText('Running')
  // Their repository allows one run at a time.
  await expect(statusOf(/^refunds-web-on-push-/)).toHaveText('Pending')
  await expectLive(page)
  await takePicture(page, 'pipeline-runs')
})

test('cut-off', async ({ page, product: { wire } }) => {
  await signIn(page, 'admin', paths.components(checkout))
  await expect(rowOf(page, 'Components', 'checkout-worker')).toContainText('View build logs')
  await expectLive(page)
  wire.cut()
  await page.getByRole('button', { name: /^Updated \d\d s ago$/ }).click()
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await takePicture(page, 'cut-off')
  wire.heal()
})

test('failed-run', async ({ page, system }) => {
  const pipelineRun = await killedBuild(system)
  await signIn(page, 'admin', paths.pipelineRun({ ...checkout, pipelineRun }))
  await expect(page.getByRole('heading', { name: /OOMKilled/ })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Error: the process was killed')
  await expect(page.getByRole('button', { name: /^build-container, / })).toBeVisible()
  await expectLive(page)
  await takePicture(page, 'failed-run')
})

test('log-line', async ({ page, system }) => {
  const pipelineRun = await killedBuild(system)
  await signIn(page, 'admin', paths.pipelineRun({ ...checkout, pipelineRun }))
  await page.getByRole('link', { name: 'See logs' }).first().click()
  await expect(markedLine(page)).toContainText('Error: the process was killed')
  await expect(markedLine(page)).toBeInViewport()
  await expectLive(page)
  await takePicture(page, 'log-line')
})

test('timeline', async ({ page }) => {
  const list = paths.activityTab({ ...checkout, activityTab: 'pipelineruns' })
  await signIn(page, 'admin', `${list}?${new URLSearchParams({ name: 'checkout-api-on-push', status: 'Succeeded' })}`)
  await rowOf(page, 'Pipeline runs', /^checkout-api-on-push-/)
    .first()
    .getByRole('link', { name: /^checkout-api-on-push-/ })
    .click()
  await page.getByRole('button', { name: 'Timeline' }).click()
  await expect(page.getByText('On the critical path', { exact: true })).toBeVisible()
  await expectLive(page)
  await takePicture(page, 'timeline')
})

test('snapshot', async ({ page }) => {
  await signIn(page, 'admin', paths.snapshots(checkout))
  const group = page.getByRole('table', { name: 'Snapshots' }).getByRole('row').filter({ hasText: 'Group' })
  await group.getByRole('link', { name: /^checkout-\d/ }).click()
  await expect(rowOf(page, 'Integration tests', 'checkout-unit-tests')).toContainText('Succeeded')
  await expect(page.getByRole('row', { name: /^checkout-to-production/ })).toContainText('Held back')
  await expectLive(page)
  await takePicture(page, 'snapshot')
})

test('ripple', async ({ page }) => {
  await signIn(page, 'admin', paths.component({ ...storefront, component: 'storefront-web' }))
  const ripple = page.getByRole('region', { name: 'What rebuilds after this component' })
  await expect(ripple.getByText(/^storefront-cart/)).toBeVisible()
  await expectLive(page)
  await takePicture(page, 'ripple')
})

test('palette', async ({ page }) => {
  await signIn(page, 'admin', paths.application(checkout))
  await expect(page.getByRole('heading', { name: "What's next?" })).toBeVisible()
  await expectLive(page)
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox').fill('checkout')
  await expect(page.getByRole('option', { name: 'checkout', exact: true })).toBeVisible()
  await expect(page.getByRole('option', { name: 'checkout-web', exact: true })).toBeVisible()
  await takePicture(page, 'palette')
})
