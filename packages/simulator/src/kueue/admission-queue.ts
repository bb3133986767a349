import { nameOf, namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { admissionQueueOf, mostPendingWorkloads, visibilityGroup } from '@slipway/model/runs/queue-position'
import { isFinished } from '@slipway/model/runs/tekton'
import { hexDigits, keyedRandom } from '../keyed-random'

/**
 * The queue of Kueue: one cluster queue, which the local queues of all namespaces with the label feed. Its state is that
 * of the runs alone. Source: kubernetes-sigs/kueue, apis/visibility; konflux-ci/tekton-kueue.
 */

/** Label on a namespace whose runs have to be admitted: `"true"`. */
export const managedLabel = 'kueue.openshift.io/managed'

/** The local queue of each of these namespaces. */
export const localQueue = 'pipelines-queue'

/** How many admitted runs may be unfinished at the same time. */
export const clusterQuota = 2

export const isManaged = (namespace: KubeObject | undefined): boolean =>
  namespace?.metadata.labels?.[managedLabel] === 'true'

/** A new run, on hold until it is admitted. */
export const queuedRun = (run: PipelineRun): PipelineRun => ({
  ...run,
  metadata: { ...run.metadata, labels: { ...run.metadata.labels, [labels.queueName]: localQueue } },
  spec: { ...run.spec, status: 'PipelineRunPending' },
})

/** The run once it may start. */
export function admittedRun(run: PipelineRun): PipelineRun {
  const { status: _, ...spec } = run.spec
  return { ...run, spec }
}

export const isQueued = (run: PipelineRun): boolean =>
  admissionQueueOf(run) !== undefined && !run.metadata.deletionTimestamp

/** Whether a run that had to be admitted uses the quota. */
export const usesQuota = (run: PipelineRun): boolean =>
  run.metadata.labels?.[labels.queueName] !== undefined && admissionQueueOf(run) === undefined && !isFinished(run)

/** The runs that wait, the next one first: in the order of their creation. */
export const inOrder = (runs: readonly PipelineRun[]): PipelineRun[] =>
  runs.filter(isQueued).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))

/** Whole seconds, so that names decide between the runs of one. */
const orderOf = (run: PipelineRun): string =>
  `${run.metadata.creationTimestamp ?? ''} ${namespaceOf(run) ?? ''}/${nameOf(run)}`

interface SummaryInput {
  /** Of the API, such as `v1beta2`. */
  version: string
  namespace: string
  queue: string
  /** Of all namespaces. */
  runs: readonly PipelineRun[]
  /** How many workloads to leave out, and how many to return at most. */
  offset?: number
  limit?: number
}

/** What waits in a local queue, with its positions there and in the cluster queue. */
export function pendingSummary(input: SummaryInput): object {
  const { version, namespace, queue, runs, offset = 0, limit = mostPendingWorkloads } = input
  const items = inOrder(runs)
    .map((run, positionInClusterQueue) => ({ run, positionInClusterQueue }))
    .filter(({ run }) => namespaceOf(run) === namespace && admissionQueueOf(run) === queue)
    .map(({ run, positionInClusterQueue }, positionInLocalQueue) => ({
      metadata: {
        name: workloadNameOf(run),
        namespace,
        creationTimestamp: run.metadata.creationTimestamp,
        ownerReferences: [
          { apiVersion: apiVersionOf(pipelineRunType), kind: pipelineRunType.kind, name: nameOf(run), uid: uidOf(run) },
        ],
      },
      priority: 0,
      localQueueName: queue,
      positionInClusterQueue,
      positionInLocalQueue,
    }))
  return {
    kind: 'PendingWorkloadsSummary',
    apiVersion: `${visibilityGroup}/${version}`,
    metadata: {},
    items: items.slice(offset, offset + limit),
  }
}

const workloadNameOf = (run: PipelineRun): string =>
  `pipelinerun-${nameOf(run)}-${hexDigits(keyedRandom('workload', uidOf(run)), 5)}`
