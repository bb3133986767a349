import { namespaceType } from '@slipway/kube/core-types'
import { pipelineRunType, type PipelineRun } from '@slipway/model/pipeline-run'
import { isFinished } from '@slipway/model/tekton'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { keyedRandom } from '../src/keyed-random'
import { pipelineRuns } from '../src/controllers/pipeline-runs'
import { taskRuns } from '../src/controllers/task-runs'
import { finishedPipelineRun } from '../src/tekton/history'
import { startWorld } from '../test/world'

/** What a simulated world costs: lived through under a manual clock, and as a past that is only worked out. */

const count = Number(process.argv.find((arg) => arg.startsWith('--runs='))?.slice('--runs='.length) ?? 20)
const namespace = 'team-payments'
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

const world = await startWorld({
  controllers: [pipelineRuns, taskRuns],
  objects: [[namespaceType, aNamespace({ metadata: { name: namespace } })]],
})
const livedMs = performance.now()
for (let index = 0; index < count; index++) await world.client.create(pipelineRunType, runNumber(index))
const areFinished = async () => (await world.client.list(pipelineRunType, { namespace })).items.every(isFinished)
while (!(await areFinished())) await world.advance(600_000)
const livedSeconds = (performance.now() - livedMs) / 1_000
await world.close()

const pastMs = performance.now()
const pasts = count * 5
for (let index = 0; index < pasts; index++) {
  const pure = { random: (key: string) => keyedRandom('bench', key), pace: (ms: number) => ms }
  finishedPipelineRun({ run: runNumber(index), startMs: Date.UTC(2026, 0, 31), world: pure })
}
const pastSeconds = (performance.now() - pastMs) / 1_000

const rate = (runs: number, seconds: number) => ({ 'runs/s': Number((runs / seconds).toFixed(1)) })
console.table({
  'builds of 17 tasks, lived through': rate(count, livedSeconds),
  'builds of 17 tasks, as a past': rate(pasts, pastSeconds),
})
