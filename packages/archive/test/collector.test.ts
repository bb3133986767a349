import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { podType } from '@slipway/kube/core-types'
import { nameOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openArchiveStore } from '../src/store/store'
import { makePipelineRun, makePod, makeRunningPipelineRun, makeTaskRun, namesOf, succeeded } from './objects'
import { namespace, startWorld, type World } from './world'

let world: World
beforeEach(async () => void (world = await startWorld()))
afterEach(() => world.close())

const keptNames = async (type: { group: string; version: string; plural: string } = pipelineRunType) => {
  const { items } = await world.store.page({ types: [type], limit: 1000 })
  return items.map(({ name }) => name)
}
const stored = async (name: string) => {
  const { metadata } = await world.client.get(pipelineRunType, name, { namespace })
  return metadata.annotations?.['results.tekton.dev/stored']
}

describe('an archived object', () => {
  it('is a finished one, not a running one', async () => {
    await makeRunningPipelineRun(world, 'runs')
    await makePipelineRun(world, 'failed', {}, succeeded('False', 'Failed'))
    await world.archive.idle()
    expect(await keptNames()).toEqual(['failed'])
  })

  it('is updated with each later state, without the managed fields of the API server', async () => {
    const run = await makePipelineRun(world, 'one')
    await world.archive.idle()
    await world.client.patch(pipelineRunType, 'one', [{ op: 'add', path: '/metadata/labels/later', value: 'yes' }], {
      namespace,
    })
    await world.archive.idle()
    const json = world.store.get(uidOf(run))?.json ?? ''
    const { metadata } = JSON.parse(json) as typeof run
    expect([metadata.labels?.['later'], metadata.managedFields]).toEqual(['yes', undefined])
    const { items } = await world.store.page({
      types: [pipelineRunType],
      labels: [{ key: 'later', values: ['yes'] }],
      limit: 10,
    })
    expect(items).toHaveLength(1)
  })

  it('may be deleted while it runs, and then has a deletion time', async () => {
    const run = await makeRunningPipelineRun(world, 'ghost')
    await world.archive.idle()
    await world.client.delete(pipelineRunType, 'ghost', { namespace })
    await world.archive.idle()
    const archived = world.store.get(uidOf(run))
    const { metadata, status } = JSON.parse(archived?.json ?? '{}') as typeof run
    expect([archived?.isDeleted, metadata.deletionTimestamp, status?.conditions?.[0]?.reason]).toEqual([
      true,
      '2026-01-31T09:00:00Z',
      'Running',
    ])
  })

  it('stays after its deletion, even if another object gets the name', async () => {
    const first = await makePipelineRun(world, 'again')
    await world.archive.idle()
    await world.client.delete(pipelineRunType, 'again', { namespace })
    await world.clock.advance(1000)
    const second = await makePipelineRun(world, 'again')
    await world.archive.idle()
    expect(world.store.get(uidOf(first))?.isDeleted).toBe(true)
    expect(world.store.newest(pipelineRunType, namespace, 'again')?.uid).toBe(uidOf(second))
  })

  it('is removed when its retention ends, after it is deleted from the cluster', async () => {
    await world.close()
    world = await startWorld({ retentionMs: 86_400_000 })
    const owner = await makePipelineRun(world, 'gone')
    const task = await makeTaskRun(world, owner, 'build')
    const pod = await makePod(world, task, { 'step-build': 'text' })
    await makePipelineRun(world, 'here')
    await world.archive.idle()
    await world.client.delete(podType, pod.metadata.name ?? '', { namespace })
    await world.client.delete(pipelineRunType, 'gone', { namespace })
    await world.archive.idle()
    await world.clock.advance(90_000_000)
    expect(await keptNames()).toEqual(['here'])
    expect(world.store.logs.containers(uidOf(pod))).toEqual([])
  })
})

describe('logs', () => {
  it('are archived for every container once the pod has ended', async () => {
    const run = await makePipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build')
    const line = `${'x'.repeat(70_000)}\n`
    const long = `${line}üñí\n`.repeat(3)
    const pod = await makePod(world, task, { 'step-clone': 'cloned\n', 'step-build': long, 'step-quiet': '' })
    const early = await makePod(world, await makeTaskRun(world, run, 'early'), { 'step-wait': 'so far' }, 'Running')
    await world.archive.idle()
    const read = (container: string, tail?: number) =>
      Buffer.concat([...(world.store.logs.read(uidOf(pod), container, tail) ?? [])]).toString()
    expect(world.store.logs.containers(uidOf(pod))).toEqual(['step-clone', 'step-build', 'step-quiet'])
    expect([read('step-clone'), read('step-build') === long, read('step-quiet')]).toEqual(['cloned\n', true, ''])
    expect([read('step-build', 1), read('step-build', 3) === `üñí\n${line}üñí\n`]).toEqual(['üñí\n', true])
    expect(world.store.logs.containers(uidOf(early))).toEqual([])
  })

  it('are archived as far as received if the pod is deleted before it ends', async () => {
    const run = await makeRunningPipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build', succeeded('Unknown', 'Running'))
    const long = `${'x'.repeat(70_000)}\n`.repeat(3)
    const pod = await makePod(
      world,
      task,
      { 'step-clone': 'cloned\n', 'step-build': long, 'step-quiet': '' },
      'Running',
    )
    await world.archive.idle()
    expect(await keptNames(podType)).toEqual([])
    await world.client.delete(podType, nameOf(pod), { namespace })
    await world.archive.idle()
    const read = (container: string) =>
      Buffer.concat([...(world.store.logs.read(uidOf(pod), container) ?? [])]).toString()
    expect([await keptNames(podType), world.store.logs.containers(uidOf(pod))]).toEqual([
      [nameOf(pod)],
      ['step-clone', 'step-build', 'step-quiet'],
    ])
    expect([read('step-clone'), read('step-build') === long, read('step-quiet')]).toEqual(['cloned\n', true, ''])
    expect(world.warnings).toEqual([])
  })

  it('are archived as far as received if they disappear as soon as the pod ends', async () => {
    await world.close()
    world = await startWorld({
      fail: ({ url }) =>
        url.includes('/log?') && !url.includes('follow=true')
          ? Response.json({ kind: 'Status', reason: 'NotFound', code: 404 }, { status: 404 })
          : undefined,
    })
    const run = await makePipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build')
    const pod = await makePod(world, task, { 'step-build': 'built\n' })
    await world.archive.idle()
    const text = Buffer.concat([...(world.store.logs.read(uidOf(pod), 'step-build') ?? [])]).toString()
    expect([text, await stored('run')]).toEqual(['built\n', 'true'])
  })

  it('are followed again from the start after a lost connection', async () => {
    await world.close()
    let isBroken = true
    world = await startWorld({
      fail: ({ url }) => (isBroken && url.includes('follow=true') ? new Response('', { status: 503 }) : undefined),
    })
    const run = await makeRunningPipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build', succeeded('Unknown', 'Running'))
    const pod = await makePod(world, task, { 'step-build': 'built\n' }, 'Running')
    await world.archive.idle()
    isBroken = false
    await world.clock.advance(10_000)
    await world.archive.idle()
    await world.client.delete(podType, nameOf(pod), { namespace })
    await world.archive.idle()
    expect(Buffer.concat([...(world.store.logs.read(uidOf(pod), 'step-build') ?? [])]).toString()).toBe('built\n')
  })

  it('leave no data for a pod that was deleted while the archive was down', async () => {
    const run = await makeRunningPipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build', succeeded('Unknown', 'Running'))
    const pod = await makePod(world, task, { 'step-build': 'x'.repeat(100_000) }, 'Running')
    await world.archive.idle()
    expect(world.store.logs.containers(uidOf(pod))).toEqual(['step-build'])
    await world.restart(async () => void (await world.client.delete(podType, nameOf(pod), { namespace })))
    expect(world.store.logs.containers(uidOf(pod))).toEqual([])
  })

  it('are read again later if the API server does not respond', async () => {
    await world.close()
    let isBroken = true
    world = await startWorld({
      fail: ({ url }) => (isBroken && url.includes('/log') ? new Response('', { status: 503 }) : undefined),
    })
    const run = await makePipelineRun(world, 'run')
    const pod = await makePod(world, await makeTaskRun(world, run, 'build'), { 'step-build': 'text' })
    await world.archive.idle()
    expect([world.store.logs.containers(uidOf(pod)), await stored('run')]).toEqual([[], undefined])
    isBroken = false
    await world.clock.advance(1_000)
    await world.archive.idle()
    expect([world.store.logs.containers(uidOf(pod)), await stored('run')]).toEqual([['step-build'], 'true'])
  })
})

describe('a run is annotated as stored', () => {
  it('with the names of its result and its record', async () => {
    const run = await makePipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build')
    await world.archive.idle()
    const told = await world.client.get(taskRunType, task.metadata.name ?? '', { namespace })
    expect(told.metadata.annotations).toMatchObject({
      'results.tekton.dev/result': `${namespace}/results/${uidOf(run)}`,
      'results.tekton.dev/record': `${namespace}/results/${uidOf(run)}/records/${uidOf(task)}`,
      'results.tekton.dev/stored': 'true',
    })
    expect(await stored('run')).toBe('true')
  })

  it('only once everything it owns is archived, including logs', async () => {
    const run = await makePipelineRun(world, 'run')
    const task = await makeTaskRun(world, run, 'build', succeeded('Unknown', 'Running'))
    await world.archive.idle()
    expect(await stored('run')).toBeUndefined()
    const pod = await makePod(world, task, { 'step-build': 'text' }, 'Running')
    await world.client.replaceStatus(taskRunType, { ...task, status: succeeded() } as typeof task)
    await world.archive.idle()
    expect(await stored('run')).toBeUndefined()
    await world.client.delete(podType, pod.metadata.name ?? '', { namespace })
    await world.archive.idle()
    expect(await stored('run')).toBe('true')
  })

  it('even if a pod that never started is still waiting, or a container that never started has no log', async () => {
    const run = await makePipelineRun(world, 'run')
    const owner = (task: TaskRun) => ({
      ownerReferences: [{ apiVersion: 'v1', kind: 'TaskRun', name: nameOf(task), uid: uidOf(task), controller: true }],
    })
    const never = await makeTaskRun(world, run, 'never', succeeded('False', 'TaskRunTimeout'))
    const metadata = { name: 'waits', namespace, labels: { [labels.taskRun]: nameOf(never) } }
    const spec = { containers: [{ name: 'step-a', image: 'x' }], restartPolicy: 'Never' as const }
    await world.client.create(podType, { metadata: { ...metadata, ...owner(never) }, spec })
    const half = await makeTaskRun(world, run, 'half')
    const pod = await world.client.create(podType, {
      metadata: { ...metadata, ...owner(half), name: 'half' },
      spec,
    })
    await world.client.replaceStatus(podType, { ...pod, status: { phase: 'Failed' } })
    await world.archive.idle()
    expect([await stored('run'), world.warnings]).toEqual(['true', []])
  })
})

describe('after a restart', () => {
  it('objects that finished or were deleted meanwhile are found', async () => {
    await makePipelineRun(world, 'before')
    const gone = await makePipelineRun(world, 'gone')
    await world.archive.idle()
    await world.restart(async () => {
      const run = await makePipelineRun(world, 'meanwhile')
      await makePod(world, await makeTaskRun(world, run, 'build'), { 'step-build': 'text' })
      await world.client.delete(pipelineRunType, 'gone', { namespace })
    })
    expect((await keptNames()).sort()).toEqual(['before', 'gone', 'meanwhile'])
    expect(world.store.get(uidOf(gone))).toMatchObject({ isDeleted: true })
    const pod = (await world.store.page({ types: [podType], limit: 1 })).items[0]
    expect(world.store.logs.containers(pod?.uid ?? '')).toEqual(['step-build'])
    expect(await stored('meanwhile')).toBe('true')
  })

  it('nothing is written or annotated a second time', async () => {
    const run = await makePipelineRun(world, 'run')
    await makePod(world, await makeTaskRun(world, run, 'build'), { 'step-build': 'text' })
    await world.archive.idle()
    const before = world.calls.length
    const updatedMs = world.store.get(uidOf(run))?.updatedMs
    await world.clock.advance(5_000)
    await world.restart()
    const since = world.calls.slice(before).filter((call) => call.startsWith('PATCH') || call.includes('/log'))
    expect([since, world.store.get(uidOf(run))?.updatedMs]).toEqual([[], updatedMs])
  })

  it('the file contains everything, and no other process can open it meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-archive-'))
    const path = join(folder, 'archive.db')
    await world.close()
    world = await startWorld({ path })
    await makePipelineRun(world, 'kept')
    await world.archive.idle()
    expect(() => openArchiveStore(path)).toThrow(/is open in another process/)
    await world.close()
    const store = openArchiveStore(path)
    const { items } = await store.page({ types: [pipelineRunType], limit: 10 })
    expect(items.map(({ name }) => name)).toEqual(['kept'])
    store.close()
    rmSync(folder, { recursive: true })
    world = await startWorld()
  })
})

it('requests only the metadata of a run that it annotates', async () => {
  await world.close()
  const accepted: (string | null)[] = []
  const listen = (request: Request) => {
    if (request.method === 'PATCH') accepted.push(request.headers.get('accept'))
    return undefined
  }
  world = await startWorld({ fail: listen })
  const run = await makePipelineRun(world, 'run')
  await world.archive.idle()
  expect(accepted).toEqual([expect.stringContaining('as=PartialObjectMetadata')])
  expect(world.store.named(uidOf(run))).toMatchObject({ name: 'run', isSettled: true })
  expect(JSON.parse(world.store.get(uidOf(run))?.json ?? '')).toMatchObject({
    metadata: { annotations: { 'results.tekton.dev/stored': 'true' } },
  })
})

it('works with only the permissions of its role', async () => {
  const run = await makePipelineRun(world, 'run')
  await makePod(world, await makeTaskRun(world, run, 'build'), { 'step-build': 'text' })
  await world.client.create(snapshotType, { metadata: { name: 'snapshot', namespace }, spec: {} })
  await world.archive.idle()
  expect(world.warnings).toEqual([])
  expect(namesOf((await world.client.list(snapshotType, { namespace })).items)).toEqual(await keptNames(snapshotType))
})
