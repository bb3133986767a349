import { serviceAccountType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { mintMakerNamespace } from '@slipway/model/platform/namespace'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { queuedRun } from '../../kueue/admission-queue'
import { outcomeAnnotation } from '../../tekton/outcome'
import { timestamp } from '../../tekton/task-run-status'
import { seed, type ScenarioContext, type Seed } from '../scenario'

const serviceAccount = 'mintmaker-controller-manager'

/** MintMaker has just started its updates, one for each of these components. The oldest is first. */
const updated: [namespace: string, component: string][] = [
  ['team-payments', 'checkout-worker'],
  ['team-payments', 'ledger-api'],
  ['team-payments', 'fraud-model'],
  ['team-platform', 'edge-proxy'],
  ['team-platform', 'edge-config'],
  ['team-platform', 'metrics-collector'],
  ['team-mobile', 'mobile-api'],
]

const steps = ['prepare', 'clone', 'look-up-updates', 'update', 'open-pull-requests'].map((name) => ({
  name,
  image: 'registry.slipway.test/tools/renovate:1',
  script: `renovate ${name}`,
}))

/**
 * Runs in the queue of the cluster, more than may run at the same time. Together with the pushes of `team-mobile`, they
 * take some twenty minutes to be admitted.
 */
export function* queuedRuns({ nowMs }: ScenarioContext): Iterable<Seed> {
  yield seed(serviceAccountType, aServiceAccount({ metadata: { name: serviceAccount, namespace: mintMakerNamespace } }))
  for (const [index, [namespace, component]] of updated.entries()) {
    const at = timestamp(nowMs - (updated.length - index) * 5_000)
    yield seed(
      pipelineRunType,
      queuedRun(
        aPipelineRun({
          metadata: {
            name: `renovate-${component}-${at.slice(0, 16).replace(/\D/g, '')}`,
            namespace: mintMakerNamespace,
            creationTimestamp: at,
            labels: {
              [labels.application]: undefined,
              [labels.component]: undefined,
              [labels.pipelineType]: undefined,
              [labels.updatedComponent]: component,
              [labels.updatedNamespace]: namespace,
            },
            annotations: { [outcomeAnnotation]: JSON.stringify({ '*': 'slow' }) },
          },
          spec: {
            pipelineSpec: { tasks: [{ name: 'build', taskSpec: { steps } }] },
            taskRunTemplate: { serviceAccountName: serviceAccount },
          },
          status: undefined,
        }),
      ),
    )
  }
}
