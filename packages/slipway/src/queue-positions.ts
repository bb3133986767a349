import type { AggregatedApi } from '@slipway/apiserver/aggregated-api'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { pendingWorkloads, visibilityGroup, visibilityVersions } from '@slipway/model/runs/queue-position'
import { pendingSummary } from '@slipway/simulator/kueue/admission-queue'

const path = `localqueues/${pendingWorkloads}`

/**
 * The visibility API of Kueue, over the queue that the simulator admits runs from.
 * @param client reads the runs of all namespaces
 */
export const queuePositions = (client: () => KubeClient): AggregatedApi => ({
  group: visibilityGroup,
  versions: visibilityVersions,
  resources: [
    { name: 'localqueues', kind: 'LocalQueue', namespaced: true, verbs: [] },
    { name: path, kind: 'PendingWorkloadsSummary', namespaced: true, verbs: ['get'] },
  ],
  async respond({ version, resource, namespace = '', name = '', query }) {
    if (resource !== path) return undefined
    const { items: runs } = await client().list(pipelineRunType, {
      labels: { matchExpressions: [{ key: labels.queueName, operator: 'Exists' }] },
    })
    const count = (key: string) => {
      const text = query.get(key) ?? ''
      return /^\d+$/.test(text) ? Number(text) : undefined
    }
    return pendingSummary({ version, namespace, queue: name, runs, offset: count('offset'), limit: count('limit') })
  },
})
