import { namespaceOf, uidOf } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import { isRejection } from '@slipway/kube/status'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { observe, type QueueObservation } from '@slipway/model/runs/queue-estimate'
import {
  localQueueType,
  pendingCountIn,
  pendingWorkloads,
  queuePositionOf,
  visibilityGroup,
  type VisibilityVersion,
  visibilityVersions,
} from '@slipway/model/runs/queue-position'
import { type Query, queryOptions } from '@tanstack/react-query'
import type { AccessCheck } from '../api/access/access-review'
import { client } from '../api/client'
import { isIdle } from '../api/live/idle'
import { servedVersion } from '../api/served-types'
import { serverNow } from '../lib/server-clock'
import { pipelineRuns } from './pipeline-runs'

const pollMs = 10_000
/** The waits of other runs change the estimate less than the run's own position. */
const waitsPollMs = 60_000
/** By how much less an idle tab polls: its background requests together are limited (ADR 18). */
const idleFactor = 9

/** Polled by a visible page only: TanStack Query does not refetch at an interval while the page is hidden. */
const every =
  (ms: number) =>
  ({ state }: Pick<Query, 'state'>): number | false =>
    isRejection(state.error) ? false : isIdle() ? idleFactor * ms : ms

/** What is known of a run's place in its queue. */
export interface QueueReading {
  /** The oldest first; none if the last response did not list the run. */
  observations: QueueObservation[]
  /** How many workloads the last response listed. */
  listedCount: number
}

export const queuePositions = {
  /** In which version the cluster says what waits in its queues; `null` if it has no such queues. */
  version: () =>
    queryOptions({
      queryKey: [visibilityGroup],
      queryFn: async () => (await servedVersion(visibilityGroup, visibilityVersions)) ?? null,
      // Only a discovery that failed is repeated.
      refetchInterval: ({ state }) => (state.status === 'error' ? idleFactor * pollMs : false),
    }),
  /** Where a run is in its queue, and where it was while a page showed it. Kueue offers no watch. */
  of: (run: PipelineRun, queue: string, version: VisibilityVersion) => {
    const type = localQueueType(version)
    const namespace = namespaceOf(run) ?? ''
    return queryOptions({
      queryKey: [type.group, type.plural, namespace, 'get', { queue, uid: uidOf(run) }],
      queryFn: async ({ signal, client: cache, queryKey }): Promise<QueueReading> => {
        const path = resourcePath(type, { namespace, name: queue, subresource: pendingWorkloads })
        const summary = await client.request(path, { signal })
        const position = queuePositionOf(summary, run)
        const earlier = cache.getQueryData<QueueReading>(queryKey)?.observations ?? []
        return {
          observations: position ? observe(earlier, { ...position, atMs: serverNow() }) : [],
          listedCount: pendingCountIn(summary),
        }
      },
      staleTime: pollMs,
      refetchInterval: every(pollMs),
    })
  },
  /** How long earlier runs of a queue waited. */
  waits: (namespace: string, queue: string) =>
    queryOptions({ ...pipelineRuns.waits(namespace, queue), refetchInterval: every(waitsPollMs) }),
}

/** The check that a user may read where runs are in the queues of a namespace. */
export const queueCheck = (namespace: string, version: VisibilityVersion): AccessCheck => ({
  verb: 'get',
  type: localQueueType(version),
  namespace,
  subresource: pendingWorkloads,
})
