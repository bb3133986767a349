import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { expect, signIn, test, withoutViewsService } from './fixtures'

const application = 'checkout'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Creates two applications, so that there is one to switch to, and runs of the first. */
async function createRuns(system: KubeClient, namespace: string) {
  for (const name of [application, 'ledger']) {
    await system.create(applicationType, anApplication({ metadata: { name, namespace } }))
  }
  for (let index = 0; index < 3; index++) {
    const created = await system.create(
      pipelineRunType,
      aPipelineRun({
        metadata: {
          name: `checkout-on-push-${index}`,
          namespace,
          labels: {
            [labels.application]: application,
            [labels.pipelineType]: 'build',
            [labels.eventType]: 'pull_request',
            [labels.commitSha]: 'a'.repeat(40),
          },
        },
      }),
    )
    const status = {
      conditions: [condition('Succeeded', 'False', 'Failed')],
      startTime: minutesAgo(59 - 2 * index),
      completionTime: minutesAgo(40),
    }
    await system.replaceStatus(pipelineRunType, { ...created, status })
  }
}

test('times fit on one line in a window of 1280 pixels', async ({ page, namespace, system }) => {
  await createRuns(system, namespace)
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, 'admin', paths.activityTab({ namespace, application, activityTab: 'pipelineruns' }))
  const times = page.locator('tbody time')
  await expect(times.first()).toHaveText(/^5\dm ago$/)
  const lines = await times.evaluateAll((all) => all.map((time) => time.getClientRects().length))
  expect(new Set(lines)).toEqual(new Set([1]))
})

test('a list does not move when its rows arrive', async ({ page, namespace, system }) => {
  await createRuns(system, namespace)
  await withoutViewsService(page)
  const address = paths.activityTab({ namespace, application, activityTab: 'pipelineruns' })
  await signIn(page, 'admin', paths.overview())
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/(pipelineruns|applications)\?/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(address)
  await expect(page.getByRole('tab', { name: 'Pipeline runs' })).toBeVisible()
  await expect(page.locator('table[aria-busy=true]')).toBeVisible()
  const loading = await placesOf(page)
  release()
  await expect(page.getByRole('row', { name: /checkout-on-push-0/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Switch application/ })).toBeVisible()
  expect(await placesOf(page)).toEqual(loading)
})

test('a list with more runs than are rendered at once keeps its scroll position on the way back', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  for (let index = 0; index < 130; index++) {
    const metadata = { name: `run-${index}`, namespace, labels: { [labels.application]: application } }
    await system.create(pipelineRunType, aPipelineRun({ metadata }))
  }
  await signIn(page, 'admin', paths.activityTab({ namespace, application, activityTab: 'pipelineruns' }))
  const main = page.getByRole('main')
  const top = () => main.evaluate((element) => element.scrollTop)
  await expect(page.getByText('100 of 130 in the cluster')).toBeVisible()
  await main.evaluate((element) => (element.scrollTop = element.scrollHeight))
  await expect(page.getByText(/^130 (in the cluster|loaded|total)/)).toBeVisible()
  await main.evaluate((element) => (element.scrollTop = 2_500))
  const row = page.getByRole('rowheader').getByRole('link').nth(12)
  await expect(row).toBeInViewport()
  const left = await top()
  await row.click()
  await expect(page.getByRole('tab', { name: 'Task runs' })).toBeVisible()
  await page.goBack()
  await expect.poll(async () => Math.abs((await top()) - left)).toBeLessThan(100)
})

/**
 * Vertical position of what is shown throughout, in whole pixels. Of the breadcrumb it is that of its text: its box grows
 * around the text when the button of a switcher arrives.
 */
const placesOf = (page: Page) =>
  page.evaluate(() =>
    ['main h1', 'main nav a', 'main .slipway-table__toolbar', 'main thead'].map((selector) => {
      const element = document.querySelector(selector)
      if (!element) throw new Error(`The page has no ${selector}.`)
      return [selector, Math.round(element.getBoundingClientRect().top)]
    }),
  )
