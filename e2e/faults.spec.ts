import type { Page, Request, Route } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/supply-chain/application'
import { anApplication } from '@slipway/model/testing'
import { applicationNames, applicationsTable, freshness } from './applications'
import { expect, expectSignInPage, signIn, signInButton, test } from './fixtures'
import type { FaultProxy } from './fault-proxy'
import { patienceMs } from '../scripts/lib/patience.mjs'

/** What the table and its badge have shown since the last look, one entry for each change; recorded in the page. */
interface Sight {
  badge: string
  /** -1 for no table at all. */
  rows: number
}

/** Runs in the page: records from now on, so that nothing that is seen for an instant only is missed. */
function startRecording() {
  const sights: Sight[] = []
  const look = () => {
    const table = document.querySelector('table[aria-label="Applications"]')
    const sight = {
      badge: document.querySelector('.slipway-freshness')?.textContent ?? '',
      rows: table ? table.querySelectorAll('tbody tr').length : -1,
    }
    const last = sights.at(-1)
    if (last?.badge !== sight.badge || last.rows !== sight.rows) sights.push(sight)
  }
  look()
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  Object.assign(globalThis, { takeSights: () => sights.splice(0) })
}

const takeSights = (page: Page) =>
  // Put there by the function above.
  page.evaluate(() => (globalThis as unknown as { takeSights(): Sight[] }).takeSights())

const isList = (url: URL) => /^\/api\/k8s\/apis\/.*\/(applications|components|releases)$/.test(url.pathname)

/** Answers all lists of the page in this way until it is undone. */
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
  /** Answers how it is healed. */
  begin(page: Page, wire: FaultProxy): Promise<() => unknown>
  /** It is over by itself before anybody can do anything about it. */
  isBrief?: true
  /** Asking again soon would be asking the same, so that somebody has to. */
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
  { name: '401 of something behind the gateway', begin: dropped(refusing(401)), isRefusal: true },
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
        // Those that the page has given up meanwhile are gone.
        for (const route of held) await route.continue().catch(() => undefined)
      }
    }),
  },
  {
    name: 'a half-open socket',
    async begin(page, wire) {
      // The gateway has said that it lives, so that silence says something.
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
      // Somebody has opened it: without them the page would take its time.
      return () => page.mouse.move(400, 300, { steps: 2 })
    },
    isBrief: true,
  },
]

test('whatever fails, the rows stay, the badge tells the truth, and after it the table is a fresh list', async ({
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
  await page.clock.install()
  await page.goto(paths.applications({ namespace }))
  const badge = freshness(page)
  await expect(badge).toHaveText('Live')
  await page.evaluate(startRecording)

  for (const [index, { name, begin, isBrief, isRefusal }] of faults.entries()) {
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
        // On the clock of the page, since waiting for its turn is most of what it does.
        wire.say('')
        await page.clock.runFor(500)
        expect(await applicationNames(page)).toEqual(expected)
        await expect(badge).toHaveText('Live', { timeout: 1 })
      }).toPass({ intervals: [50], timeout: patienceMs })
      const sights = [...noticed, ...(await takeSights(page))]
      expect(sights.some(({ badge }) => badge !== 'Live')).toBe(true)
      expect(sights.filter(({ rows }) => rows < 1)).toEqual([])
    })
  }
})

test('after a network has swallowed everything for 30 s, the table is a fresh list within 10 s', async ({
  page,
  namespace,
  product: { wire },
  system,
}) => {
  const create = (name: string) => system.create(applicationType, anApplication({ metadata: { name, namespace } }))
  await create('before')
  await signIn(page, 'admin')
  await page.clock.install()
  await page.goto(paths.applications({ namespace }))
  await expect(freshness(page)).toHaveText('Live')
  // The gateway has said that it lives, so that silence says something.
  wire.say('')
  const stepMs = 500
  /** On the clock of the page, with time for what comes over the wire. */
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

/** As somebody does who sees that the table is old. */
async function readAgain(page: Page) {
  await freshness(page).click()
  await page.getByRole('button', { name: 'Read again now' }).click()
  await page.keyboard.press('Escape')
}

test('the session ends while a list is open, which stays and goes on after signing in again', async ({
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
  await expect(applicationsTable(page)).toContainText('before')
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

/** Counts what a page asks for, by the minutes of its own clock. */
function countRequests(page: Page) {
  const atMs: number[] = []
  const underWay = new Set<Request>()
  let nowMs = 0
  page.on('request', (request) => {
    underWay.add(request)
    atMs.push(nowMs)
  })
  page.on('websocket', () => atMs.push(nowMs))
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    // The same handler for both, whose types the union keeps apart.
    page.on(end as 'requestfinished', (request) => underWay.delete(request))
  }
  return {
    /** A step on the clock of the page, and the answers to what it has asked for. */
    async pass(ms: number) {
      await page.clock.runFor(ms)
      nowMs += ms
      await expect.poll(() => underWay.size, { intervals: [1, 5, 20, 100] }).toBe(0)
    },
    now: () => nowMs,
    /** The most in any minute since then. */
    mostInAMinute: (sinceMs: number) =>
      Math.max(
        0,
        ...atMs
          .filter((at) => at >= sinceMs)
          .map((at) => atMs.filter((other) => other >= at && other < at + 60_000).length),
      ),
  }
}

/** How many messages have come out of the websockets of a page, which is opened after this. */
async function countMessages(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = Object.assign(globalThis, { messages: 0 })
    globalThis.WebSocket = class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given)
        this.addEventListener('message', () => counted.messages++)
      }
    }
  })
  // Put there above.
  return () => page.evaluate(() => (globalThis as unknown as { messages: number }).messages)
}

test('a tab where nobody is makes at most 6 requests a minute, live, cut off or answered with errors', async ({
  page,
  namespace,
  product: { wire },
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'kept', namespace } }))
  await signIn(page, 'admin')
  await page.clock.install()
  const heard = await countMessages(page)
  await page.goto(paths.applications({ namespace }))
  await expect(freshness(page)).toHaveText('Live')
  const requests = countRequests(page)
  const beatMs = 5_000
  const minutes = async (count: number) => {
    for (let passed = 0; passed < count * 60_000; passed += beatMs) {
      // Beats come by the clock of the gateway, which goes more slowly than that of the page.
      const before = await heard()
      const told = wire.say('')
      await expect.poll(heard, { intervals: [1, 5, 20, 100] }).toBeGreaterThanOrEqual(before + told)
      await requests.pass(beatMs)
    }
  }

  // What the visit itself has asked for is answered, and its watches are open.
  await minutes(1)
  const liveMs = requests.now()
  await minutes(6)
  await expect(freshness(page)).toHaveText('Live')
  expect(requests.mostInAMinute(liveMs), 'live').toBeLessThanOrEqual(6)

  const heal = wire.refuseSockets()
  wire.dropSockets()
  await expect(freshness(page)).not.toHaveText('Live')
  const cutOffMs = requests.now()
  await minutes(4)
  expect(requests.mostInAMinute(cutOffMs), 'without sockets').toBeLessThanOrEqual(6)

  const stop = await refusing(503)(page)
  const failingMs = requests.now()
  await minutes(4)
  expect(requests.mostInAMinute(failingMs), 'without sockets and lists').toBeLessThanOrEqual(6)
  expect(await applicationNames(page)).toEqual(['kept'])

  // Somebody is there again.
  await stop()
  heal()
  await page.mouse.move(300, 300)
  await expect(freshness(page)).toHaveText('Live')
})
