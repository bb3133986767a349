import { expect, type Browser, type BrowserContext, type CDPSession, type Page } from '@playwright/test'

/** Conditions of a measurement. */
export interface Conditions {
  /** CPU slowdown factor. */
  cpu: number
  network: 'as it is' | 'Fast 4G'
}
export const asItIs: Conditions = { cpu: 1, network: 'as it is' }
export const slow: Conditions = { cpu: 4, network: 'Fast 4G' }

/** As defined by Chromium's developer tools. */
const fast4G = { offline: false, latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 }

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

export interface MeasuredPage {
  page: Page
  devtools: CDPSession
  /** Opens a URL. Returns the time until an element that matches the selector was painted. */
  openUntil(url: string, selector: string): Promise<number>
  /** Number of requests since the page was created, including web sockets. */
  requests(): { all: number; data: number; sockets: number }
  /** Bytes of responses to API requests and of websocket frames that were received in the first `untilMs` of the page. */
  dataBytes(untilMs: number): number
  /** For tasks longer than 50 ms since `sinceMs`: their total time, and their total time beyond 50 ms. */
  longTasks(sinceMs?: number): Promise<{ sumMs: number; blockingMs: number }>
  /** JavaScript heap after garbage collection, in MB. */
  heapMb(): Promise<number>
}

/** Runs work in a page of a browser with an empty cache and a signed-in user. */
export async function inPage<A>(
  browser: Browser,
  { signedIn, url }: { signedIn: SignedIn; url: string },
  { cpu, network }: Conditions,
  work: (measured: MeasuredPage) => Promise<A>,
): Promise<A> {
  const context = await browser.newContext({ storageState: signedIn, baseURL: url })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const dataBytes = await recordData(devtools)
  if (network === 'Fast 4G') await devtools.send('Network.emulateNetworkConditions', fast4G)
  if (cpu !== 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  const sent = { all: 0, data: 0, sockets: 0 }
  page.on('request', (request) => {
    sent.all++
    if (request.resourceType() === 'fetch') sent.data++
  })
  page.on('websocket', () => {
    sent.all++
    sent.data++
    sent.sockets++
  })
  await page.addInitScript(recordLongTasks)
  try {
    return await work({
      page,
      devtools,
      async openUntil(address, selector) {
        await page.addInitScript(recordFirstPaint, selector)
        await page.goto(address, { waitUntil: 'commit' })
        const seen = await page.waitForFunction(() => globalThis.benchFirstPaintMs, undefined, { timeout: 60_000 })
        return Number(await seen.jsonValue())
      },
      requests: () => ({ ...sent }),
      dataBytes,
      longTasks: (sinceMs = 0) => page.evaluate(sumLongTasks, sinceMs),
      async heapMb() {
        await devtools.send('HeapProfiler.collectGarbage')
        await devtools.send('HeapProfiler.collectGarbage')
        const { usedSize } = await devtools.send('Runtime.getHeapUsage')
        return usedSize / 1e6
      },
    })
  } finally {
    await context.close()
  }
}

/** Resolves once a table has counted as many rows, however many of them it has loaded, and is live. */
export async function countedRows({ page }: MeasuredPage, count: number, timeout = 60_000): Promise<void> {
  const text = new RegExp(`^(\\d+ of )?${count.toLocaleString('en')}( total| in the cluster)?\\s*$`)
  await expect(page.locator('.slipway-table__count')).toHaveText(text, { timeout })
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible()
}

/** Records when data arrives, on the clock of the browser. */
async function recordData(devtools: CDPSession): Promise<MeasuredPage['dataBytes']> {
  let startedS = NaN
  const ofApi = new Set<string>()
  const received: { atS: number; bytes: number }[] = []
  devtools.on('Network.requestWillBeSent', ({ requestId, timestamp, type }) => {
    if (type === 'Document') {
      startedS = timestamp
      received.length = 0
    } else if (type === 'Fetch') ofApi.add(requestId)
  })
  devtools.on('Network.dataReceived', ({ requestId, timestamp, encodedDataLength }) => {
    if (ofApi.has(requestId)) received.push({ atS: timestamp, bytes: encodedDataLength })
  })
  devtools.on('Network.webSocketFrameReceived', ({ timestamp, response: { payloadData } }) => {
    received.push({ atS: timestamp, bytes: Buffer.byteLength(payloadData) })
  })
  await devtools.send('Network.enable')
  return (untilMs) =>
    received.reduce((sum, { atS, bytes }) => sum + ((atS - startedS) * 1_000 <= untilMs ? bytes : 0), 0)
}

declare global {
  var benchLongTasks: { startMs: number; durationMs: number }[]
  var benchFirstPaintMs: number | undefined
  var benchInputMs: Promise<number>
}

// The following functions run in the page, independently of each other.

function recordLongTasks() {
  globalThis.benchLongTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      globalThis.benchLongTasks.push({ startMs: startTime, durationMs: duration })
    }
  }).observe({ type: 'longtask', buffered: true })
}

/** Checks once per frame; a match is painted at the end of the frame. */
function recordFirstPaint(selector: string) {
  const look = () => {
    if (document.querySelector(selector) === null) requestAnimationFrame(look)
    else setTimeout(() => (globalThis.benchFirstPaintMs = performance.now()))
  }
  requestAnimationFrame(look)
}

function sumLongTasks(sinceMs: number) {
  const durations = globalThis.benchLongTasks.filter((task) => task.startMs >= sinceMs).map((task) => task.durationMs)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return { sumMs: sum(durations), blockingMs: sum(durations.map((duration) => duration - 50)) }
}

export interface Scrolling {
  perSecond: number
  longestMs: number
  /** How many frames took longer than 50 ms. */
  slow: number
}

/** Turns the mouse wheel over an element for some seconds, and counts the frames. */
export async function scroll(
  { page, devtools }: Pick<MeasuredPage, 'page' | 'devtools'>,
  { over, pxPerSecond, seconds }: { over: string; pxPerSecond: number; seconds: number },
): Promise<Scrolling> {
  const box = await page.locator(over).first().boundingBox()
  if (!box) throw new Error(`${over} is not on the page.`)
  const counting = page.evaluate(countFrames, seconds * 1_000)
  await devtools.send('Input.synthesizeScrollGesture', {
    x: box.x + Math.min(box.width / 2, 600),
    y: 600,
    yDistance: -pxPerSecond * seconds,
    speed: pxPerSecond,
    gestureSourceType: 'mouse',
    preventFling: true,
  })
  return counting
}

async function countFrames(forMs: number) {
  const frame = () => new Promise<number>(requestAnimationFrame)
  // The first frame may have been long delayed because nothing was rendered.
  let lastMs = await frame()
  const startedMs = lastMs
  let frames = 0
  let longestMs = 0
  let slow = 0
  while (lastMs - startedMs < forMs) {
    const nowMs = await frame()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    if (nowMs - lastMs > 50) slow++
    lastMs = nowMs
    frames++
  }
  return { perSecond: (frames * 1_000) / (lastMs - startedMs), longestMs, slow }
}

interface Expected {
  selector: string
  /** Expected number of elements. */
  count: number
  /** Text that each element contains. */
  text: string
}

/** Time from pressing a key, possibly after others, until the page has painted what is expected. */
export async function fromKey(page: Page, key: string, expected: Expected): Promise<number> {
  await page.evaluate(awaitInput, { event: 'keydown', ...expected } as const)
  await page.keyboard.press(key)
  return page.evaluate(() => globalThis.benchInputMs)
}

/** Time from a click until the page has painted what is expected. */
export async function fromClick(page: Page, target: string, expected: Expected): Promise<number> {
  await page.evaluate(awaitInput, { event: 'click', ...expected } as const)
  await page.click(target)
  return page.evaluate(() => globalThis.benchInputMs)
}

function awaitInput({ event, selector, text, count }: Expected & { event: 'keydown' | 'click' }) {
  globalThis.benchInputMs = new Promise((resolve) => {
    const begin = ({ timeStamp }: Event) => {
      const look = () => {
        const found = [...document.querySelectorAll(selector)]
        const isThere = found.length === count && found.every((element) => element.textContent.includes(text))
        if (isThere) setTimeout(() => resolve(performance.now() - timeStamp))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }
    addEventListener(event, begin, { capture: true, once: true })
  })
}

/** System time at which the page painted a text in an element that matches the selector. */
export const paintedAt = (page: Page, selector: string, text: string): Promise<number> =>
  page.evaluate(
    ([where, what]) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector(where)?.textContent.includes(what)) setTimeout(() => resolve(Date.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    [selector, text] as const,
  )
