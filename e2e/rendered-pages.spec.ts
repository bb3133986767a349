import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { annotations } from '@slipway/model/labels'
import { patienceMs } from '../scripts/lib/patience.mjs'
import { applicationRow } from './applications'
import {
  aBuild,
  activity,
  application,
  aWaitingRun,
  badge,
  createApplication,
  createRun,
  ended,
  rowOf,
  runRow,
} from './builds'
import { assets, expect, type Product, productWith, recordPageErrors, signIn, test as base } from './fixtures'

/** Pages are rendered in time, however busy the machine is. */
const test = base.extend<object, { product: Product }>({
  product: productWith({ simulator: true, speed: 60, renderMs: patienceMs }),
})

/** The content that came in the document, until the page takes its place. */
const contentOf = (page: Page) => page.locator('.slipway-first-page')

const blockScripts = (page: Page) => page.route(/\/assets\/[^/]+\.js$/, (route) => route.abort())

/** Opens a page that a thread has rendered. The next ones begin to start after a while. */
const openRendered = (page: Page, path: string) =>
  expect(async () => {
    const response = await page.goto(path)
    expect(await response?.headerValue('cache-control')).toBe('no-store')
  }).toPass()

/** The document of a page for which a thread was ready. */
async function documentOf(request: APIRequestContext, path: string): Promise<string> {
  let html = ''
  await expect(async () => {
    const response = await request.get(path, { headers: { accept: 'text/html' } })
    expect(response.headers()['cache-control']).toBe('no-store')
    html = await response.text()
  }).toPass()
  return html
}

test('lists and a failed run show their content without a script', async ({ page, system, namespace }) => {
  await createApplication(system, namespace)
  const run = await createRun(system, aBuild({ metadata: { name: 'fails', namespace }, outcomes: { compile: 'fail' } }))
  await ended(system, run)
  await signIn(page, 'admin')
  await blockScripts(page)

  await openRendered(page, paths.applications({ namespace }))
  await expect(contentOf(page).locator('table a', { hasText: application })).toBeVisible()

  await openRendered(page, activity(namespace, 'pipelineruns'))
  await expect(contentOf(page).locator('tr', { hasText: 'fails' })).toContainText('Failed')

  await openRendered(page, paths.pipelineRun({ namespace, application, pipelineRun: 'fails' }))
  await expect(contentOf(page)).toContainText('Task compile failed in step compile (exit code 1)')
  await expect(contentOf(page)).toContainText('Error: exit status 1')
})

for (const { list, path, table, name } of [
  { list: 'applications', path: paths.applications, table: 'Applications', name: application },
  {
    list: 'runs',
    path: ({ namespace }: { namespace: string }) => activity(namespace, 'pipelineruns'),
    table: 'Pipeline runs',
    name: 'waits',
  },
]) {
  test(`the page takes the place of its content, which never leaves the screen: ${list}`, async ({
    page,
    system,
    namespace,
  }) => {
    await createApplication(system, namespace)
    await createRun(system, aWaitingRun({ metadata: { name: 'waits', namespace } }))
    await signIn(page, 'admin')
    const errors = recordPageErrors(page)
    await page.addInitScript(recordText, name)
    await openRendered(page, path({ namespace }))
    await expect(badge(page, 'Live')).toBeVisible()
    await expect(rowOf(page, table, name)).toBeVisible()
    await expect(contentOf(page)).toHaveCount(0)
    expect(await page.evaluate(() => globalThis.seenTexts)).toEqual(['in the content', 'in the page'])
    expect(errors).toEqual([])
  })
}

declare global {
  /** Where a text is in each frame, without repetitions. */
  var seenTexts: string[]
}

/** Runs in the page. */
function recordText(text: string) {
  globalThis.seenTexts = []
  const look = () => {
    const content = document.querySelector('.slipway-first-page')
    const isThere = document.querySelector('main')?.textContent.includes(text)
    const where = !isThere ? 'nowhere' : content ? 'in the content' : 'in the page'
    const isFirst = where === 'nowhere' && globalThis.seenTexts.length === 0
    if (!isFirst && globalThis.seenTexts.at(-1) !== where) globalThis.seenTexts.push(where)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

test('markup in the texts of others is text, in the content and in the page', async ({ page, system, namespace }) => {
  const hostile = `</script></template><!--<script>"'><img src=x onerror=alert(1)>&lt;`
  await createApplication(system, namespace)
  const metadata = { name: 'hostile', namespace, annotations: { [annotations.pacShaTitle]: hostile } }
  await createRun(system, aWaitingRun({ metadata }))
  await signIn(page, 'admin')
  const errors = recordPageErrors(page)
  const path = `${activity(namespace, 'pipelineruns')}?name=host&unknown=${encodeURIComponent(hostile)}`
  await blockScripts(page)
  await openRendered(page, path)
  await expect(contentOf(page).locator('tr', { hasText: 'hostile' })).toContainText(hostile)
  await expect(page.locator('img[src=x]')).toHaveCount(0)

  await page.unrouteAll()
  await openRendered(page, path)
  await expect(runRow(page, 'hostile')).toContainText(hostile)
  await expect(page.locator('img[src=x]')).toHaveCount(0)
  // What is reflected from the address.
  await openRendered(page, `${paths.applications({ namespace })}?name=${encodeURIComponent(hostile)}`)
  await expect(page.getByRole('textbox', { name: 'Filter by name' })).toHaveValue(hostile)
  await expect(page.locator('img[src=x]')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('documents contain what their user may see, and nothing without a session', async ({
  page,
  browser,
  baseURL,
  request,
  system,
  namespace,
}) => {
  await createApplication(system, namespace)
  await signIn(page, 'admin')
  const context = await browser.newContext({ baseURL })
  const other = await context.newPage()
  await signIn(other, 'outsider')
  const path = paths.applications({ namespace })
  for (let visit = 0; visit < 2; visit++) {
    expect(await documentOf(page.request, path)).toContain(`>${application}<`)
    expect(await documentOf(page.request, '/')).toContain(namespace)
    expect(await documentOf(other.request, path)).not.toContain(application)
    expect(await documentOf(other.request, '/')).not.toContain(namespace)
  }
  await context.close()
  const signedOut = await request.get(path, { headers: { accept: 'text/html' } })
  expect(signedOut.headers()['cache-control']).toBe('no-cache')
  expect(await signedOut.text()).not.toContain(application)
})

/** Crashes on the landing page, and says nothing on others. */
const badThread = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ url }) => {
  if (url === '/') throw new Error('It failed.')
})
parentPort.postMessage('ready')
`

const testWithBadThreads = base.extend<object, { site: string; product: Product }>({
  site: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'slipway-e2e-'))
      await cp(assets, folder, { recursive: true })
      await writeFile(join(folder, 'server/page-thread.mjs'), badThread)
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ site, hasViewsService }, use, worker) => {
      const [start] = productWith({ assets: site, renderMs: 500 })
      await start({ hasViewsService }, use, worker)
    },
    { scope: 'worker' },
  ],
})

testWithBadThreads('pages that threads fail to render are there', async ({ page, system, namespace }) => {
  await createApplication(system, namespace)
  await signIn(page, 'admin')
  await openRendered(page, '/')
  await expect(page.getByRole('link', { name: namespace }).first()).toBeVisible()
  await openRendered(page, paths.applications({ namespace }))
  await expect(applicationRow(page, application)).toBeVisible()
})
