import { expect, test, type Browser } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { nameOf } from '@slipway/kube/object'
import { firstLoadSizes } from '../../scripts/lib/first-load.mjs'
import { badge } from '../builds'
import { signIn } from '../fixtures'
import { fromClick, fromKey, inPage, slow, type MeasuredPage } from './measured-page'
import {
  forEachOf,
  putApplication,
  putLog,
  putNamespace,
  putRun,
  putRuns,
  startProduct,
  type BenchProduct,
} from './product'
import { startPlainSite } from './plain-site'
import { loadNow, median, printTable, type Measured } from './report'
import { aFailedRun, runName } from './runs'

const repeats = 5
/** Of what takes a visit of its own. */
const inputRepeats = 3
const hundred = { namespace: 'bench-100', applications: 100 }
const thousand = { namespace: 'bench-1000', application: 'bench', runs: 1_000 }
const failed = aFailedRun(thousand.runs, thousand)

interface BenchPage {
  name: string
  path: string
  /** What the page is visited for, in its document or in the page itself. */
  content: { name: string; selector: string }
  aims: { contentMs: number; floors: number; blockingMs?: number }
}

const pageOfRuns: BenchPage = {
  name: '1,000 runs',
  path: paths.activityTab({ ...thousand, activityTab: 'pipelineruns' }),
  content: { name: 'first rows', selector: 'table[aria-label="Pipeline runs"] [data-label="Name"] a' },
  aims: { contentMs: 1_000, floors: 1.6, blockingMs: 350 },
}

const pages: BenchPage[] = [
  {
    name: 'Landing',
    path: paths.overview(),
    content: { name: 'content', selector: '.slipway-home-lines' },
    aims: { contentMs: 700, floors: 1.2, blockingMs: 150 },
  },
  {
    name: '100 applications',
    path: paths.applications(hundred),
    content: { name: 'first rows', selector: 'table[aria-label="Applications"] [data-label="Name"] a' },
    aims: { contentMs: 900, floors: 1.4, blockingMs: 250 },
  },
  pageOfRuns,
  {
    name: 'A failed run',
    path: paths.pipelineRun({ ...thousand, pipelineRun: nameOf(failed) }),
    content: { name: 'the failing line', selector: '.slipway-snippet [data-error]' },
    aims: { contentMs: 1_200, floors: 1.8 },
  },
]

interface Visits {
  /** Time in which the same document is painted without any script. */
  floorMs: number[]
  paintMs: number[]
  contentMs: number[]
  blockingMs: number[]
  /** Script that has come before the content. */
  scriptKib: number[]
  secondMs: number[]
  inputMs: number[]
}

/** Who serves the console. The aims are for our gateway. */
const setups = ['our gateway', 'a plain API'] as const
type Setup = (typeof setups)[number]

let product: BenchProduct
let plainSite: Awaited<ReturnType<typeof startPlainSite>>
const visitsOf: Record<Setup, Map<BenchPage, Visits>> = { 'our gateway': new Map(), 'a plain API': new Map() }
const clickMs: number[] = []
const loads: number[] = []
/** How many first visits had the content in their document. */
let rendered = 0

test.describe.configure({ mode: 'default', timeout: 600_000 })

test.beforeAll(async () => {
  test.setTimeout(300_000)
  product = await startProduct('--simulator=off')
  plainSite = await startPlainSite(product.url)
  const { system } = product
  for (const { namespace } of [hundred, thousand]) await putNamespace(system, namespace)
  await forEachOf(hundred.applications, (index) =>
    putApplication(system, { ...hundred, application: `application-${String(index).padStart(3, '0')}` }),
  )
  await putRuns(system, thousand, thousand.runs)
  await putRun(system, failed)
  await putLog(system, failed, 1_000, 1)
})

test.afterAll(async () => {
  await plainSite.close()
  await product.close()
  console.log(`Load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`)
  const documents = [...visitsOf['our gateway'].values()].reduce((sum, { contentMs }) => sum + contentMs.length, 0)
  console.log(`${rendered} of ${documents} documents had their content`)
  for (const setup of setups) {
    console.log(`Served by ${setup}`)
    printTable([...rowsOf(visitsOf[setup]), ...(setup === 'our gateway' ? ownRows() : [])])
  }
})

/** What does not depend on who serves the console. */
const ownRows = (): Measured[] => [
  { figure: 'Script of the first load (gzip)', unit: 'KiB', aim: 110, measured: firstLoadSizes().js.bytes / 1024 },
  { figure: 'From click to painted page', unit: 'ms', aim: 150, measured: median(clickMs) },
]

function rowsOf(visitsOfPages: ReadonlyMap<BenchPage, Visits>): Measured[] {
  const measured = [...visitsOfPages.values()]
  /** The median of the page that is the worst. */
  const worst = (of: (visits: Visits) => number[]): { ms: number; floorMs: number } => {
    const medians = measured.map((visits) => ({ ms: median(of(visits)), floorMs: median(visits.floorMs) }))
    return medians.reduce((one, other) => (other.ms > one.ms ? other : one))
  }
  const paint = worst(({ paintMs }) => paintMs)
  const second = worst(({ secondMs }) => secondMs)
  return [
    {
      figure: 'First paint, of all pages',
      unit: 'ms',
      aim: 500,
      measured: paint.ms,
      floor: { measured: paint.floorMs, aim: 1.1 },
    },
    ...[...visitsOfPages].flatMap(([{ name, content, aims }, visits]): Measured[] => [
      {
        figure: `${name}, ${content.name}`,
        unit: 'ms',
        aim: aims.contentMs,
        measured: median(visits.contentMs),
        floor: { measured: median(visits.floorMs), aim: aims.floors },
      },
      ...(aims.blockingMs === undefined
        ? []
        : [
            {
              figure: `${name}, blocking time`,
              unit: 'ms' as const,
              aim: aims.blockingMs,
              measured: median(visits.blockingMs),
            },
          ]),
    ]),
    {
      figure: 'Script before content, of all pages',
      unit: 'KiB',
      aim: 0,
      measured: worst(({ scriptKib }) => scriptKib).ms,
    },
    {
      figure: 'Second visit, content, of all pages',
      unit: 'ms',
      aim: 500,
      measured: second.ms,
      floor: { measured: second.floorMs, aim: 1.2 },
    },
    {
      figure: 'First input after content, of all pages',
      unit: 'ms',
      aim: 200,
      measured: worst(({ inputMs }) => inputMs).ms,
    },
  ]
}

for (const [setup, each] of setups.flatMap((setup) => pages.map((each) => [setup, each] as const))) {
  const { name, path, content } = each
  test(`slow processor and network, served by ${setup}: ${name}`, async ({ browser }) => {
    const visits: Visits = {
      floorMs: [],
      paintMs: [],
      contentMs: [],
      blockingMs: [],
      scriptKib: [],
      secondMs: [],
      inputMs: [],
    }
    visitsOf[setup].set(each, visits)
    const { signedIn } = await newSession(browser)
    const session = { signedIn, url: setup === 'a plain API' ? plainSite.url : product.url }
    for (let repeat = 0; repeat < repeats; repeat++) {
      loads.push(loadNow())
      // Without our gateway nothing is painted before the script.
      await inPage(browser, { signedIn, url: product.url }, slow, async (measured) => {
        await measured.devtools.send('Network.setBlockedURLs', { urls: ['*.js'] })
        await measured.openUntil(path, 'main')
        visits.floorMs.push(await firstPaintOf(measured))
      })
      await inPage(browser, session, slow, async (measured) => {
        const contentMs = await measured.openUntil(path, content.selector)
        visits.contentMs.push(contentMs)
        visits.paintMs.push(await firstPaintOf(measured))
        await takenOver(measured)
        visits.blockingMs.push((await measured.longTasks()).blockingMs)
        visits.scriptKib.push((await measured.page.evaluate(scriptBytesUntil, contentMs)) / 1024)
        if (await measured.page.evaluate(() => document.getElementById('slipway-answers') !== null)) rendered++
        visits.secondMs.push(await measured.openUntil(path, content.selector))
      })
      if (repeat >= inputRepeats) continue
      await inPage(browser, session, slow, async ({ page, openUntil }) => {
        await openUntil(path, content.selector)
        visits.inputMs.push(await fromKey(page, 'Control+k', { selector: '[role="dialog"] input', count: 1, text: '' }))
      })
    }
  })
}

test('clicks, slow processor', async ({ browser }) => {
  const session = await newSession(browser)
  const { path, content } = pageOfRuns
  for (let repeat = 0; repeat < repeats; repeat++) {
    await inPage(browser, session, { ...slow, network: 'as it is' }, async (measured) => {
      const { page, openUntil } = measured
      await openUntil(path, content.selector)
      await takenOver(measured)
      await expect(badge(page, 'Live')).toBeVisible()
      const name = runName(thousand.runs - 1 - repeat)
      clickMs.push(
        await fromClick(page, `${content.selector}[href*="/${name}"]`, { selector: 'h1', count: 1, text: name }),
      )
    })
  }
})

/** The sessions of all visits are copies of one, which is not refreshed in the minutes of a test. */
async function newSession(browser: Browser) {
  const { url } = product
  const context = await browser.newContext({ baseURL: url })
  await signIn(await context.newPage(), 'admin', url)
  const signedIn = await context.storageState()
  await context.close()
  return { signedIn, url }
}

/** The time of the first paint of content. */
async function firstPaintOf({ page }: MeasuredPage): Promise<number> {
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  return Number(await paint.jsonValue())
}

/** Resolves once the page itself is there, and the work for it is done. */
const takenOver = ({ page }: MeasuredPage) => page.waitForFunction(isTakenOver)

// The following functions run in the page, independently of each other.

function isTakenOver(): boolean {
  const lastMs = globalThis.benchLongTasks.reduce(
    (last, { startMs, durationMs }) => Math.max(last, startMs + durationMs),
    0,
  )
  const isQuiet = performance.now() - lastMs > 500
  return isQuiet && document.querySelector('.slipway-first-page') === null && document.querySelector('main h1') !== null
}

function scriptBytesUntil(ms: number): number {
  const files = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  // Their only type.
  const early = (files as PerformanceResourceTiming[]).filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= ms)
  return early.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
}
