import { expect, test, type BrowserContext } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { signIn } from '../fixtures'
import { asItIs, fromKey, inPage, scroll, slow } from './measured-page'
import { forEachOf, putApplication, putNamespace, startProduct, type BenchProduct } from './product'
import { median } from './report'

const at = { namespace: 'bench-snapshots', application: 'bench' }
const count = 3_000
const componentCount = 50
const repeats = 3
const nameCell = 'table[aria-label="Snapshots"] [data-label="Name"] a[href*="/snapshots/"]'

let product: BenchProduct
let session: { signedIn: Awaited<ReturnType<BrowserContext['storageState']>>; url: string }

test.describe.configure({ mode: 'default', timeout: 600_000 })

const snapshotName = (index: number) => `bench-${String(index).padStart(5, '0')}`
const hex = (index: number, length: number) => index.toString(16).padStart(length, '0')

const aLargeSnapshot = (index: number) =>
  aSnapshot({
    metadata: {
      name: snapshotName(index),
      namespace: at.namespace,
      labels: {
        [labels.application]: at.application,
        [labels.component]: `service-${index % componentCount}`,
        [copiedPacKey(labels.commitSha)]: hex(index, 40),
        [copiedPacKey(labels.eventType)]: index % 3 === 0 ? 'pull_request' : 'push',
        [copiedPacKey(labels.pullRequestNumber)]: String(index),
      },
      annotations: {
        [copiedPacKey(annotations.pacShaTitle)]: `Bound the retries of call ${index}`,
        [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/bench',
        [annotations.testStatus]: JSON.stringify(
          Array.from({ length: 5 }, (_, test) => ({
            scenario: `test-${test}`,
            status: 'TestPassed',
            details: 'passed',
          })),
        ),
      },
    },
    spec: {
      application: at.application,
      components: Array.from({ length: componentCount }, (_, each) => ({
        name: `service-${each}`,
        containerImage: `registry.slipway.test/payments/service-${each}@sha256:${hex(index * componentCount + each, 64)}`,
        source: { git: { url: `https://github.com/payments/service-${each}`, revision: hex(index + each, 40) } },
      })),
    },
    status: { conditions: [condition('AppStudioTestSucceeded', 'True', 'Passed')] },
  })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  product = await startProduct()
  await putNamespace(product.system, at.namespace)
  await putApplication(product.system, at)
  await forEachOf(count, (index) => product.system.create(snapshotType, aLargeSnapshot(index)))
  const context = await browser.newContext({ baseURL: product.url })
  await signIn(await context.newPage(), 'admin', product.url)
  session = { signedIn: await context.storageState(), url: product.url }
  await context.close()
})

test.afterAll(() => product.close())

test(`${count} snapshots with ${componentCount} components each`, async ({ browser }) => {
  const figures: Record<string, number[]> = {}
  const add = (figure: string, value: number) => (figures[figure] ??= []).push(Math.round(value))
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, conditions] of [
      ['as it is', asItIs],
      ['slow processor and network', slow],
    ] as const) {
      await inPage(browser, session, conditions, async (measured) => {
        let bytes = 0
        await measured.devtools.send('Network.enable')
        measured.devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
        add(`first rows, ${name} (ms)`, await measured.openUntil(paths.snapshots(at), nameCell))
        await expect(measured.page.getByText(`${count.toLocaleString('en')} total`)).toBeVisible()
        add('received (KB)', bytes / 1_000)
        add(`blocked, ${name} (ms)`, (await measured.longTasks()).blockingMs)
        add('heap (MB)', await measured.heapMb())
      })
    }
  }
  await inPage(browser, session, asItIs, async (measured) => {
    await measured.openUntil(paths.snapshots(at), nameCell)
    await expect(measured.page.getByText(`${count.toLocaleString('en')} total`)).toBeVisible()
    const { perSecond, longestMs } = await scroll(measured, { over: nameCell, pxPerSecond: 3_000, seconds: 5 })
    add('scrolling (frames/s)', perSecond)
    add('longest frame (ms)', longestMs)
    for (let repeat = 0; repeat < repeats; repeat++) {
      const name = snapshotName(1_234 + repeat)
      await measured.page.getByPlaceholder('Filter by name or commit...').pressSequentially(name.slice(0, -1))
      add(
        'filter, from the last key (ms)',
        await fromKey(measured.page, name.slice(-1), { selector: nameCell, count: 1, text: name }),
      )
      await measured.page.getByRole('button', { name: 'Clear filter by name or commit' }).click()
      await expect(measured.page.locator(nameCell).nth(1)).toBeVisible()
    }
  })
  console.log(`\n${count} snapshots with ${componentCount} components each`)
  console.table(Object.fromEntries(Object.entries(figures).map(([figure, values]) => [figure, median(values)])))
})
