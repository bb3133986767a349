import type { BrowserContext, Locator, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { anApplication, aPipelineRun } from '@slipway/model/testing'
import { expect, productWith, tabTo, test as base, type Product } from './fixtures'
import { patienceMs } from '../scripts/lib/patience.mjs'

/** A product that simulates runs, a minute per second, and archives them once they have ended. */
export const test = base.extend<object, { product: Product }>({
  product: productWith({ simulator: true, speed: 60, archive: 'kubearchive' }),
})

/** Time for a run to end, even on a busy machine. */
export const patient = { timeout: patienceMs }

const outcomeAnnotation = 'simulator.slipway.dev/outcome'

/** Outcomes of a run's tasks by name; `*` means all others. */
export const ending = (outcomes: Record<string, string>) => ({
  [outcomeAnnotation]: JSON.stringify({ '*': 'success', ...outcomes }),
})

/** Of a test whose runs would time out after an hour, which takes a minute: too short on a busy machine. */
export const neverTimesOut = {
  'test.appstudio.openshift.io/pipeline_timeout': '100h',
  'test.appstudio.openshift.io/tasks_timeout': '99h',
}

/** The simulator does not work on the repository: only the test does. */
export const undisturbed = {
  'simulator.slipway.dev/activity': 'off',
  'simulator.slipway.dev/auto-merge': 'off',
}

export const application = 'checkout'

export const createApplication = (system: KubeClient, namespace: string) =>
  system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))

const image = 'registry.slipway.test/tools/build:1'
const lines = (count: number) =>
  Array.from({ length: count }, (_, line) => `echo "compiled file ${line + 1}"`).join('\n')

/** The log of `compile` and its error are longer than a screen. */
const pipelineSpec = (compileSteps: number): PipelineRun['spec']['pipelineSpec'] => ({
  tasks: [
    { name: 'clone', taskSpec: { steps: [{ name: 'clone', image, script: 'git clone' }] } },
    {
      name: 'compile',
      runAfter: ['clone'],
      taskSpec: {
        steps: Array.from({ length: compileSteps }, (_, step) => ({
          name: step === 0 ? 'compile' : `compile-${step + 1}`,
          image,
          script: lines(150),
        })),
      },
    },
    { name: 'unit-tests', runAfter: ['compile'], taskSpec: { steps: [{ name: 'run', image, script: 'make test' }] } },
  ],
  finally: [{ name: 'tidy', taskSpec: { steps: [{ name: 'tidy', image, script: 'rm -r work' }] } }],
})

type RunPlan = Parameters<typeof aPipelineRun>[0] & {
  /** Outcomes of its tasks: `clone`, `compile`, `unit-tests`, finally `tidy`. */
  outcomes?: Record<string, string>
  /** More steps make the run longer. */
  compileSteps?: number
}

/** A push build that the simulator completes in a few seconds. */
export const aBuild = ({ outcomes = {}, compileSteps = 1, ...over }: RunPlan): PipelineRun =>
  aPipelineRun({
    ...over,
    metadata: {
      ...over.metadata,
      labels: { [labels.eventType]: 'push', [labels.commitSha]: 'a'.repeat(40), ...over.metadata?.labels },
      annotations: {
        [annotations.pacShaTitle]: 'Round half up',
        [annotations.branch]: 'main',
        ...ending(outcomes),
        ...over.metadata?.annotations,
      },
    },
    // The account of every namespace: pods without a service account are rejected.
    spec: {
      taskRunTemplate: { serviceAccountName: 'default' },
      ...over.spec,
      pipelineSpec: pipelineSpec(compileSteps),
    },
  })

/** A run that never starts. */
export const aWaitingRun = (over: RunPlan): PipelineRun => aBuild({ ...over, spec: { status: 'PipelineRunPending' } })

export async function createRun(system: KubeClient, run: PipelineRun): Promise<PipelineRun> {
  return system.create(pipelineRunType, run)
}

/** Resolves once the run has ended. */
export async function ended(system: KubeClient, { metadata }: PipelineRun): Promise<void> {
  const { name = '', namespace } = metadata
  const isEnded = async () => isFinished(await system.get(pipelineRunType, name, { namespace }))
  await expect.poll(isEnded, { ...patient, intervals: [100] }).toBe(true)
}

/** Resolves once the run is completely archived, so that it can be deleted from the cluster. */
export async function archived(system: KubeClient, { metadata }: PipelineRun): Promise<void> {
  const { name = '', namespace } = metadata
  const isStored = async () =>
    (await system.get(pipelineRunType, name, { namespace })).metadata.annotations?.[annotations.stored]
  await expect.poll(isStored, { ...patient, intervals: [100] }).toBe('true')
}

export const activity = (namespace: string, activityTab: 'latest-commits' | 'pipelineruns') =>
  paths.activityTab({ namespace, application, activityTab })

/** The row with this name in a table. Its link may say the title of a commit before the name. */
export const rowOf = (page: Page, table: string, name: string | RegExp) => {
  const pattern = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : name.source
  return page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: new RegExp(pattern.replace(/^\^/, '(^| )')) }) })
}

export const runRow = (page: Page, name: string | RegExp) => rowOf(page, 'Pipeline runs', name)

export const statusIn = (row: Locator) => row.locator('[data-label="Status"]')

/** The status next to the title of a page. */
export const statusOfPage = (page: Page) => page.locator('.slipway-page__status .slipway-status')

/** The badge of a page that says how up to date it is, if it has this text. */
export const badge = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true })

/** URLs of archives, as the browser requests them. */
export const ofArchives = '**/plugins/**'

/** The description of this term in a details list. */
export const detail = (page: Page, term: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[normalize-space()="${term}"]`) })

export async function openActions(container: Page | Locator, name: string) {
  await container.getByRole('button', { name: `Actions for ${name}` }).click()
}

export const action = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

/** The log line selected by the URL. */
export const markedLine = (page: Page) => page.locator('.slipway-log__line[data-selected]')

/** At the line that says why `compile` has failed. */
export async function expectAtTheFailingLine(page: Page) {
  await expect(markedLine(page)).toHaveCount(1, patient)
  await expect(markedLine(page)).toContainText('Error: exit status 1')
  await expect(markedLine(page)).toBeInViewport()
  const log = page.getByRole('log', { name: 'Log of compile' })
  await expect(log.getByRole('link', { name: 'Line 1 of compile', exact: true })).toBeHidden()
}

export async function press(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Returns a function that asserts that the page has not been reloaded since. */
export async function neverReloads(page: Page): Promise<() => void> {
  let loads = 0
  // On a busy machine, the page may be usable before everything that it started with has been loaded.
  await page.waitForLoadState()
  page.on('load', () => loads++)
  return () => expect(loads, 'reloads of the page').toBe(0)
}

/** Merges a pull request on the simulated git host. @param url of its page, such as the console links to */
export async function mergePullRequest(context: BrowserContext, url: string): Promise<void> {
  const gitHost = await context.newPage()
  await gitHost.goto(url)
  await submitAndClose(gitHost, 'Merge')
}

/** Submits a form on a page of the simulated git host, and closes the page. @param button text of the form's button */
export async function submitAndClose(gitHost: Page, button: string): Promise<void> {
  const responded = gitHost.waitForEvent('load')
  await gitHost.getByRole('button', { name: button }).click()
  // Chromium may never close a page that is still being loaded.
  await responded
  await gitHost.close()
}

/** Nothing happens in the repository by itself, and all runs of what the page creates succeed. */
export async function createUndisturbed(page: Page) {
  await page.route(/\/(components|integrationtestscenarios|releaseplans)(\?|$)/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const object = route.request().postDataJSON() as KubeObject // What the console creates.
    object.metadata.annotations = { ...object.metadata.annotations, ...undisturbed, ...ending({}), ...neverTimesOut }
    await route.continue({ postData: JSON.stringify(object) })
  })
}
