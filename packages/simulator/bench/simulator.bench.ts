import { namespaceType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { integrationTestScenarioType } from '@slipway/model/supply-chain/integration-test-scenario'
import { annotations } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/supply-chain/release-plan'
import { releaseType } from '@slipway/model/supply-chain/release'
import { isFinished } from '@slipway/model/runs/tekton'
import { aComponent, anApplication, aNamespace, aPipelineRun } from '@slipway/model/testing'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
} from '@slipway/model/testing/tests-and-releases'
import { allControllers } from '../src/controllers'
import { pipelineRuns } from '../src/controllers/pipeline-runs'
import { taskRuns } from '../src/controllers/task-runs'
import { settings } from '../src/git-host/store'
import { keyedRandom } from '../src/keyed-random'
import { finishedPipelineRun } from '../src/tekton/history'
import { outcomeAnnotation } from '../src/tekton/outcome'
import { startWorld } from '../test/world'

/** Measures the cost of a simulated world: played under a manual clock, and computed as history. */

const count = Number(process.argv.find((arg) => arg.startsWith('--runs='))?.slice('--runs='.length) ?? 20)
const namespace = 'team-payments'

/** Both times, since other load on the machine only lengthens the first. */
interface Cost {
  wallMs: number
  cpuMs: number
}

async function costOf(work: () => Promise<void> | void): Promise<Cost> {
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(startCpu)
  return { wallMs: performance.now() - startMs, cpuMs: (user + system) / 1_000 }
}

/** The median, since the first ones include the compilation of JavaScript. */
function medianOf(costs: Cost[]): Cost {
  const middle = (valueOf: (cost: Cost) => number) =>
    costs.map(valueOf).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0
  return { wallMs: middle(({ wallMs }) => wallMs), cpuMs: middle(({ cpuMs }) => cpuMs) }
}

const runNumber = (index: number): PipelineRun =>
  aPipelineRun({
    metadata: { name: `run-${index}` },
    spec: {
      pipelineSpec: undefined,
      pipelineRef: { resolver: 'bundles', params: [{ name: 'name', value: 'docker-build-oci-ta' }] },
      params: [
        { name: 'git-url', value: 'https://git.slipway.test/payments/checkout-api' },
        { name: 'revision', value: 'main' },
        { name: 'output-image', value: 'registry.slipway.test/payments/checkout-api:main' },
      ],
    },
  })

async function playedRuns(): Promise<Cost> {
  const world = await startWorld({
    controllers: [pipelineRuns, taskRuns],
    objects: [[namespaceType, aNamespace({ metadata: { name: namespace } })]],
  })
  const areFinished = async () => (await world.client.list(pipelineRunType, { namespace })).items.every(isFinished)
  const cost = await costOf(async () => {
    for (let index = 0; index < count; index++) await world.client.create(pipelineRunType, runNumber(index))
    while (!(await areFinished())) await world.advance(600_000)
  })
  await world.close()
  return cost
}

const historyRuns = (runs: number) =>
  costOf(() => {
    for (let index = 0; index < runs; index++) {
      const pure = { random: (key: string) => keyedRandom('bench', key), scale: (ms: number) => ms }
      finishedPipelineRun({ run: runNumber(index), startMs: Date.UTC(2026, 0, 31), world: pure })
    }
  })

/**
 * A push and everything that follows: the build, the snapshot, its test, the release and its pipeline. Before that, a
 * component is onboarded and its pull request is built, tested and merged, which results in a first chain.
 */
async function chains(number: number): Promise<{ first: Cost; others: Cost[] }> {
  const alwaysSucceeds = { [outcomeAnnotation]: JSON.stringify({ '*': 'success' }) }
  const quiet = { ...alwaysSucceeds, [settings.activity]: 'off', [settings.autoMerge]: '60' }
  const world = await startWorld({
    controllers: allControllers({ consoleUrl: 'https://console.slipway.test', hasArchive: false }),
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, aNamespace({ metadata: { name: 'release-managed' } })],
      [applicationType, anApplication()],
      [integrationTestScenarioType, anIntegrationTestScenario({ metadata: { annotations: alwaysSucceeds } })],
      [releasePlanType, aReleasePlan()],
      [releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { annotations: alwaysSucceeds } })],
      [
        componentType,
        aComponent({
          metadata: { annotations: quiet },
          spec: { source: { git: { url: 'https://github.com/payments/checkout-api' } }, containerImage: undefined },
        }),
      ],
    ],
  })
  const { client } = world
  const released = async () => (await client.list(releaseType)).items.filter(({ status }) => status?.completionTime)
  const onceReleased = async (times: number) => {
    for (let minutes = 0; (await released()).length < times; minutes++) {
      if (minutes > 120) throw new Error('The chain did not finish within two hours.')
      await world.advance(60_000)
    }
  }
  const first = await costOf(() => onceReleased(1))
  await world.advance(3_600_000)
  const costs: Cost[] = []
  for (let index = 0; index < number; index++) {
    const push = [
      {
        op: 'add' as const,
        path: `/metadata/annotations/${annotations.buildRequest.replace(/\//g, '~1')}`,
        value: 'trigger-pac-build',
      },
    ]
    costs.push(
      await costOf(async () => {
        await client.patch(componentType, 'checkout-api', push, { namespace })
        await onceReleased(index + 2)
      }),
    )
  }
  await world.close()
  return { first, others: costs }
}

// Before anything else, so that no code has been compiled yet.
const { first, others } = await chains(12)
const chain = medianOf(others)
const played = await playedRuns()
const historyCount = count * 5
const history = await historyRuns(historyCount)

const rounded = (number: number) => Number(number.toFixed(1))
const rate = (runs: number, { wallMs, cpuMs }: Cost) => ({
  'runs/s': rounded((runs * 1_000) / wallMs),
  'ms of CPU a run': rounded(cpuMs / runs),
})
console.table({
  'builds of 17 tasks, played': rate(count, played),
  'builds of 17 tasks, created as history': rate(historyCount, history),
})
const shown = ({ wallMs, cpuMs }: Cost) => ({ ms: rounded(wallMs), 'ms of CPU': rounded(cpuMs) })
console.table({
  'onboarding, pull request and first chain, in a new process': shown(first),
  'push, build, snapshot, test and release, when warm': shown(chain),
})
