import { namespaceType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { mintMakerNamespace } from '@slipway/model/platform/namespace'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aNamespace, aPipelineRun, condition } from '@slipway/model/testing'
import { pruneSkip } from '../../controllers/pruning'
import { timestamp } from '../../tekton/task-run-status'
import { allowed, user } from '../allowed'
import { seed, type ScenarioContext, type Seed } from '../scenario'

const component = { namespace: 'team-payments', name: 'checkout-api' }
const hourMs = 3_600_000
const durationMs = 140_000

/** How long ago each run started, and why it failed. */
const updates: [hoursAgo: number, failure?: string][] = [
  [2.5],
  [6.5, 'Tasks Completed: 1 (Failed: 1, Cancelled 0), Skipped: 0'],
  [10.5],
  [14.5],
]

const verbs = ['get', 'list', 'watch']
const readRuns = [
  { apiGroups: [pipelineRunType.group], resources: ['pipelineruns', 'taskruns'], verbs },
  { apiGroups: ['results.tekton.dev'], resources: ['results', 'records', 'logs'], verbs },
]

/** Runs of MintMaker for one component, which only one user may read. */
export function* dependencyUpdates({ nowMs, users }: ScenarioContext): Iterable<Seed> {
  yield seed(
    namespaceType,
    aNamespace({
      metadata: {
        name: mintMakerNamespace,
        labels: { [labels.namespaceType]: undefined },
        annotations: { [pruneSkip]: 'true' },
      },
    }),
  )
  yield* allowed(mintMakerNamespace, 'dependency-updates-reader', readRuns, user(users.admin))
  for (const [hoursAgo, failure] of updates) {
    const startedMs = nowMs - hoursAgo * hourMs
    const at = timestamp(startedMs)
    yield seed(
      pipelineRunType,
      aPipelineRun({
        metadata: {
          name: `renovate-${component.name}-${at.slice(0, 13).replace(/\D/g, '')}`,
          namespace: mintMakerNamespace,
          creationTimestamp: at,
          labels: {
            [labels.application]: undefined,
            [labels.component]: undefined,
            [labels.pipelineType]: undefined,
            [labels.updatedComponent]: component.name,
            [labels.updatedNamespace]: component.namespace,
          },
        },
        spec: {
          pipelineSpec: {
            tasks: [
              {
                name: 'build',
                taskSpec: { steps: [{ name: 'renovate', image: 'registry.slipway.test/tools/renovate:1' }] },
              },
            ],
          },
          taskRunTemplate: { serviceAccountName: 'mintmaker-controller-manager' },
        },
        status: {
          startTime: at,
          completionTime: timestamp(startedMs + durationMs),
          conditions: [
            failure
              ? { ...condition('Succeeded', 'False', 'Failed'), message: failure }
              : condition('Succeeded', 'True', 'Succeeded'),
          ],
        },
      }),
    )
  }
}
