import type { Locator, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/supply-chain/application'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { anApplication, aPipelineRun } from '@slipway/model/testing'
import { expect, productWith, test as base, type Product } from './fixtures'
import { patienceMs } from '../scripts/lib/patience.mjs'

/** A product in which runs are played, a minute in a second, and kept by an archive once they have ended. */
export const test = base.extend<object, { product: Product }>({
  product: productWith({ simulator: true, speed: 60, archive: 'both' }),
})

/** What a run takes to end, on a machine that has other things to do. */
export const patient = { timeout: patienceMs }

const outcomeAnnotation = 'simulator.slipway.dev/outcome'

/** How the tasks of what is built of a component or by a run end, by their names; `*` is all others. */
export const ending = (outcomes: Record<string, string>) => ({
  [outcomeAnnotation]: JSON.stringify({ '*': 'success', ...outcomes }),
})

/** Nobody works on a repository but the test. */
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

/** The log of `compile`, and its error, are longer than a screen. */
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
  /** How its tasks end: `clone`, `compile`, `unit-tests`, at last `tidy`. */
  outcomes?: Record<string, string>
  /** The more, the longer it takes. */
  compileSteps?: number
}

/** A build by a push that the simulator plays in some seconds. */
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
    // The account that every namespace has: pods are refused without theirs.
    spec: {
      taskRunTemplate: { serviceAccountName: 'default' },
      ...over.spec,
      pipelineSpec: pipelineSpec(compileSteps),
    },
  })

/** A run that is there and does nothing. */
export const aWaitingRun = (over: RunPlan): PipelineRun => aBuild({ ...over, spec: { status: 'PipelineRunPending' } })

export async function createRun(system: KubeClient, run: PipelineRun): Promise<PipelineRun> {
  return system.create(pipelineRunType, run)
}

/** Resolves when it has ended. */
export async function ended(system: KubeClient, { metadata }: PipelineRun): Promise<void> {
  const { name = '', namespace } = metadata
  const isEnded = async () => isFinished(await system.get(pipelineRunType, name, { namespace }))
  await expect.poll(isEnded, { ...patient, intervals: [100] }).toBe(true)
}

/** Resolves when the archive has all of it, so that it may leave the cluster. */
export async function archived(system: KubeClient, { metadata }: PipelineRun): Promise<void> {
  const { name = '', namespace } = metadata
  const isStored = async () =>
    (await system.get(pipelineRunType, name, { namespace })).metadata.annotations?.[annotations.stored]
  await expect.poll(isStored, { ...patient, intervals: [100] }).toBe('true')
}

export const activity = (namespace: string, activityTab: 'latest-commits' | 'pipelineruns') =>
  paths.activityTab({ namespace, application, activityTab })

/** The row of a table whose name this is. */
export const rowOf = (page: Page, table: string, name: string | RegExp) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

export const runRow = (page: Page, name: string | RegExp) => rowOf(page, 'Pipeline runs', name)

export const statusIn = (row: Locator) => row.locator('[data-label="Status"]')

/** Beside the title of a page. */
export const statusOfPage = (page: Page) => page.locator('.slipway-page__status .slipway-status')

/** Of the part that stands beside this term. */
export const detail = (page: Page, term: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[normalize-space()="${term}"]`) })

export async function openActions(place: Page | Locator, name: string) {
  await place.getByRole('button', { name: `Actions for ${name}` }).click()
}

export const action = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

/** The line of the log that the address names. */
export const markedLine = (page: Page) => page.locator('.slipway-log__line[data-selected]')

/** The page must not have been loaded again when this is called a second time. */
export async function neverReloads(page: Page): Promise<() => void> {
  let loads = 0
  page.on('load', () => loads++)
  return () => expect(loads, 'reloads of the page').toBe(0)
}
