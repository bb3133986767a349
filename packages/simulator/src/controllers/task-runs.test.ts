import { eventType, namespaceType, podType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { aNamespace, aTaskRun } from '@slipway/model/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aRun, aTask, runName, runsIn } from '../../test/runs'
import { startWorld, type World } from '../../test/world'
import { pipelineRuns } from './pipeline-runs'
import { taskRuns } from './task-runs'

const namespace = 'team-payments'
const minuteMs = 60_000
const name = `${runName}-build`
const podName = `${name}-pod`
let world: World
let runs: ReturnType<typeof runsIn>
afterEach(() => world.close())

const echoes = (step: string) => Array.from({ length: 20 }, (_, index) => `echo ${step} ${index}`).join('\n')

type Respond = (request: Request) => Response | undefined

/** A run with one task, `build`, of two steps. */
async function start(outcome = 'success', steps = ['compile', 'push'], respond?: Respond) {
  const objects: [ResourceType, KubeObject][] = [[namespaceType, aNamespace()]]
  world = await startWorld({ controllers: [pipelineRuns, taskRuns], objects, respond })
  runs = runsIn(world)
  const image = 'registry.slipway.test/tools/make:1'
  const taskSpec = { steps: steps.map((step) => ({ name: step, image, script: echoes(step) })) }
  await world.client.create(pipelineRunType, aRun({ tasks: [aTask('build', { taskSpec })] }, {}, { build: outcome }))
  await world.simulator.idle()
}

const pod = () => world.client.get(podType, podName, { namespace })
const taskRun = () => runs.taskRun('build')
const states = async () =>
  (await pod()).status?.containerStatuses?.map(({ state }) => Object.keys(state ?? {})[0]).join(' ')

async function until(isReached: (taskRun: TaskRun) => boolean | Promise<boolean>) {
  for (let seconds = 0; !(await isReached(await taskRun())); seconds++) {
    if (seconds > 600) expect.fail('the state was not reached within ten minutes')
    await world.advance(1_000)
  }
}
const untilDone = () => until(isFinished)
const untilRunning = () => until(async () => (await states()) === 'running waiting')

const eventsOf = async (object: string) => {
  const { items } = await world.client.list(eventType, { namespace, fields: { 'involvedObject.name': object } })
  return items.map(({ reason = '', message = '' }) => `${reason}: ${message}`)
}

it('runs in a pod with a container for each step', async () => {
  await start()
  const created = await pod()
  expect(created.metadata.labels).toMatchObject({
    [labels.taskRun]: name,
    [labels.taskRunUid]: (await taskRun()).metadata.uid,
    [labels.pipelineTask]: 'build',
    [labels.application]: 'checkout',
  })
  expect(created.metadata.ownerReferences).toMatchObject([{ kind: 'TaskRun', name, controller: true }])
  expect(created.spec).toMatchObject({
    initContainers: [{ name: 'prepare' }, { name: 'place-scripts' }],
    containers: [{ name: 'step-compile', image: 'registry.slipway.test/tools/make:1' }, { name: 'step-push' }],
    restartPolicy: 'Never',
    serviceAccountName: 'build-pipeline-checkout-api',
    schedulerName: 'slipway-simulator',
  })
})

it('goes through its steps in its status and in the pod', async () => {
  await start()
  const seen: unknown[] = []
  await until(async (task) => {
    const now = [(await pod()).status?.phase, await states(), succeededCondition(task)?.reason]
    if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now)
    return isFinished(task)
  })
  expect(seen).toEqual([
    ['Pending', 'waiting waiting', 'Pending'],
    ['Running', 'running waiting', 'Running'],
    ['Running', 'terminated running', 'Running'],
    ['Succeeded', 'terminated terminated', 'Succeeded'],
  ])
})

it('records the events of the pod', async () => {
  await start()
  await untilDone()
  const image = 'registry.slipway.test/tools/make:1'
  expect((await eventsOf(podName)).sort()).toEqual([
    'Created: Created container: step-compile',
    'Created: Created container: step-push',
    `Pulled: Container image "${image}" already present on machine`,
    expect.stringMatching(`^Scheduled: Successfully assigned ${namespace}/${podName} to \\S+\\.internal$`),
    'Started: Started container step-compile',
    'Started: Started container step-push',
  ])
  expect((await eventsOf(name)).map((event) => event.split(':')[0])).toEqual(
    expect.arrayContaining(['Started', 'Pending', 'Running', 'Succeeded']),
  )
})

it.each([
  ['unschedulable', 'FailedScheduling', podName],
  ['image-pull', 'BackOff', podName],
  ['quota', 'FailedCreate', name],
])('with the outcome %s, records an event why the pod does not run', async (outcome, reason, about) => {
  await start(outcome)
  await world.advance(10_000)
  expect((await eventsOf(about)).map((event) => event.split(':')[0])).toContain(reason)
})

const rejection = (code: number, message: string): Response =>
  Response.json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code }, { status: code })
const isPost = ({ method, url }: Request, path: RegExp) => method === 'POST' && path.test(new URL(url).pathname)

it('runs without logs in a cluster that does not store them, after one attempt', async () => {
  let rejectedCount = 0
  await start('success', ['compile', 'push'], (request) => {
    if (!isPost(request, /\/pods\/[^/]+\/log$/)) return undefined
    rejectedCount++
    return rejection(405, 'the server does not allow this method on the requested resource')
  })
  await untilDone()
  expect(succeededCondition(await taskRun())).toMatchObject({ status: 'True' })
  expect((await pod()).status?.phase).toBe('Succeeded')
  expect(rejectedCount).toBe(1)
})

it('fails at once when the cluster has no such service account', async () => {
  await start('success', ['compile'], (request) =>
    isPost(request, /\/pods$/)
      ? rejection(403, `pods "${podName}" is forbidden: error looking up service account ${namespace}/build: not found`)
      : undefined,
  )
  await untilDone()
  expect(succeededCondition(await taskRun())).toMatchObject({
    status: 'False',
    reason: 'PodCreationFailed',
    message: expect.stringContaining('serviceaccounts "build-pipeline-checkout-api" not found'),
  })
})

describe('the log of a step', () => {
  const log = async (container = 'step-compile') => runs.log(podName, container)

  it('grows while it runs, each line with its time', async () => {
    await start()
    await untilRunning()
    const lengths = new Set<number>()
    await until(async () => {
      lengths.add((await log()).length)
      return (await states()) !== 'running waiting'
    })
    expect(lengths.size).toBeGreaterThan(2)
    const times = (await runs.log(podName, 'step-compile', true))
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 30))
    expect(times).toEqual([...times].sort())
    const { startedAt = '', finishedAt = '' } = (await taskRun()).status?.steps?.[0]?.terminated ?? {}
    expect(times.every((time) => time.slice(0, 19) >= startedAt.slice(0, 19))).toBe(true)
    expect(times.every((time) => time.slice(0, 19) <= finishedAt.slice(0, 19))).toBe(true)
  })

  it('is complete for a client that follows it', async () => {
    await start()
    await untilRunning()
    const path = resourcePath(podType, { namespace, name: podName, subresource: 'log' })
    const followed = world.client.text(`${path}?container=step-compile&follow=true`)
    await untilDone()
    const whole = await log()
    expect(whole.split('\n').length).toBeGreaterThan(3)
    expect(await followed).toBe(whole)
  })

  it.each([
    ['before its first step', () => Promise.resolve()],
    ['in the middle of a step', untilRunning],
  ])('is complete if the simulator was suspended %s', async (_, untilThen) => {
    await start()
    await untilDone()
    const whole = [await log(), await log('step-push')]
    await world.close()
    await start()
    await untilThen()
    world.clock.jump(5 * minuteMs)
    await world.advance(0)
    expect(isFinished(await taskRun())).toBe(true)
    expect([await log(), await log('step-push')]).toEqual(whole)
  })

  it('continues where it ended after a restart', async () => {
    await start()
    await untilDone()
    const whole = await log()
    await world.close()
    await start()
    await untilRunning()
    await world.advance(3_000)
    expect((await log()).length).toBeGreaterThan(0)
    await world.restart()
    await untilDone()
    expect(await log()).toBe(whole)
  })

  it('takes few requests even with 50,000 lines', async () => {
    await start('long-log', ['compile'])
    const send = vi.spyOn(world.server, 'fetch')
    await untilDone()
    const writes = send.mock.calls.filter(([{ method, url }]) => method === 'POST' && url.includes('/log'))
    expect((await log()).trimEnd().split('\n').length).toBeGreaterThanOrEqual(50_000)
    expect(writes.length).toBeLessThan(500)
  })
})

describe('a cancelled task run', () => {
  it('stops while its pod runs and keeps its log', async () => {
    await start()
    await untilRunning()
    await world.advance(3_000)
    await runs.setSpecStatus('Cancelled')
    await world.simulator.idle()
    const { status } = await taskRun()
    expect(succeededCondition({ metadata: {}, status })).toMatchObject({
      status: 'False',
      reason: 'TaskRunCancelled',
      message: `TaskRun "${name}" was cancelled. TaskRun cancelled as the PipelineRun it belongs to has been cancelled.`,
    })
    expect(status?.steps?.map(({ terminated }) => [terminated?.exitCode, terminated?.reason])).toEqual([
      [1, 'TaskRunCancelled'],
      [1, 'TaskRunCancelled'],
    ])
    expect([(await pod()).status?.phase, await states()]).toEqual(['Failed', 'terminated terminated'])
    expect(await eventsOf(podName)).toContain('Killing: Stopping container step-compile')
    const log = await runs.log(podName, 'step-compile')
    expect(log.length).toBeGreaterThan(0)
    await world.advance(5 * minuteMs)
    expect(await runs.log(podName, 'step-compile')).toBe(log)
  })

  it('deletes its pod if that is not running yet', async () => {
    await start()
    await runs.setSpecStatus('Cancelled')
    await world.simulator.idle()
    expect(await runs.pods()).toEqual([])
    await world.advance(minuteMs)
    expect([await runs.pods(), (await runs.state()).build]).toEqual([[], 'TaskRunCancelled'])
  })
})

it('gets a new pod when its pod is deleted', async () => {
  await start()
  await untilRunning()
  const before = (await pod()).metadata.uid
  await world.client.delete(podType, podName, { namespace })
  await world.simulator.idle()
  expect((await pod()).metadata.uid).not.toBe(before)
  await untilDone()
  expect((await runs.state()).build).toBe('Succeeded')
})

it('runs without a pipeline, and rejects a task without steps', async () => {
  await start()
  await world.client.create(taskRunType, aTaskRun({ metadata: { name: 'alone', labels: undefined } }))
  await world.client.create(taskRunType, aTaskRun({ metadata: { name: 'empty' }, spec: { taskSpec: { steps: [] } } }))
  await world.advance(3 * minuteMs)
  const reasonOf = async (task: string) =>
    succeededCondition(await world.client.get(taskRunType, task, { namespace }))?.reason
  expect([await reasonOf('alone'), await reasonOf('empty')]).toEqual(['Succeeded', 'TaskRunValidationFailed'])
})

it('causes no writes after it has finished', async () => {
  await start()
  await world.advance(5 * minuteMs)
  const send = vi.spyOn(world.server, 'fetch')
  await world.advance(120 * minuteMs)
  // Watches end and are opened again, so ignore GET requests.
  expect(send.mock.calls.map(([{ method }]) => method).filter((method) => method !== 'GET')).toEqual([])
})
