import { namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotConditions, snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { anApplication, aNamespace, aPipelineRun, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { afterEach, describe, expect, it } from 'vitest'
import { finish } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import { ownerReference } from '../controller'
import { pruneSkip, pruning } from './pruning'

const namespace = 'team-payments'
const hourMs = 3_600_000

let world: World
afterEach(() => world.close())

async function start(requiresArchive: boolean, speed = 1) {
  const controllers = pruning({ requiresArchive, keep: 2, olderThanMs: hourMs })
  world = await startWorld({
    controllers,
    speed,
    objects: [
      [namespaceType, aNamespace()],
      [applicationType, anApplication()],
    ],
  })
}

async function finishedRun(name: string, component = 'checkout-api') {
  const run = await world.client.create(
    pipelineRunType,
    aPipelineRun({ metadata: { name, labels: { [labels.component]: component } } }),
  )
  await finish(world, run)
  await world.advance(1_000)
  return run
}
const runs = async () => (await world.client.list(pipelineRunType, { namespace })).items.map(nameOf)
const snapshots = async () => (await world.client.list(snapshotType, { namespace })).items.map(nameOf)
async function store(name: string) {
  const value = { [annotations.stored]: 'true' }
  await world.client.patch(pipelineRunType, name, [{ op: 'add', path: '/metadata/annotations', value }], { namespace })
  await world.simulator.idle()
}

describe('finished runs', () => {
  it('are deleted with their task runs when they are old and there are newer ones of their group', async () => {
    await start(false)
    const first = await finishedRun('run-1')
    const owned = aTaskRun({ metadata: { ownerReferences: [ownerReference(pipelineRunType, first)] } })
    await world.client.create(taskRunType, owned)
    for (const name of ['run-2', 'run-3']) await finishedRun(name)
    await finishedRun('other-1', 'checkout-worker')
    await world.client.create(pipelineRunType, aPipelineRun({ metadata: { name: 'running' } }))
    await world.advance(hourMs - 10_000)
    expect(await runs()).toEqual(['other-1', 'run-1', 'run-2', 'run-3', 'running'])
    await world.advance(20_000)
    expect(await runs()).toEqual(['other-1', 'run-2', 'run-3', 'running'])
    expect((await world.client.list(taskRunType, { namespace })).items).toEqual([])
    await world.advance(10 * hourMs)
    expect(await runs()).toEqual(['other-1', 'run-2', 'run-3', 'running'])
  })

  it('are deleted earlier in a faster simulation, so that it has no more of them than a slow one', async () => {
    await start(false, 60)
    for (const name of ['run-1', 'run-2', 'run-3']) await finishedRun(name)
    await world.advance(hourMs / 60)
    expect(await runs()).toEqual(['run-2', 'run-3'])
  })

  it('are not deleted before the archive has stored them, if there is one', async () => {
    await start(true)
    for (const name of ['run-1', 'run-2', 'run-3', 'run-4']) await finishedRun(name)
    await world.advance(2 * hourMs)
    expect(await runs()).toHaveLength(4)
    await store('run-2')
    await store('run-4')
    expect(await runs()).toEqual(['run-1', 'run-3', 'run-4'])
  })
})

it('nothing is pruned in a namespace with prune.skip until it is removed', async () => {
  await start(false)
  const skip = { [pruneSkip]: 'true' }
  await world.client.patch(namespaceType, namespace, [{ op: 'add', path: '/metadata/annotations', value: skip }])
  for (const name of ['run-1', 'run-2', 'run-3']) await finishedRun(name)
  await world.advance(2 * hourMs)
  expect(await runs()).toEqual(['run-1', 'run-2', 'run-3'])
  await world.client.patch(namespaceType, namespace, [{ op: 'remove', path: '/metadata/annotations' }])
  await world.simulator.idle()
  expect(await runs()).toEqual(['run-2', 'run-3'])
})

it('snapshots are deleted when they are old, unless they are among the newest or released', async () => {
  await start(true)
  const tested = [condition(snapshotConditions.testSucceeded, 'True', 'Passed')]
  for (const name of ['s-1', 's-2', 's-3', 's-4', 's-5']) {
    const created = await world.client.create(snapshotType, aSnapshot({ metadata: { name } }))
    await world.client.replaceStatus(snapshotType, { ...created, status: { conditions: tested } })
    if (name === 's-2') {
      const test = aPipelineRun({
        metadata: {
          name: 'test-of-2',
          ownerReferences: [ownerReference(snapshotType, created)],
          labels: { [labels.snapshot]: name },
        },
      })
      await finish(world, await world.client.create(pipelineRunType, test))
    }
    await world.advance(1_000)
  }
  await world.client.create(releaseType, aRelease({ spec: { snapshot: 's-1' } }))
  await world.advance(2 * hourMs)
  expect(await snapshots()).toEqual(['s-1', 's-2', 's-4', 's-5'])
  await store('test-of-2')
  expect(await snapshots()).toEqual(['s-1', 's-4', 's-5'])
  expect(await runs()).toEqual([])
  await world.client.delete(releaseType, 'checkout-x4k2p', { namespace })
  await world.simulator.idle()
  expect(await snapshots()).toEqual(['s-4', 's-5'])
})

it('all old builds of a deleted application are deleted, including the newest', async () => {
  await start(true)
  for (const name of ['run-1', 'run-2']) await finishedRun(name)
  const inTheManagedNamespace = aPipelineRun({
    metadata: { name: 'managed', labels: { [labels.pipelineType]: 'managed' } },
  })
  await finish(world, await world.client.create(pipelineRunType, inTheManagedNamespace))
  for (const name of ['run-1', 'managed']) await store(name)
  await world.advance(2 * hourMs)
  expect(await runs()).toEqual(['managed', 'run-1', 'run-2'])
  await world.client.delete(applicationType, 'checkout', { namespace })
  await world.simulator.idle()
  expect(await runs()).toEqual(['managed', 'run-2'])
  await store('run-2')
  expect(await runs()).toEqual(['managed'])
})

it('finished releases are deleted when they expire', async () => {
  await start(true)
  for (const name of ['running', 'over']) {
    const created = await world.client.create(releaseType, aRelease({ metadata: { name } }))
    const reason = name === 'over' ? 'Succeeded' : 'Progressing'
    const conditions = [condition('Released', name === 'over' ? 'True' : 'False', reason)]
    const status = { conditions, expirationTime: '2026-01-31T10:00:00Z' }
    await world.client.replaceStatus(releaseType, { ...created, status })
  }
  const names = async () => (await world.client.list(releaseType, { namespace })).items.map(nameOf)
  await world.advance(hourMs - 1_000)
  expect(await names()).toEqual(['over', 'running'])
  await world.advance(2_000)
  expect(await names()).toEqual(['running'])
})
