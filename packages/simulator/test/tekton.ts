import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun } from '@slipway/model/testing'
import { keyedRandom } from '../src/keyed-random'
import { bundleRef } from '../src/tekton/catalog/pipeline-parts'
import { outcomeAnnotation, type Outcome } from '../src/tekton/outcome'
import type { World } from '../src/tekton/facts'
import { taskRunFor } from '../src/tekton/task-run-for'

/** A world in real time. */
export const worldOf = (seed = 'test', speed = 1): World => ({
  random: (key) => keyedRandom(seed, key),
  scale: (realMs) => realMs / speed,
})

export const startMs = Date.parse('2026-01-31T09:00:00Z')
const image = 'registry.slipway.test/payments/checkout-api'
const digest = `sha256:${'5'.repeat(64)}`
const snapshot = {
  application: 'checkout',
  components: [
    { name: 'checkout-api', containerImage: `${image}@${digest}` },
    { name: 'checkout-web', containerImage: `registry.slipway.test/payments/checkout-web@${digest}` },
  ],
}

/** A run of a pipeline from the catalog. */
export function catalogRun(pipeline: string, outcomes: Record<string, Outcome> = {}, name = 'run'): PipelineRun {
  return aPipelineRun({
    metadata: { name, annotations: { [outcomeAnnotation]: JSON.stringify(outcomes) } },
    spec: {
      pipelineRef: bundleRef('pipeline', pipeline, 'latest'),
      pipelineSpec: undefined,
      params: [
        { name: 'git-url', value: 'https://git.slipway.test/payments/checkout-api' },
        { name: 'revision', value: 'c0ffee'.padEnd(40, '0') },
        { name: 'output-image', value: `${image}:c0ffee` },
        { name: 'SNAPSHOT', value: JSON.stringify(snapshot) },
        { name: 'snapshot', value: JSON.stringify(snapshot) },
      ],
    },
  })
}

/** A task run of the catalog, started at `startMs`, of a run with this outcome. */
export function catalogTask(
  definition: string,
  outcome?: Outcome,
  params: Record<string, string> = {},
): { run: PipelineRun; taskRun: TaskRun } {
  const run = catalogRun('docker-build', outcome ? { it: outcome } : {})
  const taskRun = taskRunFor(run, {
    task: { name: 'it', taskRef: bundleRef('task', definition, '0.1') },
    params: Object.entries({ IMAGES: JSON.stringify(snapshot), ...params }).map(([name, value]) => ({ name, value })),
    isFinally: false,
  })
  return { run, taskRun: { ...taskRun, status: { startTime: '2026-01-31T09:00:00Z' } } }
}

export const pipelineTaskOf = ({ metadata }: TaskRun): string => metadata.labels?.[labels.pipelineTask] ?? ''
