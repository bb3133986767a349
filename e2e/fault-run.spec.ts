import { expect, test, type BrowserContext, type Page, type Route } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import { anApplication } from '@slipway/model/testing'
import { isFinished } from '@slipway/model/runs/tekton'
import { putNamespace, startProduct } from './bench/product'
import { activity, application, aBuild } from './builds'
import { freePort } from './command'
import { signIn } from './fixtures'
import { startFaultProxy, type FaultProxy } from './fault-proxy'
import { startProductWithViews } from './product-with-views'
import { type Acknowledged, findStaleTables, startRecording, takeStates } from './stale-tables'

// One after the other, so that the other workers are free.
test.describe.configure({ mode: 'default' })

/** Of both runs together. */
const totalMinutes = Number(process.env.FAULT_RUN_MINUTES ?? 5)
const minutes = totalMinutes / 2
/** The nightly run uses a different seed each time. */
const seed = Number(process.env.FAULT_RUN_SEED ?? 89847531)
/** By then everything has recovered, and no request is stuck. */
const recoveryMs = 60_000
const namespace = 'team-faults'

test('no table that says Live is outdated during random faults, and afterwards each table equals a new list', async ({
  context,
}) => {
  const port = await freePort()
  const wire = await startFaultProxy(() => port)
  const product = await startProduct('--simulator=on', '--speed=60', `--port=${port}`, `--public-origin=${wire.url}`)
  const { system, command } = product
  const suspended: Fault = {
    name: 'the process is suspended',
    async begin() {
      command.signalAll('SIGSTOP')
      return () => command.signalAll('SIGCONT')
    },
  }
  try {
    await faultRun(context, { system, wire }, (pages) => [
      suspended,
      ...faultsOf(wire, 'between browser and gateway'),
      ...refusals(wire, pages),
    ])
  } finally {
    command.signalAll('SIGCONT')
    await wire.close()
    await product.close()
  }
})

test('the same during faults of the service for list views, and between it and the gateway', async ({ context }) => {
  const product = await startProductWithViews({ simulator: true, speed: 60 })
  const { wire, viewsWire } = product
  const ofService: Fault[] = [
    {
      name: 'the service for list views is suspended',
      async begin() {
        product.signalViews('SIGSTOP')
        return () => product.signalViews('SIGCONT')
      },
    },
    {
      name: 'the service for list views is killed',
      async begin() {
        await product.killViews()
        return () => product.restartViews()
      },
    },
  ]
  try {
    await faultRun(context, product, () => [
      ...ofService,
      ...faultsOf(viewsWire, 'between gateway and service'),
      ...faultsOf(wire, 'between browser and gateway'),
    ])
  } finally {
    await product.close()
  }
})

interface FaultyProduct {
  /** Calls as the cluster administrator, past all faults. */
  system: KubeClient
  wire: FaultProxy
}

async function faultRun(
  context: BrowserContext,
  { system, wire }: FaultyProduct,
  faultsFor: (pages: Page[]) => Fault[],
) {
  test.setTimeout((minutes + 10) * 60_000)
  console.log(`Fault run: FAULT_RUN_SEED=${seed} FAULT_RUN_MINUTES=${totalMinutes}`)
  await putNamespace(system, namespace)
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  const work = startWork(system)
  const [list, runs] = [await context.newPage(), await context.newPage()]
  await signIn(list, 'admin', wire.url)
  await list.goto(wire.url + paths.applications({ namespace }))
  await runs.goto(wire.url + activity(namespace, 'pipelineruns'))
  const watched = [
    { page: list, table: 'Applications', acknowledged: work.applications },
    { page: runs, table: 'Pipeline runs', acknowledged: work.runs },
  ]
  for (const { page, table } of watched) {
    await expect(badgeOf(page)).toHaveText('Live')
    await page.evaluate(startRecording, table)
  }

  const random = numbersFrom(seed)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least))
  const pages = watched.map(({ page }) => page)
  const faults = faultsFor(pages)
  const endMs = Date.now() + minutes * 60_000
  while (Date.now() < endMs) {
    const fault = faults[between(0, faults.length)]
    if (!fault) throw new Error('Unknown fault.')
    const [lastsMs, pauseMs] = [between(500, 25_000), between(200, 10_000)]
    await test.step(`${fault.name} for ${lastsMs} ms, then nothing for ${pauseMs} ms`, async () => {
      const heal = await fault.begin()
      await pass(lastsMs)
      await heal()
      await pass(pauseMs)
      // A user is active.
      for (const page of pages) await page.mouse.move(between(300, 600), between(300, 600))
      for (const { page, table, acknowledged } of watched) {
        const seen = await takeStates(page)
        expect(findStaleTables(seen, acknowledged), `${table} said Live while it was old`).toEqual([])
      }
    })
    // Half of the faults occur before the console has recovered from the previous one.
    if (random() < 0.5) {
      await test.step('everything recovers', async () => {
        for (const { page } of watched) await expectLive(page)
      })
    }
  }

  await work.stop()
  await expect
    .poll(async () => (await system.list(pipelineRunType, { namespace })).items.filter((run) => !isFinished(run)), {
      timeout: recoveryMs,
      message: 'a run in flight is stuck',
    })
    .toEqual([])
  for (const { page } of watched) await expectLive(page)
  const freshApplications = (await system.list(applicationType, { namespace })).items.map(
    ({ metadata }) => metadata.name,
  )
  const freshRuns = (await system.list(pipelineRunType, { namespace })).items.map(
    (run) => `${run.metadata.name} ${pipelineRunStatus(run)}`,
  )
  const settled = { timeout: recoveryMs }
  await expect.poll(() => rowsOf(list, ['Name']), settled).toEqual(freshApplications.sort())
  await expect.poll(() => rowsOf(runs, ['Name', 'Status']), settled).toEqual(freshRuns.sort())
}

const badgeOf = (page: Page) => page.locator('.slipway-freshness')

/** Reloads a table that says that access was denied, as a user would: the console does not retry by itself. */
async function expectLive(page: Page) {
  await expect(async () => {
    if ((await badgeOf(page).textContent()) === 'Live') return
    const readAgain = page.getByRole('button', { name: 'Refresh' })
    if (!(await readAgain.isVisible())) await badgeOf(page).getByRole('button').click({ timeout: 1_000 })
    await readAgain.click({ timeout: 1_000 })
    await page.keyboard.press('Escape')
    expect(await badgeOf(page).textContent()).toBe('Live')
  }).toPass({ timeout: recoveryMs, intervals: [1_000] })
}

/** The cells of each row of objects in the cluster, joined by a space and sorted. */
async function rowsOf(page: Page, columns: string[]): Promise<string[]> {
  // A run that is deleted while its table is on screen stays as a deleted row; rows out of view are empty space.
  const rows = page.locator('table tbody tr:has([data-label="Name"])').filter({ hasNotText: 'Deleted' })
  // In one call, since the table may change between cells.
  const texts = await rows.evaluateAll(
    (all: HTMLElement[], labels) =>
      all.map((row) =>
        labels.map((label) => {
          const cell = row.querySelector<HTMLElement>(`[data-label="${label}"]`)
          // A name may follow the title of a commit.
          return cell?.querySelector('.slipway-generated-name')?.textContent ?? cell?.innerText.split('\n')[0]
        }),
      ),
    columns,
  )
  return texts.map((cells) => cells.join(' ')).sort()
}

/** Creates applications and runs with ascending numbers, and deletes old ones, until stopped. */
function startWork(system: KubeClient) {
  const work = { applications: [] as Acknowledged, runs: [] as Acknowledged }
  let isStopped = false
  const attempt = (write: () => Promise<unknown>) =>
    write().then(
      () => true,
      () => false,
    )
  const go = async () => {
    for (let number = 0; !isStopped; number++) {
      const metadata = { namespace, name: `tick-${number}` }
      if (await attempt(() => system.create(applicationType, anApplication({ metadata })))) {
        work.applications.push({ number, atMs: Date.now() })
      }
      if (await attempt(() => system.create(pipelineRunType, aBuild({ metadata })))) {
        work.runs.push({ number, atMs: Date.now() })
      }
      const old = { namespace, propagationPolicy: 'Background' as const }
      if (number >= 8) {
        await attempt(() => system.delete(applicationType, `tick-${number - 8}`, old))
        await attempt(() => system.delete(pipelineRunType, `tick-${number - 8}`, old))
      }
      await pass(3_000)
    }
  }
  const done = go()
  return {
    ...work,
    async stop() {
      isStopped = true
      await done
    },
  }
}

interface Fault {
  name: string
  /** Returns a function that ends it. */
  begin(): Promise<() => unknown>
}

/** Faults of the requests that read lists without the service for list views. */
function refusals(wire: FaultProxy, pages: Page[]): Fault[] {
  const isList = (url: URL) =>
    /^\/api\/k8s\/apis\/.*\/(applications|components|releases|pipelineruns)$/.test(url.pathname)
  return [403, 429, 500, 503].map((status) => ({
    name: `lists are refused with ${status}`,
    async begin() {
      const answer = (route: Route) =>
        route.fulfill({ status, json: { kind: 'Status', status: 'Failure', code: status, message: 'no' } })
      for (const page of pages) await page.route(isList, answer)
      wire.dropSockets()
      return async () => {
        for (const page of pages) await page.unroute(isList, answer)
      }
    },
  }))
}

/** Faults of a network. @param where for the report */
function faultsOf(wire: FaultProxy, where: string): Fault[] {
  return [
    {
      name: `every connection ${where} is cut`,
      async begin() {
        wire.cut()
        return () => wire.heal()
      },
    },
    {
      name: `every connection ${where} swallows bytes`,
      async begin() {
        wire.swallow()
        return () => wire.heal()
      },
    },
    { name: `every socket ${where} is refused`, begin: async () => (wire.dropSockets(), wire.refuseSockets()) },
    {
      name: `every socket ${where} is half open`,
      async begin() {
        wire.muteSockets()
        return () => undefined
      },
    },
  ]
}

/** Random numbers from 0 to below 1, the same for the same seed (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
