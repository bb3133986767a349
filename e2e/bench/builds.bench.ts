import { expect, test, type BrowserContext } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { resourcePath } from '@slipway/kube/path'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { condition } from '@slipway/model/testing'
import { signIn } from '../fixtures'
import {
  asItIs,
  countedRows,
  fromKey,
  inPage,
  paintedAt,
  scroll,
  slow,
  type Conditions,
  type MeasuredPage,
} from './measured-page'
import { forEachOf, putApplication, putLog, putNamespace, putRuns, startProduct, type BenchProduct } from './product'
import { loadNow, median, report, type Aim, type Measured } from './report'
import { aLargeRun, needle, needleEvery, runName } from './runs'

const repeats = 5
const few = { namespace: 'bench-1000', application: 'bench', runs: 1_000 }
const many = { namespace: 'bench-5000', application: 'bench', runs: 5_000 }
const all = { namespace: 'bench-10000', application: 'bench', runs: 10_000 }
const hundred = { namespace: 'bench-100', applications: 100 }
const logLines = 50_000
/** How long a page of runs is observed, from its first byte. */
const watchedMs = 12_000

const aims = {
  landing: { figure: 'Landing content', unit: 'ms', aim: 1_200 },
  applications: { figure: '100 applications, first rows', unit: 'ms', aim: 1_500 },
  firstRows: { figure: '1,000 runs, first rows', unit: 'ms', aim: 1_800 },
  blocking: { figure: '1,000 runs, total blocking time', unit: 'ms', aim: 400 },
  heap: { figure: '1,000 runs, heap', unit: 'MB', aim: 12, digits: 1 },
  manyFirstRows: { figure: '5,000 runs, first rows, relative to 1,000', unit: 'times', aim: 1.1, digits: 2 },
  manyHeap: { figure: '5,000 runs, heap', unit: 'MB', aim: 25, digits: 1 },
  requests: { figure: 'Runs page, sent in the first 12 s', unit: 'requests', aim: 15 },
  frames: { figure: '10 s of scrolling 1,000 runs, frames', unit: 'frames/s', aim: 60, digits: 1 },
  longestFrame: { figure: '10 s of scrolling 1,000 runs, longest frame', unit: 'ms', aim: 50 },
  scrollRequests: { figure: '10 s of scrolling 1,000 runs, sent', unit: 'requests', aim: 0 },
  filter: { figure: 'Filter of 1,000 runs, from the last key', unit: 'ms', aim: 60 },
  allFirstRows: { figure: '10,000 runs of a namespace, first rows', unit: 'ms', aim: 1_800 },
  allFrames: { figure: '10 s of scrolling 10,000 runs, frames', unit: 'frames/s', aim: 60, digits: 1 },
  allLongestFrame: { figure: '10 s of scrolling 10,000 runs, longest frame', unit: 'ms', aim: 50 },
  allFilter: { figure: 'Filter of 10,000 runs, from the last key', unit: 'ms', aim: 60 },
  allHeap: { figure: '10,000 runs of a namespace, heap', unit: 'MB', aim: 40, digits: 1 },
  eventTasks: { figure: '1,000 events in 10 s, long tasks', unit: 'ms', aim: 100 },
  lastEvent: { figure: '1,000 events in 10 s, until the last is shown', unit: 'ms', aim: 1_000 },
  slowLastEvent: { figure: 'The same, CPU 4 times slower', unit: 'ms', aim: 1_000 },
  logLines: { figure: 'Log of 50,000 lines, first lines', unit: 'ms', aim: 600 },
  logSearch: { figure: 'Log of 50,000 lines, search, from the last key', unit: 'ms', aim: 100 },
  logFrames: { figure: '10 s of scrolling the log, frames', unit: 'frames/s', aim: 60, digits: 1 },
} as const satisfies Record<string, Aim>

type Figure = keyof typeof aims

const applicationRow = 'table[aria-label="Applications"] [data-label="Name"] a'
const runRow = 'table[aria-label="Pipeline runs"] [data-label="Name"] a'

let product: BenchProduct
let session: { signedIn: Awaited<ReturnType<BrowserContext['storageState']>>; url: string }
let loggingTask: string
const figures = new Map<Figure, number[]>()
const loads: number[] = []

const add = (figure: Figure, measured: number) => figures.set(figure, [...(figures.get(figure) ?? []), measured])
const runsPage = (of: { namespace: string; application: string }) =>
  paths.activityTab({ ...of, activityTab: 'pipelineruns' })

test.describe.configure({ mode: 'default', timeout: 600_000 })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  product = await startProduct()
  const { system, url } = product
  for (const { namespace } of [few, many, all, hundred]) await putNamespace(system, namespace)
  await forEachOf(hundred.applications, (index) =>
    putApplication(system, { ...hundred, application: `application-${String(index).padStart(3, '0')}` }),
  )
  for (const each of [few, many, all]) await putRuns(system, each, each.runs)
  loggingTask = await putLog(system, aLargeRun(0, few), logLines)
  const context = await browser.newContext({ baseURL: url })
  await signIn(await context.newPage(), 'admin', url)
  session = { signedIn: await context.storageState(), url }
  await context.close()
})

test.beforeEach(() => void loads.push(loadNow()))

test.afterAll(async () => {
  await product.close()
  loads.push(loadNow())
  const rows = Object.entries(aims).map(([figure, aim]): Measured => {
    // A key of `aims`.
    return { ...aim, measured: median(figures.get(figure as Figure) ?? []) }
  })
  await report(rows, loads)
})

test('first visits, slow processor and network', async ({ browser }) => {
  const visit = (path: string, selector: string) =>
    inPage(browser, session, slow, ({ openUntil }) => openUntil(path, selector))
  for (let repeat = 0; repeat < repeats; repeat++) {
    add('landing', await visit(paths.overview(), '.slipway-home-lines'))
    add('applications', await visit(paths.applications(hundred), applicationRow))
    const ofFew = await inPage(browser, session, slow, async (measured) => {
      const firstRowsMs = await watchRuns(measured, few)
      add('firstRows', firstRowsMs)
      add('blocking', (await measured.longTasks()).blockingMs)
      add('requests', measured.requests().all)
      add('heap', await measured.heapMb())
      return firstRowsMs
    })
    await inPage(browser, session, slow, async (measured) => {
      add('manyFirstRows', (await watchRuns(measured, many)) / ofFew)
      add('manyHeap', await measured.heapMb())
    })
  }
})

/** Opens a page of runs, and stays for its first seconds. Returns the time until the first rows appeared. */
async function watchRuns({ page, openUntil }: MeasuredPage, of: typeof few): Promise<number> {
  const startedMs = performance.now()
  const firstRowsMs = await openUntil(runsPage(of), runRow)
  await page.waitForTimeout(watchedMs - (performance.now() - startedMs))
  return firstRowsMs
}

test('scrolling and filtering 1,000 runs', async ({ browser }) => {
  await inPage(browser, session, asItIs, async (measured) => {
    await openAllRuns(measured, runsPage(few), few.runs)
    const sent = await scrollAndFilter(measured, { frames: 'frames', longestFrame: 'longestFrame', filter: 'filter' })
    add('scrollRequests', sent)
  })
})

test('10,000 runs of a namespace', async ({ browser }) => {
  for (let repeat = 0; repeat < repeats; repeat++) {
    await inPage(browser, session, slow, async ({ openUntil }) => {
      add('allFirstRows', await openUntil(paths.pipelineRuns(all), runRow))
    })
  }
  await inPage(browser, session, asItIs, async (measured) => {
    await openAllRuns(measured, paths.pipelineRuns(all), all.runs)
    await scrollAndFilter(measured, { frames: 'allFrames', longestFrame: 'allLongestFrame', filter: 'allFilter' })
    add('allHeap', await measured.heapMb())
  })
})

/** Scrolls for 10 s, then filters by names. Returns how many requests were sent while scrolling. */
async function scrollAndFilter(
  measured: MeasuredPage,
  figure: { frames: Figure; longestFrame: Figure; filter: Figure },
): Promise<number> {
  const { page, requests } = measured
  const before = requests().all
  const { perSecond, longestMs } = await scroll(measured, { over: runRow, pxPerSecond: 3_000, seconds: 10 })
  add(figure.frames, perSecond)
  add(figure.longestFrame, longestMs)
  const sent = requests().all - before
  for (let repeat = 0; repeat < repeats; repeat++) {
    const name = runName(100 + repeat)
    await page.getByPlaceholder('Filter by name...').pressSequentially(name.slice(0, -1))
    add(figure.filter, await fromKey(page, name.slice(-1), { selector: runRow, count: 1, text: name }))
    await page.getByRole('button', { name: 'Clear filter by name' }).click()
    await expect(page.locator(runRow).nth(1)).toBeVisible()
  }
  return sent
}

async function openAllRuns(measured: MeasuredPage, path: string, count: number): Promise<void> {
  await measured.openUntil(path, runRow)
  await countedRows(measured, count)
}

test('1,000 events in 10 s', async ({ browser }) => {
  const words = ['Failed', 'Succeeded'] as const
  let writes = 0
  /** Writes every run once. Returns the time of the response to the last write, which is for the first row. */
  async function writeAll(word: (typeof words)[number]): Promise<number> {
    const startedMs = performance.now()
    const count = few.runs
    for (let index = 0; index < count; index++) {
      const waitMs = startedMs + (index * 10_000) / count - performance.now()
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
      await product.system.request(
        resourcePath(pipelineRunType, { ...few, name: runName(index), subresource: 'status' }),
        {
          method: 'PATCH',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: JSON.stringify({
            status: { conditions: [condition('Succeeded', word === 'Failed' ? 'False' : 'True', word)] },
          }),
        },
      )
    }
    writes++
    return Date.now()
  }
  const status = `tr:has(a[href*="/${runName(few.runs - 1)}"]) [data-label="Status"]`
  const conditions: Conditions[] = [asItIs, { ...asItIs, cpu: slow.cpu }]
  for (let repeat = 0; repeat < 3; repeat++) {
    for (const each of conditions) {
      await inPage(browser, session, each, async (measured) => {
        await openAllRuns(measured, runsPage(few), few.runs)
        // Meanwhile the page fetches the findings of the first rows.
        await measured.page.waitForTimeout(2_000)
        const sinceMs = await measured.page.evaluate(() => performance.now())
        const word = words[writes % 2] ?? words[0]
        const painted = paintedAt(measured.page, status, word)
        const writtenMs = await writeAll(word)
        const delayMs = Math.max(0, (await painted) - writtenMs)
        if (each === asItIs) add('eventTasks', (await measured.longTasks(sinceMs)).sumMs)
        add(each === asItIs ? 'lastEvent' : 'slowLastEvent', delayMs)
      })
    }
  }
})

test('a log of 50,000 lines', async ({ browser }) => {
  const path = paths.taskRunLogs({ ...few, taskRun: loggingTask })
  const line = '.slipway-log__rows [data-line]'
  for (let repeat = 0; repeat < repeats; repeat++) {
    await inPage(browser, session, asItIs, async (measured) => {
      const { page } = measured
      add('logLines', await measured.openUntil(path, line))
      // The last line has arrived once the page can jump to it.
      await page.getByRole('log').focus()
      await expect(async () => {
        await page.keyboard.press('End')
        await expect(page.locator(`[data-line="${logLines - 1}"]`)).toBeVisible({ timeout: 500 })
      }).toPass({ timeout: 30_000 })
      await page.keyboard.press('Home')
      if (repeat === 0) {
        const { perSecond } = await scroll(measured, { over: '[role="log"]', pxPerSecond: 6_000, seconds: 10 })
        add('logFrames', perSecond)
      }
      await page.getByPlaceholder('Find in log').pressSequentially(needle.slice(0, -1), { delay: 50 })
      await page.waitForTimeout(500)
      const count = logLines / needleEvery
      const wanted = { selector: '.slipway-log__search', count: 1, text: count.toLocaleString('en') }
      add('logSearch', await fromKey(page, needle.slice(-1), wanted))
    })
  }
})
