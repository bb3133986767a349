import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** What a page is measured under. */
export interface Conditions {
  /** How many times slower the processor is made. */
  cpu: number
  network: 'as it is' | 'Fast 4G'
}
export const asItIs: Conditions = { cpu: 1, network: 'as it is' }
export const slow: Conditions = { cpu: 4, network: 'Fast 4G' }

/** As the developer tools of Chromium define it. */
const fast4G = { offline: false, latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 }

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

export interface MeasuredPage {
  page: Page
  devtools: CDPSession
  /** Goes to an address, and tells how long it took until something was painted that the selector finds. */
  openUntil(url: string, selector: string): Promise<number>
  /** All that was sent since the page exists, web sockets included. */
  requests(): { all: number; data: number }
  /** Of the tasks longer than 50 ms since `sinceMs` of the page: their sum, and that of what is beyond 50 ms. */
  longTasks(sinceMs?: number): Promise<{ sumMs: number; blockingMs: number }>
  /** Of JavaScript, after its rubbish was collected; MB. */
  heapMb(): Promise<number>
}

/** Runs work in a page of a browser that has nothing in its cache and whose user is signed in. */
export async function inPage<A>(
  browser: Browser,
  { signedIn, url }: { signedIn: SignedIn; url: string },
  { cpu, network }: Conditions,
  work: (measured: MeasuredPage) => Promise<A>,
): Promise<A> {
  const context = await browser.newContext({ storageState: signedIn, baseURL: url })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  if (network === 'Fast 4G') {
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', fast4G)
  }
  if (cpu !== 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  const sent = { all: 0, data: 0 }
  page.on('request', (request) => {
    sent.all++
    if (request.resourceType() === 'fetch') sent.data++
  })
  page.on('websocket', () => {
    sent.all++
    sent.data++
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

declare global {
  var benchLongTasks: { startMs: number; durationMs: number }[]
  var benchFirstPaintMs: number | undefined
  var benchKeyMs: Promise<number>
}

// What follows runs in the page, each by itself.

function recordLongTasks() {
  globalThis.benchLongTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      globalThis.benchLongTasks.push({ startMs: startTime, durationMs: duration })
    }
  }).observe({ type: 'longtask', buffered: true })
}

/** Once a frame it is looked for; what is found is painted when the frame is over. */
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
}

/** Turns the wheel over an element for so many seconds, and counts the frames. */
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
  // The first frame may have waited long, for nothing to be drawn.
  let lastMs = await frame()
  const startedMs = lastMs
  let frames = 0
  let longestMs = 0
  while (lastMs - startedMs < forMs) {
    const nowMs = await frame()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    frames++
  }
  return { perSecond: (frames * 1_000) / (lastMs - startedMs), longestMs }
}

interface Wanted {
  selector: string
  /** So many elements are found, */
  count: number
  /** and each has this in it. */
  text: string
}

/** How long it takes from a key, before which others may have been pressed, until the page has painted what is wanted. */
export async function fromKey(page: Page, key: string, wanted: Wanted): Promise<number> {
  await page.evaluate(awaitKey, wanted)
  await page.keyboard.press(key)
  return page.evaluate(() => globalThis.benchKeyMs)
}

function awaitKey({ selector, text, count }: Wanted) {
  globalThis.benchKeyMs = new Promise((resolve) => {
    const begin = ({ timeStamp }: KeyboardEvent) => {
      const look = () => {
        const found = [...document.querySelectorAll(selector)]
        const isThere = found.length === count && found.every((element) => element.textContent.includes(text))
        if (isThere) setTimeout(() => resolve(performance.now() - timeStamp))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }
    addEventListener('keydown', begin, { capture: true, once: true })
  })
}

/** When, by the clock of the machine, the page has painted a text within what the selector finds. */
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
