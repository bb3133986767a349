import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import type { PipelineSpec, PipelineTask, RunResult, WhenExpression } from '@slipway/model/runs/tekton'
import { aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { progressOf, resolvedPipelineSpec } from './dag'
import { skipReasons } from './pipeline-nodes'
import type { TimedOut } from './run-timeouts'

type End = 'succeeded' | 'failed' | 'cancelled' | 'timed out' | 'running'

const task = (name: string, rest: Partial<PipelineTask> = {}): PipelineTask => ({
  name,
  taskRef: { name: `do-${name}` },
  ...rest,
})
const needs = (reference: string) => ({ params: [{ name: 'IN', value: `$(tasks.${reference})` }] })
const only = (input: string, ...values: string[]): { when: WhenExpression[] } => ({
  when: [{ input, operator: 'in', values }],
})

const endings: Record<End, ['True' | 'False' | 'Unknown', string]> = {
  succeeded: ['True', 'Succeeded'],
  failed: ['False', 'Failed'],
  cancelled: ['False', 'TaskRunCancelled'],
  'timed out': ['False', 'TaskRunTimeout'],
  running: ['Unknown', 'Running'],
}

/** @param ends keys are names of tasks, or `{task}/{number}` for a combination of a matrix */
function taskRunsOf(ends: Record<string, End>, results: Record<string, RunResult[]>): TaskRun[] {
  return Object.entries(ends).map(([key, end]) => {
    const [name = ''] = key.split('/')
    const [status, reason] = endings[end]
    return aTaskRun({
      metadata: { name: `run-${key.replace('/', '-')}`, labels: { [labels.pipelineTask]: name } },
      status: {
        conditions: [{ type: 'Succeeded', status, reason, message: '', lastTransitionTime: '' }],
        results: results[key] ?? [],
      },
    })
  })
}

interface Situation {
  spec: PipelineSpec
  ends?: Record<string, End>
  results?: Record<string, RunResult[]>
  requested?: PipelineRun['spec']['status']
  timedOut?: TimedOut
  params?: PipelineRun['spec']['params']
}

function progress({ spec, ends = {}, results = {}, requested, timedOut, params }: Situation) {
  const run = aPipelineRun({ metadata: { name: 'run' }, spec: { status: requested, params } })
  return progressOf(run, resolvedPipelineSpec(run, spec), taskRunsOf(ends, results), timedOut)
}
const shown = (situation: Situation) => {
  const { start, skippedTasks, condition } = progress(situation)
  return {
    start: start.map(({ task: { name }, combination }) => name + (combination === undefined ? '' : `/${combination}`)),
    skipped: Object.fromEntries(skippedTasks.map(({ name, reason }) => [name, reason])),
    condition: `${condition.status} ${condition.reason}`,
  }
}

const result = (name: string, value: string): RunResult => ({ name, type: 'string', value })
const chain: PipelineSpec = { tasks: [task('a'), task('b', { runAfter: ['a'] }), task('c', { runAfter: ['b'] })] }
const withFinally: PipelineSpec = { ...chain, finally: [task('z')] }

it.each<[string, Situation, string[], Record<string, string>, string]>([
  ['tasks without dependencies', { spec: chain }, ['a'], {}, 'Unknown Running'],
  ['nothing while the previous task runs', { spec: chain, ends: { a: 'running' } }, [], {}, 'Unknown Running'],
  ['the next task by runAfter', { spec: chain, ends: { a: 'succeeded' } }, ['b'], {}, 'Unknown Running'],
  [
    'a task that needs a result once it exists',
    {
      spec: { tasks: [task('a'), task('b', needs('a.results.URL'))] },
      ends: { a: 'succeeded' },
      results: { a: [result('URL', 'u')] },
    },
    ['b'],
    {},
    'Unknown Running',
  ],
  [
    'no task that needs a result that does not exist yet',
    { spec: { tasks: [task('a'), task('b', needs('a.results.URL'))] }, ends: { a: 'running' } },
    [],
    {},
    'Unknown Running',
  ],
  [
    'no task whose when expression is false, but the task after it',
    { spec: { tasks: [task('a', only('x', 'y')), task('b', { runAfter: ['a'] })] } },
    ['b'],
    { a: skipReasons.when },
    'Unknown Running',
  ],
  [
    'no task that needs a result of a skipped task, and none after that',
    {
      spec: {
        tasks: [
          task('a', only('x', 'y')),
          task('b', needs('a.results.URL')),
          task('c', { runAfter: ['b'] }),
          task('d'),
        ],
      },
    },
    ['d'],
    { a: skipReasons.when, b: skipReasons.results, c: skipReasons.parents },
    'Unknown Running',
  ],
  [
    'a task whose when expression on a result is true',
    {
      spec: { tasks: [task('a'), task('b', only('$(tasks.a.results.STATUS)', 'success'))] },
      ends: { a: 'succeeded' },
      results: { a: [result('STATUS', 'success')] },
    },
    ['b'],
    {},
    'Unknown Running',
  ],
  [
    'no task whose when expression on a result is false',
    {
      spec: { tasks: [task('a'), task('b', only('$(tasks.a.results.STATUS)', 'success'))] },
      ends: { a: 'succeeded' },
      results: { a: [result('STATUS', 'failed')] },
    },
    [],
    { b: skipReasons.when },
    'True Completed',
  ],
  [
    'a task whose when expression with notin is true',
    {
      spec: {
        params: [{ name: 'skip', default: 'false' }],
        tasks: [task('a', { when: [{ input: '$(params.skip)', operator: 'notin', values: ['true'] }] })],
      },
    },
    ['a'],
    {},
    'Unknown Running',
  ],
  [
    'nothing after a failure while other tasks finish',
    { spec: { tasks: [task('a'), task('b'), task('c', { runAfter: ['b'] })] }, ends: { a: 'failed', b: 'running' } },
    [],
    { c: skipReasons.stopping },
    'Unknown PipelineRunStopping',
  ],
  [
    'finally after a failure',
    { spec: withFinally, ends: { a: 'failed' } },
    ['z'],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'Unknown Running',
  ],
  [
    'nothing after finally',
    { spec: withFinally, ends: { a: 'failed', z: 'succeeded' } },
    [],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'False Failed',
  ],
  [
    'finally after all tasks have succeeded',
    { spec: withFinally, ends: { a: 'succeeded', b: 'succeeded', c: 'succeeded' } },
    ['z'],
    {},
    'Unknown Running',
  ],
  [
    'nothing after a failure in finally, which fails the run',
    { spec: withFinally, ends: { a: 'succeeded', b: 'succeeded', c: 'succeeded', z: 'failed' } },
    [],
    {},
    'False Failed',
  ],
  [
    'tasks of finally depending on the status of tasks',
    {
      spec: {
        tasks: [task('a')],
        finally: [task('y', only('$(tasks.status)', 'Failed')), task('z', only('$(tasks.a.status)', 'Succeeded'))],
      },
      ends: { a: 'succeeded' },
    },
    ['z'],
    { y: skipReasons.when },
    'Unknown Running',
  ],
  [
    'no task of finally that needs a missing result',
    { spec: { tasks: [task('a')], finally: [task('z', needs('a.results.URL'))] }, ends: { a: 'failed' } },
    [],
    { z: skipReasons.results },
    'False Failed',
  ],
  [
    'nothing after a task timed out, which fails the run',
    { spec: chain, ends: { a: 'timed out' } },
    [],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'False Failed',
  ],
  [
    'nothing after a task was cancelled, which cancels the run',
    { spec: chain, ends: { a: 'cancelled' } },
    [],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'False Cancelled',
  ],
  ['nothing of a pending run', { spec: chain, requested: 'PipelineRunPending' }, [], {}, 'Unknown PipelineRunPending'],
  [
    'nothing of a cancelled run',
    { spec: withFinally, ends: { a: 'running' }, requested: 'Cancelled' },
    [],
    {},
    'False Cancelled',
  ],
  [
    'nothing of a stopped run while a task runs',
    { spec: withFinally, ends: { a: 'running' }, requested: 'StoppedRunFinally' },
    [],
    { b: skipReasons.stopped, c: skipReasons.stopped },
    'Unknown StoppedRunningFinally',
  ],
  [
    'finally of a stopped run',
    { spec: withFinally, ends: { a: 'succeeded' }, requested: 'StoppedRunFinally' },
    ['z'],
    { b: skipReasons.stopped, c: skipReasons.stopped },
    'Unknown StoppedRunningFinally',
  ],
  [
    'nothing after finally of a stopped run',
    { spec: withFinally, ends: { a: 'succeeded', z: 'succeeded' }, requested: 'StoppedRunFinally' },
    [],
    { b: skipReasons.stopped, c: skipReasons.stopped },
    'False Cancelled',
  ],
  [
    'finally of a gracefully cancelled run',
    { spec: withFinally, ends: { a: 'cancelled' }, requested: 'CancelledRunFinally' },
    ['z'],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'Unknown CancelledRunningFinally',
  ],
  [
    'nothing of a run that timed out',
    { spec: withFinally, ends: { a: 'running' }, timedOut: 'pipeline' },
    [],
    {},
    'False PipelineRunTimeout',
  ],
  [
    'finally after the timeout of the tasks',
    { spec: withFinally, ends: { a: 'succeeded' }, timedOut: 'tasks' },
    ['z'],
    { b: skipReasons.tasksTimeout, c: skipReasons.parents },
    'Unknown PipelineRunTimeoutRunningFinally',
  ],
  [
    'nothing after the timeout of finally',
    { spec: withFinally, ends: { a: 'succeeded', b: 'succeeded', c: 'succeeded' }, timedOut: 'finally' },
    [],
    { z: skipReasons.finallyTimeout },
    'False Failed',
  ],
  [
    'each combination of a matrix',
    { spec: { tasks: [task('a', { matrix: { params: [{ name: 'P', value: ['x', 'y'] }] } })] } },
    ['a/0', 'a/1'],
    {},
    'Unknown Running',
  ],
  [
    'a task after a matrix only when all combinations have finished',
    {
      spec: {
        tasks: [task('a', { matrix: { params: [{ name: 'P', value: ['x', 'y'] }] } }), task('b', { runAfter: ['a'] })],
      },
      ends: { 'a/0': 'succeeded', 'a/1': 'running' },
    },
    [],
    {},
    'Unknown Running',
  ],
  [
    'no matrix with an empty array',
    {
      spec: {
        params: [{ name: 'platforms', type: 'array', default: [] }],
        tasks: [task('a', { matrix: { params: [{ name: 'P', value: ['$(params.platforms[*])'] }] } }), task('b')],
      },
    },
    ['b'],
    { a: skipReasons.emptyMatrix },
    'Unknown Running',
  ],
  [
    'nothing if a successful task did not write a required result',
    { spec: { tasks: [task('a'), task('b', needs('a.results.URL'))] }, ends: { a: 'succeeded' } },
    [],
    {},
    'False InvalidTaskResultReference',
  ],
  [
    'nothing in a cycle, without hanging',
    { spec: { tasks: [task('a', { runAfter: ['b'] }), task('b', { runAfter: ['a'] })] } },
    [],
    {},
    'Unknown Running',
  ],
])('starts %s', (_, situation, start, skipped, condition) =>
  expect(shown(situation)).toEqual({ start, skipped, condition }),
)

it('counts tasks in the format of Tekton', () => {
  const ends: Record<string, End> = { a: 'succeeded', b: 'failed' }
  expect(progress({ spec: withFinally, ends }).condition.message).toBe(
    'Tasks Completed: 2 (Failed: 1, Cancelled 0), Incomplete: 1, Skipped: 1',
  )
  expect(progress({ spec: withFinally, ends: { ...ends, z: 'succeeded' } }).condition.message).toBe(
    'Tasks Completed: 3 (Failed: 1, Cancelled 0), Skipped: 1',
  )
  expect(progress({ spec: chain, requested: 'Cancelled' }).condition.message).toBe('PipelineRun "run" was cancelled')
})

it('cancels running tasks when the run is cancelled or times out', () => {
  const cancelled = (situation: Partial<Situation>) =>
    progress({ spec: withFinally, ends: { a: 'running' }, ...situation }).cancel.map(({ metadata }) => metadata.name)
  expect(cancelled({})).toEqual([])
  expect(cancelled({ requested: 'StoppedRunFinally' })).toEqual([])
  expect(cancelled({ requested: 'Cancelled' })).toEqual(['run-a'])
  expect(cancelled({ requested: 'CancelledRunFinally' })).toEqual(['run-a'])
  expect(cancelled({ timedOut: 'tasks' })).toEqual(['run-a'])
  expect(cancelled({ timedOut: 'pipeline' })).toEqual(['run-a'])
  const last: Record<string, End> = { a: 'succeeded', b: 'succeeded', c: 'succeeded', z: 'running' }
  expect(cancelled({ requested: 'CancelledRunFinally', ends: last })).toEqual([])
})

it('passes params and results on, and joins those of a matrix', () => {
  const spec: PipelineSpec = {
    params: [
      { name: 'platforms', type: 'array', default: ['linux/amd64'] },
      { name: 'id', default: 'pr/$(context.pipelineRun.name)' },
    ],
    tasks: [
      task('build', {
        matrix: { params: [{ name: 'PLATFORM', value: ['$(params.platforms[*])'] }] },
        params: [{ name: 'ID', value: '$(params.id)' }],
      }),
      task('index', { params: [{ name: 'IMAGES', value: ['$(tasks.build.results.REF[*])'] }] }),
    ],
    results: [
      { name: 'IMAGES', value: '$(tasks.build.results.REF[*])' },
      { name: 'MISSING', value: '$(tasks.index.results.NONE)' },
    ],
  }
  const params = [{ name: 'platforms', value: ['linux/arm64', 'linux/s390x'] }]
  expect(progress({ spec, params }).start.map((each) => each.params)).toEqual([
    [
      { name: 'ID', value: 'pr/run' },
      { name: 'PLATFORM', value: 'linux/arm64' },
    ],
    [
      { name: 'ID', value: 'pr/run' },
      { name: 'PLATFORM', value: 'linux/s390x' },
    ],
  ])
  const results = { 'build/0': [result('REF', 'one')], 'build/1': [result('REF', 'two')] }
  const ends: Record<string, End> = { 'build/0': 'succeeded', 'build/1': 'succeeded' }
  const next = progress({ spec, params, ends, results })
  expect(next.start.map((each) => each.params)).toEqual([[{ name: 'IMAGES', value: ['one', 'two'] }]])
  const done = progress({ spec, params, ends: { ...ends, index: 'succeeded' }, results })
  expect(done.results).toEqual([{ name: 'IMAGES', value: ['one', 'two'] }])
  expect(done.childReferences.map(({ name, pipelineTaskName }) => [name, pipelineTaskName])).toEqual([
    ['run-build-0', 'build'],
    ['run-build-1', 'build'],
    ['run-index', 'index'],
  ])
})

it('reports when expressions with substituted values', () => {
  const spec: PipelineSpec = {
    tasks: [task('a'), task('b', only('$(tasks.a.results.STATUS)', 'success'))],
  }
  const { skippedTasks } = progress({ spec, ends: { a: 'succeeded' }, results: { a: [result('STATUS', 'failed')] } })
  expect(skippedTasks).toEqual([
    {
      name: 'b',
      reason: 'When Expressions evaluated to false',
      whenExpressions: [{ input: 'failed', operator: 'in', values: ['success'] }],
    },
  ])
})
