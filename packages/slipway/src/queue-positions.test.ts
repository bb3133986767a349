import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { namespaceType } from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { localQueueType, pendingWorkloads, queuePositionOf, visibilityGroup } from '@slipway/model/runs/queue-position'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { localQueue, queuedRun } from '@slipway/simulator/kueue/admission-queue'
import { teamNamespace } from '@slipway/simulator/scenarios/team'
import { expect, it } from 'vitest'
import { startCluster } from './cluster'
import { emails } from './users'

const namespace = 'team-mobile'
const context = { nowMs: 0, users: emails, gitHostUrl: '', consoleUrl: '' }
const path = resourcePath(localQueueType('v1beta2'), { namespace, name: localQueue, subresource: pendingWorkloads })

it('a contributor reads the positions of the runs of a namespace in the queue, and an outsider does not', async () => {
  const cluster = await startCluster({ storage: memoryStorage() })
  const system = cluster.client('system')
  await system.create(namespaceType, aNamespace({ metadata: { name: 'other' } }))
  const members = { contributor: 'contributor' } as const
  const world = { random: () => () => 0, scale: (ms: number) => ms }
  for (const { type, object } of teamNamespace(namespace, members, { ...context, world }))
    await system.create(type, object)
  const queued = (name: string, of: string) =>
    system.create(pipelineRunType, queuedRun(aPipelineRun({ metadata: { name, namespace: of }, status: undefined })))
  await queued('first', 'other')
  const run = await queued('second', namespace)
  const summary = await cluster.client('contributor').request(path)
  expect(queuePositionOf(summary, run)).toEqual({ aheadInCluster: 1, aheadInQueue: 0 })
  await expect(cluster.client('outsider').request(path)).rejects.toMatchObject({ code: 403 })
  await cluster.close()
})

it('the legacy platform has no queue', async () => {
  const cluster = await startCluster({ storage: memoryStorage(), platform: 'legacy' })
  await expect(cluster.client('system').request(`/apis/${visibilityGroup}`)).rejects.toMatchObject({ code: 404 })
  await cluster.close()
})
