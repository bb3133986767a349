import type { Page, Request, Route } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { applicationNames, freshness } from './applications'
import { installClock } from './clock'
import { expect, expectSignInPage, signIn, signInButton, test, withoutViewsService } from './fixtures'
import type { FaultProxy } from './fault-proxy'
import { patienceMs } from '../scripts/lib/patience.mjs'

/** States of the table and its badge since the last check, one entry per change; recorded in the page. */
interface TableState {
  badge: string
  /** -1 without a table. */
  rows: number
}

/** Runs in the page: starts recording, so that even momentary states are captured. */
function startRecording() {
  const states: TableState[] = []
  const look = () => {
    const table = document.querySelector('table[aria-label="Applications"]')
    const state = {
      badge: document.querySelector('.slipway-freshness')?.textContent ?? '',
      rows: table ? table.querySelectorAll('tbody tr').length : -1,
    }
    const last = states.at(-1)
    if (last?.badge !== state.badge || last.rows !== state.rows) states.push(state)
  }
  look()
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  Object.assign(globalThis, { takeSights: () => states.splice(0) })
}

const takeSights = (page: Page) =>
  // Defined by the function above.
  page.evaluate(() => (globalThis as unknown as { takeSights(): TableState[] }).takeSights())

const isList = (url: URL) => /^\/api\/k8s\/apis\/.*\/(applications|components|releases)$/.test(url.pathname)

/** Responds to all lists of the page in this way until undone. */
async function answerLists(page: Page, answer: (route: Route) => Promise<void>) {
  await page.route(isList, answer)
  return () => page.unroute(isList, answer)
}

const refusing =
  (status: number, headers: Record<string, string> = {}) =>
  (page: Page) =>
    answerLists(page, (route) =>
      route.fulfill({ status, headers, json: { kind: 'Status', status: 'Failure', code: status, message: 'no' } }),
    )

interface Fault {
  name: string
  /** Returns a function that heals it. */
  begin(page: Page, wire: FaultProxy): Promise<() => unknown>
  /** It ends by itself before a user could react. */
  isBrief?: true
  /** A user who comes back sees new rows before the page could say that the others were old. */
  isMendedAtOnce?: true
  /** Retrying soon would not help, so a user must trigger it. */
  isRefusal?: true
}

const dropped = (begin: (page: Page) => Promise<() => unknown>) => async (page: Page, wire: FaultProxy) => {
  const heal = await begin(page)
  wire.dropSockets()
  return heal
}

const expired = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })

const faults: Fault[] = [
  { name: 'every socket is dropped', begin: dropped(async () => () => undefined), isBrief: true },
  {
    name: 'every connection is cut, and no new one can be made',
    begin: async (_, wire) => {
      wire.cut()
      return () => wire.heal()
    },
  },
  {
    name: 'the browser has lost its network',
    async begin(page, wire) {
      await page.context().setOffline(true)
      wire.cut()
      await expect(freshness(page)).toHaveText(/^Offline since/)
      return async () => {
        wire.heal()
        await page.context().setOffline(false)
      }
    },
  },
  { name: '401 from an upstream', begin: dropped(refusing(401)), isRefusal: true },
  { name: '403', begin: dropped(refusing(403)), isRefusal: true },
  {
    name: '410, of the watch and then of the list',
    async begin(page, wire) {
      const heal = await refusing(410)(page)
      wire.say(expired)
      return heal
    },
  },
  { name: '429', begin: dropped(refusing(429, { 'retry-after': '1' })) },
  { name: '500', begin: dropped(refusing(500)) },
  { name: '503', begin: dropped(refusing(503, { 'retry-after': '1' })) },
  {
    name: 'slow answers',
    begin: dropped(async (page) => {
      const held: Route[] = []
      const stop = await answerLists(page, async (route) => void held.push(route))
      return async () => {
        await stop()
        // Requests that the page has cancelled meanwhile no longer exist.
        for (const route of held) await route.continue().catch(() => undefined)
      }
    }),
  },
  {
    name: 'a half-open socket',
    async begin(page, wire) {
      // The gateway has sent a heartbeat, so silence is meaningful.
      wire.say('')
      wire.muteSockets()
      await expect(async () => {
        await page.clock.runFor(3_000)
        await expect(freshness(page)).not.toHaveText('Live', { timeout: 1 })
      }).toPass({ intervals: [20] })
      return () => undefined
    },
    isBrief: true,
  },
  {
    name: 'a laptop that was asleep',
    async begin(page, wire) {
      wire.muteSockets()
      await page.clock.fastForward('08:00:00')
      // A user is active; otherwise the page would wait longer.
      return () => page.mouse.move(400, 300, { steps: 2 })
    },
    isBrief: true,
    isMendedAtOnce: true,
  },
]

test('during every fault the rows stay and the badge is correct, and afterwards the table equals a new list', async ({
  page,
  namespace,
  product: { wire },
  system,
}) => {
  const create = (name: string) => system.create(applicationType, anApplication({ metadata: { name, namespace } }))
  const freshList = async () =>
    (await system.list(applicationType, { namespace })).items.map(({ metadata }) => metadata.name).sort()
  await create('kept')
  await create('fault-0')
  await signIn(page, 'admin')
  // The page reads the list itself, by its own clock, which a worker would not follow.
  await withoutViewsService(page)
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  await installClock(page)
  await page.goto(paths.applications({ namespace }))
  const badge = freshness(page)
  await expect(badge).toHaveText('Live')
  await page.evaluate(startRecording)

  for (const [index, { name, begin, isBrief, isMendedAtOnce, isRefusal }] of faults.entries()) {
    await test.step(name, async () => {
      const heal = await begin(page, wire)
      if (!isBrief) await expect(badge).not.toHaveText('Live')
      const noticed = await takeSights(page)
      await create(`fault-${index + 1}`)
      await system.delete(applicationType, `fault-${index}`, { namespace })
      if (!isBrief) {
        expect(await applicationNames(page), 'what was there stays').toEqual([`fault-${index}`, 'kept'])
        const meanwhile = await takeSights(page)
        expect(meanwhile.filter(({ badge }) => badge === 'Live')).toEqual([])
        noticed.push(...meanwhile)
      }
      await heal()
      if (isRefusal) await readAgain(page)
      const expected = await freshList()
      await expect(async () => {
        // On the page's clock, since the page mostly waits for timers.
        wire.say('')
        await page.clock.runFor(500)
        expect(await applicationNames(page)).toEqual(expected)
        await expect(badge).toHaveText('Live', { timeout: 1 })
      }).toPass({ intervals: [50], timeout: patienceMs })
      const states = [...noticed, ...(await takeSights(page))]
      if (!isMendedAtOnce) expect(states.some(({ badge }) => badge !== 'Live')).toBe(true)
      expect(states.filter(({ rows }) => rows < 1)).toEqual([])
    })
  }
})

test('after a network swallowed everything for 30 s, the table equals a new list within 10 s', async ({
  page,
  namespace,
  product: { wire },
  system,
}) => {
  const create = (name: string) => system.create(applicationType, anApplication({ metadata: { name, namespace } }))
  await create('before')
  await signIn(page, 'admin')
  await installClock(page)
  await page.goto(paths.applications({ namespace }))
  await expect(freshness(page)).toHaveText('Live')
  // The gateway has sent a heartbeat, so silence is meaningful.
  wire.say('')
  const stepMs = 500
  /** Advances the page's clock, with real time for network traffic. */
  const step = async () => {
    await page.clock.runFor(stepMs)
    await page.evaluate(() => fetch('/health', { signal: AbortSignal.timeout(50) }).catch(() => undefined))
  }

  wire.swallow()
  await create('meanwhile')
  for (let passedMs = 0; passedMs < 30_000; passedMs += stepMs) await step()
  await expect(freshness(page)).not.toHaveText('Live')
  expect(await applicationNames(page)).toEqual(['before'])

  wire.heal()
  let passedMs = 0
  for (; passedMs < 10_000 && (await applicationNames(page)).length < 2; passedMs += stepMs) await step()
  expect(await applicationNames(page), `after ${passedMs} ms`).toEqual(['before', 'meanwhile'])
  await expect(async () => {
    wire.say('')
    await step()
    await expect(freshness(page)).toHaveText('Live', { timeout: 1 })
  }).toPass({ intervals: [20] })
})

/** Refreshes an outdated table as a user would. */
async function readAgain(page: Page) {
  await freshness(page).click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.keyboard.press('Escape')
}

test('an open list stays when the session ends, and continues after signing in again', async ({
  page,
  context,
  namespace,
  product: { wire },
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'before', namespace } }))
  await signIn(page, 'admin', paths.applications({ namespace }))
  const badge = freshness(page)
  await expect(badge).toHaveText('Live')
  await context.clearCookies()
  wire.dropSockets()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()
  // Behind the dialog, it can be seen but not used.
  const covered = page.getByRole('table', { name: 'Applications', includeHidden: true })
  await expect(covered).toContainText('before')
  expect(await page.locator('.slipway-freshness').textContent()).not.toBe('Live')
  await system.create(applicationType, anApplication({ metadata: { name: 'meanwhile', namespace } }))

  const popup = context.waitForEvent('page')
  await dialog.getByRole('link', { name: 'Sign in again' }).click()
  const signInPage = await popup
  await expectSignInPage(signInPage)
  await signInButton(signInPage, 'admin').click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => applicationNames(page)).toEqual(['before', 'meanwhile'])
  await expect(badge).toHaveText('Live')
})

/** What a page has requested and heard, by its own clock, which continues while a slow computer carries out a test. */
interface Traffic {
  /** Times of its requests and of its attempts to connect, in milliseconds since the epoch. */
  requestsAtMs: number[]
  /** Messages from its websockets. */
  messages: number
}

/** Counts the traffic of a page that is opened afterwards. */
async function countTraffic(page: Page) {
  await page.addInitScript(() => {
    const traffic: Traffic = { requestsAtMs: [], messages: 0 }
    Object.assign(globalThis, { traffic })
    const { fetch } = globalThis
    globalThis.fetch = (...given) => {
      traffic.requestsAtMs.push(Date.now())
      return fetch(...given)
    }
    globalThis.WebSocket = class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given)
        traffic.requestsAtMs.push(Date.now())
        this.addEventListener('message', () => traffic.messages++)
      }
    }
  })
  const underWay = new Set<Request>()
  page.on('request', (request) => underWay.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    // The same handler for both, although their types differ.
    page.on(end as 'requestfinished', (request) => underWay.delete(request))
  }
  // Defined above.
  const traffic = () => page.evaluate(() => (globalThis as unknown as { traffic: Traffic }).traffic)
  return {
    messages: async () => (await traffic()).messages,
    now: () => page.evaluate(() => Date.now()),
    /** Advances the page's clock, and waits for the responses to its requests. */
    async pass(ms: number) {
      await page.clock.runFor(ms)
      await expect.poll(() => underWay.size, { intervals: [1, 5, 20, 100] }).toBe(0)
    },
    /** The maximum of requests in any minute since then. */
    async mostInAMinute(sinceMs: number) {
      const atMs = (await traffic()).requestsAtMs.filter((at) => at >= sinceMs)
      return Math.max(0, ...atMs.map((at) => atMs.filter((other) => other >= at && other < at + 60_000).length))
    },
  }
}

test('an idle tab makes at most 6 requests per minute, whether live, offline or receiving errors', async ({
  page,
  namespace,
  product: { wire },
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'kept', namespace } }))
  await signIn(page, 'admin')
  await installClock(page)
  const traffic = await countTraffic(page)
  await page.goto(paths.applications({ namespace }))
  await expect(freshness(page)).toHaveText('Live')
  const beatMs = 5_000
  const minutes = async (count: number) => {
    for (let passed = 0; passed < count * 60_000; passed += beatMs) {
      // Heartbeats follow the gateway's clock, which is slower than the page's.
      const before = await traffic.messages()
      const told = wire.say('')
      await expect.poll(traffic.messages, { intervals: [1, 5, 20, 100] }).toBeGreaterThanOrEqual(before + told)
      await traffic.pass(beatMs)
    }
  }

  // The requests of the visit itself are complete, and its watches are open.
  await minutes(1)
  const liveMs = await traffic.now()
  await minutes(6)
  await expect(freshness(page)).toHaveText('Live')
  expect(await traffic.mostInAMinute(liveMs), 'live').toBeLessThanOrEqual(6)

  const cutOffMs = await traffic.now()
  const heal = wire.refuseSockets()
  wire.dropSockets()
  await expect(freshness(page)).not.toHaveText('Live')
  await minutes(4)
  expect(await traffic.mostInAMinute(cutOffMs), 'without sockets').toBeLessThanOrEqual(6)

  const failingMs = await traffic.now()
  const stop = await refusing(503)(page)
  await minutes(4)
  expect(await traffic.mostInAMinute(failingMs), 'without sockets and lists').toBeLessThanOrEqual(6)
  expect(await applicationNames(page)).toEqual(['kept'])

  // The user is active again.
  await stop()
  heal()
  await page.mouse.move(300, 300)
  await expect(freshness(page)).toHaveText('Live')
})
