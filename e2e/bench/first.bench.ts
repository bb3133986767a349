import { test, type BrowserContext } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { signIn } from '../fixtures'
import { inPage, slow, type MeasuredPage } from './measured-page'
import { forEachOf, putApplication, putNamespace, startProduct, type BenchProduct } from './product'
import { loadNow, median, printTable, type Aim, type Measured } from './report'

const repeats = 5
const hundred = { namespace: 'bench-100', applications: 100 }

/** Beside the time itself, its multiple of the time in which the same document is painted without any script. */
const aims = {
  landingPaint: { figure: 'Landing, first paint', unit: 'ms', aim: 500 },
  landingPaintFloors: { figure: 'Landing, first paint, relative', unit: 'floors', aim: 1.1, digits: 2 },
  landing: { figure: 'Landing, content', unit: 'ms', aim: 700 },
  landingFloors: { figure: 'Landing, content, relative', unit: 'floors', aim: 1.2, digits: 2 },
  landingBlocking: { figure: 'Landing, blocking time', unit: 'ms', aim: 150 },
  secondLanding: { figure: 'Landing, second visit, content', unit: 'ms', aim: 500 },
  applicationsPaint: { figure: '100 applications, first paint', unit: 'ms', aim: 500 },
  applicationsPaintFloors: { figure: '100 applications, first paint, relative', unit: 'floors', aim: 1.1, digits: 2 },
  applications: { figure: '100 applications, first rows', unit: 'ms', aim: 900 },
  applicationsFloors: { figure: '100 applications, first rows, relative', unit: 'floors', aim: 1.4, digits: 2 },
  applicationsBlocking: { figure: '100 applications, blocking time', unit: 'ms', aim: 250 },
  secondApplications: { figure: '100 applications, second visit, first rows', unit: 'ms', aim: 500 },
} as const satisfies Record<string, Aim>

type Figure = keyof typeof aims

let product: BenchProduct
let session: { signedIn: Awaited<ReturnType<BrowserContext['storageState']>>; url: string }
const figures = new Map<Figure, number[]>()
const loads: number[] = []

const add = (figure: Figure, measured: number) => figures.set(figure, [...(figures.get(figure) ?? []), measured])

test.describe.configure({ mode: 'default', timeout: 600_000 })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  product = await startProduct()
  const { system, url } = product
  await putNamespace(system, hundred.namespace)
  await forEachOf(hundred.applications, (index) =>
    putApplication(system, { ...hundred, application: `application-${String(index).padStart(3, '0')}` }),
  )
  const context = await browser.newContext({ baseURL: url })
  await signIn(await context.newPage(), 'admin', url)
  session = { signedIn: await context.storageState(), url }
  await context.close()
})

test.afterAll(async () => {
  await product.close()
  const rows = Object.entries(aims).map(([figure, aim]): Measured => {
    // A key of `aims`.
    return { ...aim, measured: median(figures.get(figure as Figure) ?? []) }
  })
  console.log(`Load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`)
  printTable(rows)
})

for (const { name, path, content } of [
  // Of the page itself: the prepared one is in a placeholder.
  { name: 'landing', path: paths.overview(), content: 'main:not(:has(.slipway-first-page)) .slipway-home-lines' },
  {
    name: 'applications',
    path: paths.applications(hundred),
    content: 'table[aria-label="Applications"] [data-label="Name"] a',
  },
] as const) {
  test(`first and second visits, slow processor and network: ${name}`, async ({ browser }) => {
    for (let repeat = 0; repeat < repeats; repeat++) {
      loads.push(loadNow())
      const floorMs = await inPage(browser, session, slow, async (measured) => {
        await measured.devtools.send('Network.setBlockedURLs', { urls: ['*.js'] })
        return paintOf(measured, path, 'main')
      })
      await inPage(browser, session, slow, async (measured) => {
        const paintMs = await paintOf(measured, path, content)
        const contentMs = await measured.page.evaluate(() => Number(globalThis.benchFirstPaintMs))
        add(`${name}Paint`, paintMs)
        add(`${name}PaintFloors`, paintMs / floorMs)
        add(name, contentMs)
        add(`${name}Floors`, contentMs / floorMs)
        add(`${name}Blocking`, (await measured.longTasks()).blockingMs)
        add(name === 'landing' ? 'secondLanding' : 'secondApplications', await measured.openUntil(path, content))
      })
    }
  })
}

/** Opens a page until an element that matches the selector was painted. Returns the time of the first paint of content. */
async function paintOf({ page, openUntil }: MeasuredPage, path: string, selector: string): Promise<number> {
  await openUntil(path, selector)
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  return Number(await paint.jsonValue())
}
