import { namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { queuePositionOf } from '@slipway/model/runs/queue-position'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { afterEach, expect, it } from 'vitest'
import { finish } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import { localQueue, pendingSummary, queuedRun } from '../kueue/admission-queue'
import { runAdmission } from './run-admission'

const ours = 'team-payments'
const theirs = 'team-platform'

let world: World
afterEach(() => world.close())

async function start() {
  world = await startWorld({
    controllers: [runAdmission],
    objects: [ours, theirs].map((name) => [namespaceType, aNamespace({ metadata: { name } })]),
    accounts: [],
  })
}

/** In the order of their creation, a second apart. */
async function create(...runs: [namespace: string, name: string][]) {
  for (const [namespace, name] of runs) {
    await world.client.create(
      pipelineRunType,
      queuedRun(aPipelineRun({ metadata: { namespace, name }, status: undefined })),
    )
    await world.advance(1_000)
  }
}
const all = async () => (await world.client.list(pipelineRunType)).items
const named = async (name: string) => {
  const run = (await all()).find((each) => nameOf(each) === name)
  if (!run) throw new Error(`no run ${name}`)
  return run
}
const admitted = async () =>
  (await all())
    .filter(({ spec }) => spec.status === undefined)
    .map(nameOf)
    .sort()

it('admits as many runs as there is quota, in the order of their creation, whatever their namespace', async () => {
  await start()
  await create([theirs, 'z'], [ours, 'b'], [theirs, 'a'], [ours, 'c'])
  expect(await admitted()).toEqual(['b', 'z'])
  await finish(world, await named('b'))
  expect(await admitted()).toEqual(['a', 'b', 'z'])
  await world.client.delete(pipelineRunType, 'z', { namespace: theirs })
  await world.simulator.idle()
  expect(await admitted()).toEqual(['a', 'b', 'c'])
})

it('a run that is cancelled in the queue lets the one behind it pass, and uses no quota once it has ended', async () => {
  await start()
  await create([ours, 'a'], [ours, 'b'], [ours, 'c'], [ours, 'd'])
  const cancelled = await named('c')
  await world.client.replace(pipelineRunType, { ...cancelled, spec: { ...cancelled.spec, status: 'Cancelled' } })
  await finish(world, await named('c'), { succeeds: false })
  await finish(world, await named('a'))
  expect(await admitted()).toEqual(['a', 'b', 'd'])
})

it('the summary of a local queue has the positions of its own runs there and in the cluster', async () => {
  await start()
  await create([ours, 'a'], [ours, 'b'], [theirs, 'c'], [ours, 'd'], [theirs, 'e'], [ours, 'f'])
  const runs = await all()
  const summary = (namespace: string, queue = localQueue) =>
    pendingSummary({ version: 'v1beta2', namespace, queue, runs })
  expect(queuePositionOf(summary(ours), await named('f'))).toEqual({ aheadInCluster: 3, aheadInQueue: 1 })
  expect(queuePositionOf(summary(theirs), await named('e'))).toEqual({ aheadInCluster: 2, aheadInQueue: 1 })
  expect(queuePositionOf(summary(theirs), await named('f'))).toBeUndefined()
  expect(summary(ours, 'another')).toMatchObject({ kind: 'PendingWorkloadsSummary', items: [] })
  const page = pendingSummary({ version: 'v1beta1', namespace: ours, queue: localQueue, runs, offset: 1, limit: 1 })
  expect(page).toMatchObject({
    apiVersion: 'visibility.kueue.x-k8s.io/v1beta1',
    items: [{ positionInClusterQueue: 3, positionInLocalQueue: 1, localQueueName: localQueue }],
  })
})
