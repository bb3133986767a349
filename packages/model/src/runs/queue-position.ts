import { type KubeObject, nameOf, specOf, uidOf } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import { defineResource, type ResourceType } from '@slipway/kube/resource-type'
import { labels } from '../labels'
import { type PipelineRun, pipelineRunType } from './pipeline-run'
import { isFinished } from './tekton'

/** Where a run is in a queue of Kueue. Source: kubernetes-sigs/kueue, apis/visibility and pkg/visibility. */

export const visibilityGroup = 'visibility.kueue.x-k8s.io'
/** The versions whose responses are known here, the newest first. */
export const visibilityVersions = ['v1beta2', 'v1beta1'] as const
export type VisibilityVersion = (typeof visibilityVersions)[number]

/** A queue of one namespace. Of it, users may get no more than the subresource `pendingworkloads`. */
export const localQueueType = (version: VisibilityVersion): ResourceType =>
  defineResource<KubeObject>({
    group: visibilityGroup,
    version,
    kind: 'LocalQueue',
    plural: 'localqueues',
    namespaced: true,
  })
export const pendingWorkloads = 'pendingworkloads'

/** How many workloads a response has at most. */
export const mostPendingWorkloads = 1_000

/** How many others are admitted before a run if nothing changes; 0 for the next one. */
export interface QueuePosition {
  /** In the cluster queue, which the local queues of several namespaces feed. */
  aheadInCluster: number
  /** In the local queue. */
  aheadInQueue: number
}

/** The local queue that has to admit a run; `undefined` for a run that waits for nothing of the kind. */
export const admissionQueueOf = (run: PipelineRun): string | undefined =>
  specOf(run).status === 'PipelineRunPending' && !isFinished(run) ? run.metadata.labels?.[labels.queueName] : undefined

/** How many workloads a response lists. */
export const pendingCountIn = (summary: unknown): number => itemsOf(summary).length

/** The position of a run in the response of its queue; `undefined` if it is not listed. */
export function queuePositionOf(summary: unknown, run: PipelineRun): QueuePosition | undefined {
  const item = itemsOf(summary).find((each) => isWorkloadOf(each, run))
  const [aheadInCluster, aheadInQueue] = [item?.positionInClusterQueue, item?.positionInLocalQueue]
  return isCount(aheadInCluster) && isCount(aheadInQueue) ? { aheadInCluster, aheadInQueue } : undefined
}

const itemsOf = (summary: unknown): Record<string, unknown>[] => asArray(asRecord(summary).items).map(asRecord)
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

function isWorkloadOf(item: Record<string, unknown>, run: PipelineRun): boolean {
  const { name, ownerReferences } = asRecord(item.metadata)
  const owners = asArray(ownerReferences).map(asRecord)
  if (owners.length > 0) return owners.some(({ uid }) => uid === uidOf(run))
  // The name of the owner's kind, its own name, and a hash. Names that Kueue had to cut could be those of other runs.
  const prefix = `${pipelineRunType.kind.toLowerCase()}-${nameOf(run)}-`
  return typeof name === 'string' && name.startsWith(prefix) && /^[0-9a-f]{5}$/.test(name.slice(prefix.length))
}
