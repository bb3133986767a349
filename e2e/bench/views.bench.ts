import { rm } from 'node:fs/promises'
import { test, type Browser } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { emailOf } from '@slipway/slipway/users'
import { signIn } from '../fixtures'
import { startProductWithViews, type ProductWithViews } from '../product-with-views'
import {
  asItIs,
  countedRows,
  inPage,
  paintedAt,
  scroll,
  slow,
  type Conditions,
  type MeasuredPage,
} from './measured-page'
import {
  createDataFolder,
  fillStore,
  putApplication,
  putNamespace,
  putRuns,
  startProductOn,
  throwUnlessExists,
  type BenchProduct,
} from './product'
import { loadNow, median, percentile, printTable, type Aim, type Measured } from './report'
import { aLargeRun, runName } from './runs'
import { openTabs } from './tabs'

/** The page of runs on long lists, with both hosts of list views: the service, and a worker of the page. */

const repeats = 5
const thousand = { namespace: 'bench-1000', application: 'bench', runs: 1_000 }
const tenThousand = { namespace: 'bench-10000', application: 'bench', runs: 10_000 }
const hundredThousand = { namespace: 'bench-100000', application: 'bench', runs: 100_000 }
const everyLength = [thousand, tenThousand, hundredThousand]
const shared = { namespace: 'bench-shared', application: 'bench', runs: 1_000 }
/** How long a page of runs is observed, from its first byte. */
const watchedMs = 12_000
const tabCount = 1_000
const eventCount = 40
/** Longer than a batch of changes. */
const betweenEventsMs = 700

const aims = {
  tenThousandRows: { figure: '10,000 runs, first rows, relative to 1,000', unit: 'times', aim: 1.05, digits: 2 },
  hundredThousandRows: { figure: '100,000 runs, first rows, relative to 1,000', unit: 'times', aim: 1.05, digits: 2 },
  tenThousandHeap: { figure: '10,000 runs, heap', unit: 'MB', aim: 10, digits: 1 },
  hundredThousandHeap: { figure: '100,000 runs, heap', unit: 'MB', aim: 10, digits: 1 },
  thousandRows: { figure: '1,000 runs, first rows', unit: 'ms' },
  thousandHeap: { figure: '1,000 runs, heap', unit: 'MB', digits: 1 },
  bytes: { figure: 'Data before the first rows', unit: 'kB', aim: 60, digits: 1 },
  requests: { figure: 'Sent in the first 12 s', unit: 'requests', aim: 12 },
  dataRequests: { figure: '… without files', unit: 'requests' },
  sockets: { figure: '… of them websockets', unit: 'sockets', aim: 1 },
  firstRead: { figure: '100,000 runs that the service has not read yet, total', unit: 'ms' },
  event: { figure: 'One event to the screen, one of 1,000 tabs, p99', unit: 'ms', aim: 700 },
  eventInAll: { figure: '… to all 1,000 tabs, p99', unit: 'ms', aim: 700 },
  plainTasks: { figure: 'Plain cluster: long tasks while 1,000 runs load', unit: 'ms', aim: 100 },
  plainFrames: { figure: 'Plain cluster: 10 s of scrolling, frames', unit: 'frames/s', aim: 60, digits: 1 },
  plainSlowFrames: { figure: 'Plain cluster: … of them over 50 ms', unit: 'frames', aim: 0 },
  plainTenThousandRows: {
    figure: 'Plain cluster: 10,000 runs, first rows, relative to 1,000',
    unit: 'times',
    aim: 1.05,
    digits: 2,
  },
  plainTenThousandHeap: { figure: 'Plain cluster: 10,000 runs, heap', unit: 'MB', aim: 10, digits: 1 },
} as const satisfies Record<string, Aim>

type Figure = keyof typeof aims

const runRow = 'table[aria-label="Pipeline runs"] [data-label="Name"] a'
const runsPage = (of: { namespace: string; application: string }) =>
  paths.activityTab({ ...of, activityTab: 'pipelineruns' })

const figures = new Map<Figure, number[]>()
const loads: number[] = []
const add = (figure: Figure, measured: number) => figures.set(figure, [...(figures.get(figure) ?? []), measured])
let data: string
/** What the current test has started. */
let running: { close(): Promise<void> } | undefined

test.describe.configure({ mode: 'default', timeout: 600_000 })

test.beforeAll(async () => {
  test.setTimeout(600_000)
  data = await createDataFolder()
  await fillStore(data, thousand)
  await fillStore(data, tenThousand)
  await fillStore(data, hundredThousand, { isSmall: true })
})

test.beforeEach(() => void loads.push(loadNow()))

test.afterEach(async () => {
  await running?.close()
  running = undefined
})

test.afterAll(async () => {
  loads.push(loadNow())
  await rm(data, { recursive: true })
  const rows = Object.entries(aims).map(([figure, aim]): Measured => {
    // A key of `aims`.
    return { ...aim, measured: median(figures.get(figure as Figure) ?? []) }
  })
  console.log(`Load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`)
  printTable(rows)
})

/** Signs in. Returns how to open a page for that user under some conditions. */
async function signedIn(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url })
  await signIn(await context.newPage(), 'admin', url)
  const session = { signedIn: await context.storageState(), url }
  await context.close()
  return <A>(conditions: Conditions, work: (measured: MeasuredPage) => Promise<A>) =>
    inPage(browser, session, conditions, work)
}

/** Creates what the runs in the store are in. Both products have the same store. */
async function putPages({ system }: BenchProduct): Promise<void> {
  for (const each of everyLength) {
    await putNamespace(system, each.namespace).catch(throwUnlessExists)
    await putApplication(system, each).catch(throwUnlessExists)
  }
}

test('the service, long lists', async ({ browser }) => {
  const product = await startProductOn(data, '--simulator=off')
  running = product
  await putPages(product)
  const inTab = await signedIn(browser, product.url)
  for (const each of everyLength) {
    await inTab(asItIs, async (measured) => {
      const startedMs = performance.now()
      await measured.openUntil(runsPage(each), runRow)
      await countedRows(measured, each.runs, 180_000)
      if (each === hundredThousand) add('firstRead', performance.now() - startedMs)
    })
  }
  for (let repeat = 0; repeat < repeats; repeat++) {
    const first = await inTab(slow, async (measured) => {
      const startedMs = performance.now()
      const rowsMs = await measured.openUntil(runsPage(thousand), runRow)
      await measured.page.waitForTimeout(watchedMs - (performance.now() - startedMs))
      add('thousandRows', rowsMs)
      add('bytes', measured.dataBytes(rowsMs) / 1e3)
      const { all, data: dataRequests, sockets } = measured.requests()
      add('requests', all)
      add('dataRequests', dataRequests)
      add('sockets', sockets)
      add('thousandHeap', await measured.heapMb())
      return rowsMs
    })
    for (const [each, rows, heap] of [
      [tenThousand, 'tenThousandRows', 'tenThousandHeap'],
      [hundredThousand, 'hundredThousandRows', 'hundredThousandHeap'],
    ] as const) {
      await inTab(slow, async (measured) => {
        add(rows, (await measured.openUntil(runsPage(each), runRow)) / first)
        await countedRows(measured, each.runs)
        add(heap, await measured.heapMb())
      })
    }
  }
})

test('the service, 1,000 tabs on one namespace', async ({ browser }) => {
  const product = await startProductWithViews()
  running = product
  await putNamespace(product.system, shared.namespace)
  await putRuns(product.system, shared, shared.runs)
  const inTab = await signedIn(browser, product.wire.url)
  await inTab(asItIs, async (measured) => {
    await measured.openUntil(runsPage(shared), runRow)
    await countedRows(measured, shared.runs)
    await measureEvents(measured, product)
  })
})

/** Creates runs while a page and many other tabs show the newest ones. Times are from the response to the request. */
async function measureEvents({ page }: MeasuredPage, { system, viewsAccess }: ProductWithViews): Promise<void> {
  const query = { kind: pipelineRunView.id, namespaces: [shared.namespace], limit: 50, facets: ['status'] }
  const user = emailOf('admin')
  const tabs = await openTabs({
    ...viewsAccess,
    tabs: Array.from({ length: tabCount - 1 }, () => ({ user, query })),
  })
  const onScreenMs: number[] = []
  const inTabsMs: number[] = []
  for (let event = 0; event < eventCount; event++) {
    const name = runName(shared.runs + event)
    await tabs.expect(`"${name}"`)
    const painted = paintedAt(page, `${runRow}[href*="/${name}"]`, '')
    await system.create(pipelineRunType, aLargeRun(shared.runs + event, shared))
    const createdMs = Date.now()
    const arrivals = tabs.arrivals(`"${name}"`)
    onScreenMs.push((await painted) - createdMs)
    for (const atMs of await arrivals) inTabsMs.push(atMs - createdMs)
    await page.waitForTimeout(betweenEventsMs)
  }
  await tabs.close()
  add('event', percentile(onScreenMs, 99))
  add('eventInAll', percentile(inTabsMs, 99))
}

test('a plain cluster', async ({ browser }) => {
  const product = await startProductOn(data, '--simulator=off', '--views=off')
  running = product
  await putPages(product)
  const inTab = await signedIn(browser, product.url)
  for (let repeat = 0; repeat < repeats; repeat++) {
    await inTab(asItIs, async (measured) => {
      await measured.openUntil(runsPage(thousand), runRow)
      await countedRows(measured, thousand.runs)
      await measured.page.waitForTimeout(2_000)
      add('plainTasks', (await measured.longTasks()).sumMs)
      if (repeat > 0) return
      const { perSecond, slow: slowFrames } = await scroll(measured, { over: runRow, pxPerSecond: 3_000, seconds: 10 })
      add('plainFrames', perSecond)
      add('plainSlowFrames', slowFrames)
    })
  }
  for (let repeat = 0; repeat < 3; repeat++) {
    const firstMs = await inTab(slow, ({ openUntil }) => openUntil(runsPage(thousand), runRow))
    await inTab(slow, async ({ openUntil }) => {
      add('plainTenThousandRows', (await openUntil(runsPage(tenThousand), runRow)) / firstMs)
    })
  }
  await inTab(asItIs, async (measured) => {
    await measured.openUntil(runsPage(tenThousand), runRow)
    await countedRows(measured, tenThousand.runs)
    add('plainTenThousandHeap', await measured.heapMb())
  })
})
