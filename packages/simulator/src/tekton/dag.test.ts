import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import type { PipelineSpec, PipelineTask, RunResult, WhenExpression } from '@slipway/model/runs/tekton'
import { aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { progressOf, resolvedPipelineSpec, type TimedOut } from './dag'
import { skipReasons } from './pipeline-nodes'

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

/** @param ends by the name of the task, or `{task}/{number}` for a combination of a matrix */
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
  asked?: PipelineRun['spec']['status']
  timedOut?: TimedOut
  params?: PipelineRun['spec']['params']
}

function progress({ spec, ends = {}, results = {}, asked, timedOut, params }: Situation) {
  const run = aPipelineRun({ metadata: { name: 'run' }, spec: { status: asked, params } })
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
  ['what waits for nothing', { spec: chain }, ['a'], {}, 'Unknown Running'],
  ['nothing while the one before runs', { spec: chain, ends: { a: 'running' } }, [], {}, 'Unknown Running'],
  ['the next by runAfter', { spec: chain, ends: { a: 'succeeded' } }, ['b'], {}, 'Unknown Running'],
  [
    'what needs a result once that is there',
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
    'not what needs a result that is still to come',
    { spec: { tasks: [task('a'), task('b', needs('a.results.URL'))] }, ends: { a: 'running' } },
    [],
    {},
    'Unknown Running',
  ],
  [
    'not what its condition excludes, but what comes after it',
    { spec: { tasks: [task('a', only('x', 'y')), task('b', { runAfter: ['a'] })] } },
    ['b'],
    { a: skipReasons.when },
    'Unknown Running',
  ],
  [
    'nothing that needs a result of a task that was skipped, nor what comes after that',
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
    'what a result of another task lets through',
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
    'not what a result of another task excludes',
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
    'what a param lets through by notin',
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
    'nothing new when a task has failed, while others end',
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
    'nothing more when finally is over',
    { spec: withFinally, ends: { a: 'failed', z: 'succeeded' } },
    [],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'False Failed',
  ],
  [
    'finally when all else has succeeded',
    { spec: withFinally, ends: { a: 'succeeded', b: 'succeeded', c: 'succeeded' } },
    ['z'],
    {},
    'Unknown Running',
  ],
  [
    'a failure of finally is one of the run',
    { spec: withFinally, ends: { a: 'succeeded', b: 'succeeded', c: 'succeeded', z: 'failed' } },
    [],
    {},
    'False Failed',
  ],
  [
    'finally by the state of the tasks',
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
    'not what needs results in finally that never came',
    { spec: { tasks: [task('a')], finally: [task('z', needs('a.results.URL'))] }, ends: { a: 'failed' } },
    [],
    { z: skipReasons.results },
    'False Failed',
  ],
  [
    'a task that timed out fails the run',
    { spec: chain, ends: { a: 'timed out' } },
    [],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'False Failed',
  ],
  [
    'a task that somebody cancelled cancels the run',
    { spec: chain, ends: { a: 'cancelled' } },
    [],
    { b: skipReasons.stopping, c: skipReasons.stopping },
    'False Cancelled',
  ],
  [
    'nothing of a run that must wait',
    { spec: chain, asked: 'PipelineRunPending' },
    [],
    {},
    'Unknown PipelineRunPending',
  ],
  [
    'nothing of a run that is cancelled',
    { spec: withFinally, ends: { a: 'running' }, asked: 'Cancelled' },
    [],
    {},
    'False Cancelled',
  ],
  [
    'nothing but finally of a run that is stopped, after what runs',
    { spec: withFinally, ends: { a: 'running' }, asked: 'StoppedRunFinally' },
    [],
    { b: skipReasons.stopped, c: skipReasons.stopped },
    'Unknown StoppedRunningFinally',
  ],
  [
    'finally of a run that is stopped',
    { spec: withFinally, ends: { a: 'succeeded' }, asked: 'StoppedRunFinally' },
    ['z'],
    { b: skipReasons.stopped, c: skipReasons.stopped },
    'Unknown StoppedRunningFinally',
  ],
  [
    'the end of a run that was stopped',
    { spec: withFinally, ends: { a: 'succeeded', z: 'succeeded' }, asked: 'StoppedRunFinally' },
    [],
    { b: skipReasons.stopped, c: skipReasons.stopped },
    'False Cancelled',
  ],
  [
    'finally of a run that is cancelled gracefully',
    { spec: withFinally, ends: { a: 'cancelled' }, asked: 'CancelledRunFinally' },
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
    'finally when the time of the tasks is up',
    { spec: withFinally, ends: { a: 'succeeded' }, timedOut: 'tasks' },
    ['z'],
    { b: skipReasons.tasksTimeout, c: skipReasons.parents },
    'Unknown Running',
  ],
  [
    'nothing when the time of finally is up',
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
    'what follows a matrix only after all of it',
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
    'no matrix of nothing',
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
    'nothing that needs what a task that succeeded has not told',
    { spec: { tasks: [task('a'), task('b', needs('a.results.URL'))] }, ends: { a: 'succeeded' } },
    [],
    {},
    'False InvalidTaskResultReference',
  ],
  [
    'nothing of a circle, and does not hang',
    { spec: { tasks: [task('a', { runAfter: ['b'] }), task('b', { runAfter: ['a'] })] } },
    [],
    {},
    'Unknown Running',
  ],
])('starts %s', (_, situation, start, skipped, condition) =>
  expect(shown(situation)).toEqual({ start, skipped, condition }),
)

it('counts tasks in the words of Tekton', () => {
  const ends: Record<string, End> = { a: 'succeeded', b: 'failed' }
  expect(progress({ spec: withFinally, ends }).condition.message).toBe(
    'Tasks Completed: 2 (Failed: 1, Cancelled 0), Incomplete: 1, Skipped: 1',
  )
  expect(progress({ spec: withFinally, ends: { ...ends, z: 'succeeded' } }).condition.message).toBe(
    'Tasks Completed: 3 (Failed: 1, Cancelled 0), Skipped: 1',
  )
  expect(progress({ spec: chain, asked: 'Cancelled' }).condition.message).toBe('PipelineRun "run" was cancelled')
})

it('has the running tasks cancelled, when all are to be or their time is up', () => {
  const cancelled = (situation: Partial<Situation>) =>
    progress({ spec: withFinally, ends: { a: 'running' }, ...situation }).cancel.map(({ metadata }) => metadata.name)
  expect(cancelled({})).toEqual([])
  expect(cancelled({ asked: 'StoppedRunFinally' })).toEqual([])
  expect(cancelled({ asked: 'Cancelled' })).toEqual(['run-a'])
  expect(cancelled({ asked: 'CancelledRunFinally' })).toEqual(['run-a'])
  expect(cancelled({ timedOut: 'tasks' })).toEqual(['run-a'])
  expect(cancelled({ timedOut: 'pipeline' })).toEqual(['run-a'])
  const last: Record<string, End> = { a: 'succeeded', b: 'succeeded', c: 'succeeded', z: 'running' }
  expect(cancelled({ asked: 'CancelledRunFinally', ends: last })).toEqual([])
})

it('hands params and results on, those of a matrix together', () => {
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

it('shows conditions with what they were decided by', () => {
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
