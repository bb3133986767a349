import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { afterEach, describe, expect, it, test } from 'vitest'
import { aRun, aTask, counts, runName, startRun } from '../../test/runs'

const namespace = 'team-payments'
const minuteMs = 60_000
type StartedRun = Awaited<ReturnType<typeof startRun>>
let world: StartedRun['world']
let runs: StartedRun['runs']
let until: StartedRun['until']
afterEach(() => world.close())

async function start(...given: Parameters<typeof startRun>): Promise<string[]> {
  const started = await startRun(...given)
  world = started.world
  runs = started.runs
  until = started.until
  return started.seen
}

describe('a run fails at once', () => {
  const subject = `[User error] PipelineRun ${namespace}/${runName}`
  const pipeline = `[User error] Pipeline ${namespace}/${runName}`
  const noSpec = { pipelineSpec: undefined }
  test.each<[string, PipelineRun, string, string]>([
    [
      'if its pipeline does not exist',
      { ...aRun({ tasks: [] }), spec: { ...noSpec, pipelineRef: { name: 'none' } } },
      'CouldntGetPipeline',
      `Error retrieving pipeline for pipelinerun ${namespace}/${runName}: error when getting Pipeline for PipelineRun ` +
        `${runName}: tekton client cannot get pipeline none from local cluster: pipelines.tekton.dev "none" not found`,
    ],
    [
      'if params are missing',
      aRun({ tasks: [aTask('a')], params: [{ name: 'url' }, { name: 'x', default: '' }, { name: 'sha' }] }),
      'ParameterMissing',
      `${subject} is missing some parameters required by Pipeline ${namespace}/${runName}: ` +
        'pipelineRun missing parameters: [url sha]',
    ],
    [
      'if its tasks depend on each other in a cycle',
      aRun({ tasks: [aTask('z'), aTask('a', { runAfter: ['b'] }), aTask('b', { runAfter: ['a'] })] }),
      'PipelineInvalidGraph',
      `${subject}'s Pipeline DAG is invalid: cycle detected; task "a" depends on "b"`,
    ],
    [
      'if a task depends on a missing task',
      aRun({ tasks: [aTask('a', { runAfter: ['c'] })] }),
      'PipelineInvalidGraph',
      `${subject}'s Pipeline DAG is invalid: couldn't add link between a and c: ` +
        `task a depends on c but c wasn't present in Pipeline`,
    ],
    [
      'if it has no tasks',
      aRun({ tasks: [] }),
      'PipelineValidationFailed',
      `${pipeline} can't be Run; it has an invalid spec: expected at least one, got none: description, params, resources, tasks, workspaces`,
    ],
    [
      'if a task has neither a reference nor a spec',
      aRun({ tasks: [{ name: 'a' }] }),
      'PipelineValidationFailed',
      `${pipeline} can't be Run; it has an invalid spec: ` +
        'expected exactly one, got neither: tasks[0].taskRef, tasks[0].taskSpec',
    ],
    [
      'if a task has retries and onError: continue',
      aRun({ tasks: [aTask('a', { onError: 'continue', retries: 1 })] }),
      'PipelineValidationFailed',
      `${pipeline} can't be Run; it has an invalid spec: ` +
        'PipelineTask OnError cannot be set to "continue" when Retries is greater than 0: ',
    ],
  ])('%s', async (_, run, reason, message) => {
    await start(run)
    const { status } = await runs.run()
    expect(status?.conditions).toMatchObject([{ type: 'Succeeded', status: 'False', reason, message }])
    expect(status?.completionTime).toBe('2026-01-31T09:00:00Z')
    expect(await runs.taskRuns()).toEqual({})
  })
})

describe('a request to end a run', () => {
  type RequestedStatus = NonNullable<PipelineRun['spec']['status']>
  const pipeline = {
    tasks: [aTask('one'), aTask('two', { runAfter: ['one'] }), aTask('three', { runAfter: ['two'] })],
    finally: [aTask('last')],
  }
  const cancelled = `PipelineRun "${runName}" was cancelled`
  const moments = {
    'before its first task started': (state: Record<string, string>) => state.one !== undefined,
    'while its first task runs': (state: Record<string, string>) => state.one === 'Running',
    'while a later task runs': (state: Record<string, string>) => state.two === 'Running',
    'while finally runs': (state: Record<string, string>) => state.last === 'Running',
  }
  test.each<[RequestedStatus, keyof typeof moments, Record<string, string>, string, string]>([
    ['Cancelled', 'before its first task started', { one: 'TaskRunCancelled' }, cancelled, 'Cancelled'],
    ['Cancelled', 'while its first task runs', { one: 'TaskRunCancelled' }, cancelled, 'Cancelled'],
    ['Cancelled', 'while a later task runs', { one: 'Succeeded', two: 'TaskRunCancelled' }, cancelled, 'Cancelled'],
    [
      'Cancelled',
      'while finally runs',
      { one: 'Succeeded', two: 'Succeeded', three: 'Succeeded', last: 'TaskRunCancelled' },
      cancelled,
      'Cancelled',
    ],
    [
      'CancelledRunFinally',
      'while its first task runs',
      { one: 'TaskRunCancelled', last: 'Succeeded' },
      cancelled,
      'CancelledRunningFinally',
    ],
    [
      'CancelledRunFinally',
      'while a later task runs',
      { one: 'Succeeded', two: 'TaskRunCancelled', last: 'Succeeded' },
      cancelled,
      'CancelledRunningFinally',
    ],
    [
      'CancelledRunFinally',
      'while finally runs',
      { one: 'Succeeded', two: 'Succeeded', three: 'Succeeded', last: 'Succeeded' },
      cancelled,
      'CancelledRunningFinally',
    ],
    [
      'StoppedRunFinally',
      'before its first task started',
      { one: 'Succeeded', last: 'Succeeded' },
      cancelled,
      'StoppedRunningFinally',
    ],
    [
      'StoppedRunFinally',
      'while a later task runs',
      { one: 'Succeeded', two: 'Succeeded', last: 'Succeeded' },
      cancelled,
      'StoppedRunningFinally',
    ],
  ])('ends it as Cancelled: %s %s', async (status, moment, tasks, message, meanwhile) => {
    const seen = await start(aRun(pipeline))
    await until(moments[moment])
    await runs.setSpecStatus(status)
    await world.simulator.idle()
    expect(succeededCondition(await runs.run())?.reason).toBe(meanwhile)
    await world.advance(3 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'Cancelled', ...tasks })
    expect(seen.at(-1)).toBe(`${runName} False Cancelled ${message}`)
    expect((await runs.run()).status?.childReferences).toHaveLength(Object.keys(tasks).length)
  })

  it('with CancelledRunFinally reports the skipped tasks and why', async () => {
    await start(aRun(pipeline))
    await until(moments['while its first task runs'])
    await runs.setSpecStatus('CancelledRunFinally')
    await world.advance(3 * minuteMs)
    expect((await runs.taskRun('one')).spec.statusMessage).toBe(
      'TaskRun cancelled as the PipelineRun it belongs to has been cancelled.',
    )
    expect((await runs.run()).status?.skippedTasks).toEqual([
      { name: 'two', reason: 'PipelineRun was stopping' },
      { name: 'three', reason: 'PipelineRun was stopping' },
    ])
  })

  it('cancels the run if one of its tasks is cancelled', async () => {
    await start(aRun(pipeline))
    await until(moments['while its first task runs'])
    const cancel = [{ op: 'add' as const, path: '/spec/status', value: 'TaskRunCancelled' }]
    await world.client.patch(taskRunType, `${runName}-one`, cancel, { namespace })
    await world.advance(3 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'Cancelled', one: 'TaskRunCancelled', last: 'Succeeded' })
    expect(succeededCondition(await runs.run())?.message).toBe(counts(2, { cancelled: 1, skipped: 2 }))
  })

  it('cancels a pending run', async () => {
    await start(aRun(pipeline, { status: 'PipelineRunPending' }))
    await runs.setSpecStatus('Cancelled')
    await world.simulator.idle()
    expect(await runs.state()).toEqual({ run: 'Cancelled' })
  })
})

describe('a timeout', () => {
  const timedOut = 'TaskRun cancelled as the PipelineRun it belongs to has timed out.'
  const hanging = { build: 'timeout' }

  it('of the pipeline cancels all tasks', async () => {
    const pipeline = { tasks: [aTask('build'), aTask('scan', { runAfter: ['build'] })], finally: [aTask('last')] }
    const seen = await start(aRun(pipeline, { timeouts: { pipeline: '1m30s' } }, hanging))
    await world.advance(3 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'PipelineRunTimeout', build: 'TaskRunCancelled' })
    expect(seen.at(-1)).toBe(
      `${runName} False PipelineRunTimeout PipelineRun "${runName}" failed to finish within "1m30s"`,
    )
    expect((await runs.taskRun('build')).spec.statusMessage).toBe(timedOut)
    expect((await runs.run()).status?.completionTime).toBe('2026-01-31T09:01:30Z')
  })

  it('of the tasks starts finally and ends the run', async () => {
    const pipeline = { tasks: [aTask('build'), aTask('scan', { runAfter: ['build'] })], finally: [aTask('last')] }
    await start(aRun(pipeline, { timeouts: { pipeline: '10m', tasks: '1m' } }, hanging))
    await world.advance(3 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'PipelineRunTimeout', build: 'TaskRunCancelled', last: 'Succeeded' })
    expect((await runs.taskRun('last')).metadata.creationTimestamp).toBe('2026-01-31T09:01:00Z')
    expect(succeededCondition(await runs.run())?.message).toBe(
      `PipelineRun "${runName}" failed due to tasks failed to finish within "1m0s"`,
    )
  })

  it('of finally counts from the start of finally', async () => {
    const pipeline = { tasks: [aTask('build')], finally: [aTask('last')] }
    await start(aRun(pipeline, { timeouts: { pipeline: '1h', finally: '30s' } }, { last: 'timeout' }))
    await until(({ last }) => last === 'Running')
    await world.advance(3 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'Failed', build: 'Succeeded', last: 'TaskRunCancelled' })
    const { finallyStartTime = '', completionTime = '' } = (await runs.run()).status ?? {}
    expect(Date.parse(completionTime) - Date.parse(finallyStartTime)).toBe(30_000)
  })

  it('of a task ends that task and deletes its pod', async () => {
    await start(aRun({ tasks: [aTask('build', { timeout: '1m' })] }, {}, hanging))
    await world.advance(3 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'Failed', build: 'TaskRunTimeout' })
    const { status } = await runs.taskRun('build')
    expect(status).toMatchObject({
      completionTime: '2026-01-31T09:01:00Z',
      conditions: [{ message: `TaskRun "${runName}-build" failed to finish within "1m0s"` }],
      steps: [{ terminated: { exitCode: 1, reason: 'TaskRunTimeout', finishedAt: '2026-01-31T09:01:00Z' } }],
    })
    expect(await runs.pods()).toEqual([])
  })
})

describe('a failed task', () => {
  it('is retried as often as allowed, and its status lists every attempt', async () => {
    await start(aRun({ tasks: [aTask('build', { retries: 2 })] }, {}, { build: 'fail' }))
    await world.advance(10 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'Failed', build: 'StepFailed' })
    const { status } = await runs.taskRun('build')
    expect(status?.retriesStatus?.map((each) => [each?.podName, each?.conditions?.[0]?.reason])).toEqual([
      [`${runName}-build-pod`, 'StepFailed'],
      [`${runName}-build-pod-retry1`, 'StepFailed'],
    ])
    expect(status?.podName).toBe(`${runName}-build-pod-retry2`)
    expect(await runs.pods()).toHaveLength(3)
  })

  it('is retried until it succeeds', async () => {
    await start(aRun({ tasks: [aTask('build', { retries: 2 })] }, {}, { build: 'flaky' }))
    await world.advance(10 * minuteMs)
    expect(await runs.state()).toEqual({ run: 'Succeeded', build: 'Succeeded' })
    expect((await runs.taskRun('build')).status?.retriesStatus).toHaveLength(1)
  })

  it('is not retried after it was cancelled', async () => {
    await start(aRun({ tasks: [aTask('build', { retries: 2 })] }, {}, { build: 'slow' }))
    await until(({ build }) => build === 'Running')
    await runs.setSpecStatus('Cancelled')
    await world.advance(minuteMs)
    expect(await runs.state()).toEqual({ run: 'Cancelled', build: 'TaskRunCancelled' })
    expect((await runs.taskRun('build')).status).not.toHaveProperty('retriesStatus')
  })
})

it('a run starts no tasks after a failure except those of finally', async () => {
  const pipeline = {
    tasks: [aTask('clone'), aTask('build', { runAfter: ['clone'] }), aTask('scan', { runAfter: ['build'] })],
    finally: [aTask('last', { params: [{ name: 'status', value: '$(tasks.status) $(tasks.build.status)' }] })],
  }
  const seen = await start(aRun(pipeline, {}, { build: 'fail' }))
  await world.advance(5 * minuteMs)
  expect(await runs.state()).toEqual({ run: 'Failed', clone: 'Succeeded', build: 'StepFailed', last: 'Succeeded' })
  expect(seen.at(-1)).toBe(`${runName} False Failed ${counts(3, { failed: 1, skipped: 1 })}`)
  expect((await runs.run()).status?.skippedTasks).toEqual([{ name: 'scan', reason: 'PipelineRun was stopping' }])
  expect((await runs.taskRun('last')).spec.params?.[0]?.value).toBe('Failed Failed')
})

test.each<[outcome: string, task: string, step: object | undefined, pod: string | undefined]>([
  ['fail', 'StepFailed', { exitCode: 1, reason: 'Error' }, 'Failed'],
  ['oom', 'StepOOM', { exitCode: 137, reason: 'OOMKilled' }, 'Failed'],
  ['image-pull', 'TaskRunImagePullFailed', undefined, undefined],
  ['config-error', 'CreateContainerConfigError', undefined, undefined],
  ['timeout', 'TaskRunTimeout', { exitCode: 1, reason: 'TaskRunTimeout' }, undefined],
  ['quota', 'TaskRunTimeout', undefined, undefined],
  ['unschedulable', 'TaskRunTimeout', undefined, undefined],
])('a task with the outcome %s ends as %s', async (outcome, reason, step, podPhase) => {
  await start(aRun({ tasks: [aTask('build', { timeout: '2m' })] }, {}, { build: outcome }))
  await world.advance(3 * minuteMs)
  expect(await runs.state()).toEqual({ run: 'Failed', build: reason })
  const { status } = await runs.taskRun('build')
  if (step) expect(status?.steps?.[0]?.terminated).toMatchObject(step)
  expect((await runs.pods()).map((pod) => pod.status?.phase)).toEqual(podPhase ? [podPhase] : [])
})
