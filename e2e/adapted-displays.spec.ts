import type { Locator } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { freshness } from './applications'
import { expect, signIn, test } from './fixtures'

/** Displays that are smaller, larger or of fewer colours than that of most users. */

const application = 'checkout'

async function createRuns(system: KubeClient, namespace: string) {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  for (let index = 0; index < 12; index++) {
    const created = await system.create(
      pipelineRunType,
      aPipelineRun({
        metadata: {
          name: `checkout-api-on-push-${index}`,
          namespace,
          labels: {
            [labels.application]: application,
            [labels.component]: 'checkout-api',
            [labels.pipelineType]: 'build',
          },
        },
        spec: { pipelineSpec: { tasks: [{ name: 'init', taskSpec: { steps: [] } }] } },
      }),
    )
    await system.replaceStatus(pipelineRunType, {
      ...created,
      status: {
        conditions: [condition('Succeeded', index % 2 ? 'True' : 'False')],
        startTime: '2026-01-31T09:00:00Z',
        completionTime: '2026-01-31T09:02:00Z',
      },
    })
  }
}

/** Whether a box lies within the window. */
const isInWindow = (target: Locator) =>
  target.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
  })

test('at 200 % zoom the filters of a list are folded, so that its rows have most of the window', async ({
  page,
  namespace,
  system,
}) => {
  await createRuns(system, namespace)
  await page.setViewportSize({ width: 720, height: 450 })
  await signIn(page, 'admin', paths.pipelineRuns({ namespace }))
  const toolbar = page.locator('.slipway-table__toolbar')
  await expect(page.getByRole('row').nth(5)).toBeAttached()
  expect((await toolbar.boundingBox())?.height).toBeLessThanOrEqual(120)
  const status = toolbar.getByRole('button', { name: /^Status/ })
  await expect(status).toBeHidden()
  const fold = toolbar.getByRole('button', { name: 'More filters' })
  await fold.click()
  await expect(fold).toHaveAttribute('aria-expanded', 'true')
  await status.click()
  await page.getByRole('menuitem', { name: /^Failed/ }).click()
  await page.keyboard.press('Escape')
  await fold.click()
  // What is selected stays in sight, and can be removed.
  await expect(status).toBeHidden()
  await expect(toolbar.getByRole('button', { name: /Failed/ })).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(fold).toBeHidden()
  await expect(status).toBeVisible()
})

test('the details of how fresh a page is fit a small window', async ({ page, namespace, system }) => {
  await createRuns(system, namespace)
  await page.setViewportSize({ width: 720, height: 450 })
  const at = { namespace, application, pipelineRun: 'checkout-api-on-push-1' }
  await signIn(page, 'admin', paths.pipelineRun(at))
  await expect(freshness(page)).toBeVisible()
  await freshness(page).click()
  const details = page.locator('.pf-v6-c-popover')
  await expect(details.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await expect.poll(() => isInWindow(details)).toBe(true)
})

/** The width of the line around an element, or the thickness of its border. */
const lineOf = (target: Locator) =>
  target.evaluate((element) => {
    const { outlineStyle, outlineWidth, borderTopWidth } = getComputedStyle(element)
    return Math.max(outlineStyle === 'none' ? 0 : parseFloat(outlineWidth), parseFloat(borderTopWidth))
  })

test('forced colours, which remove backgrounds, leave marks of what is current', async ({
  page,
  namespace,
  system,
}) => {
  await createRuns(system, namespace)
  await page.emulateMedia({ forcedColors: 'active' })
  const at = { namespace, application, pipelineRun: 'checkout-api-on-push-1' }
  await signIn(page, 'admin', paths.applications(at))
  const links = page.locator('.pf-v6-c-nav__link')
  await expect(page.locator('.slipway-freshness__dot')).toBeVisible()
  expect(await lineOf(page.locator('.slipway-freshness__dot')), 'the dot of the badge').toBeGreaterThan(0)
  expect(await lineOf(links.and(page.locator('.pf-m-current'))), 'the current page').toBeGreaterThan(1)
  expect(await lineOf(links.and(page.locator(':not(.pf-m-current)')).first()), 'another page').toBeLessThan(1)

  await page.goto(paths.pipelineRunLogs(at))
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await expect(tab('Logs')).toBeVisible()
  expect(await lineOf(tab('Logs')), 'the current tab').toBeGreaterThan(await lineOf(tab('Details')))
})

/** Runs in the page: texts without a size on the screen, although nothing says that they are hidden. React Flow adds some. */
function invisibleTexts(): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    const text = node.textContent?.trim()
    if (
      !text ||
      !parent ||
      parent.closest(
        'script, style, noscript, title, .pf-v6-screen-reader, [hidden], [aria-hidden=true], [id^=react-flow]',
      )
    )
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const { width, height } = range.getBoundingClientRect()
    if (width < 1 || height < 1 || getComputedStyle(parent).visibility === 'hidden') {
      found.push(`${text.slice(0, 60)} in ${parent.tagName.toLowerCase()}.${parent.className}`)
    }
  }
  return found
}

test('every text of a page is on the screen, unless it is hidden on purpose', async ({ page, namespace, system }) => {
  await createRuns(system, namespace)
  const at = { namespace, application }
  const run = { ...at, pipelineRun: 'checkout-api-on-push-0' }
  await signIn(page, 'admin')
  for (const path of [
    paths.overview(),
    paths.namespaces(),
    paths.applications(at),
    paths.application(at),
    paths.pipelineRuns(at),
    paths.pipelineRun(run),
    paths.pipelineRunLogs(run),
    paths.components(at),
    paths.integrationTests(at),
    paths.snapshots(at),
    paths.releases(at),
    paths.releaseArea(at),
    paths.secrets(at),
    paths.access(at),
    paths.createApplication(at),
    paths.createSecret(at),
    paths.createReleasePlan(at),
    paths.addIntegrationTest(at),
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy=true], .pf-v6-c-skeleton')).toHaveCount(0)
    expect(await page.evaluate(invisibleTexts), path).toEqual([])
  }
  await page.evaluate(() => {
    const lost = document.createElement('i')
    lost.textContent = 'lost'
    lost.style.display = 'none'
    document.querySelector('main')?.append(lost)
  })
  expect(await page.evaluate(invisibleTexts), 'with a lost text').toEqual(['lost in i.'])
})
