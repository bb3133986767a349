import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import type { TaskRun } from '../runs/task-run'
import type { PipelineTask } from '../runs/tekton'
import { aPipelineRun, aTaskRun, condition, type Overrides } from '../testing'
import { timelineOf } from './timeline'

const startMs = Date.parse('2026-01-31T09:00:00Z')
const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString()
const secondsOf = (ms: number | undefined) => (ms === undefined ? undefined : (ms - startMs) / 1_000)

const aRun = (tasks: PipelineTask[], status: Overrides<PipelineRun>['status'] = {}) =>
  aPipelineRun({ status: { startTime: at(0), pipelineSpec: { tasks }, ...status } })

/** A finished task without steps. */
const done = (task: string, from: number, to: number, overrides: Overrides<TaskRun> = {}): TaskRun =>
  aTaskRun({
    ...overrides,
    metadata: { name: `run-${task}`, labels: { [labels.pipelineTask]: task }, creationTimestamp: at(from) },
    status: {
      conditions: [condition('Succeeded', 'True')],
      startTime: at(from),
      completionTime: at(to),
      ...overrides.status,
    },
  })
const going = (task: string, from: number, status: Overrides<TaskRun>['status'] = {}): TaskRun =>
  done(task, from, 0, {
    status: { conditions: [condition('Succeeded', 'Unknown', 'Running')], completionTime: undefined, ...status },
  })

describe('a span', () => {
  const terminated = (from: number, to: number) => ({
    exitCode: 0,
    reason: 'Completed',
    startedAt: at(from),
    finishedAt: at(to),
  })
  const nowMs = startMs + 100_000
  test.each<[string, TaskRun, { created: number; start: number | undefined; end: number; isOver: boolean }]>([
    [
      'is waiting until its first step starts, then running',
      done('a', 0, 30, {
        status: {
          steps: [
            { name: 'one', terminated: terminated(12, 20) },
            { name: 'two', terminated: terminated(20, 30) },
          ],
        },
      }),
      { created: 0, start: 12, end: 30, isOver: true },
    ],
    [
      'is running from its start if steps are unknown',
      done('a', 5, 30),
      { created: 5, start: 5, end: 30, isOver: true },
    ],
    [
      'has only waited if no container of it could start',
      done('a', 0, 30, { status: { conditions: [condition('Succeeded', 'False', 'TaskRunImagePullFailed')] } }),
      { created: 0, start: undefined, end: 30, isOver: true },
    ],
    [
      'without a completion time ends with its last step',
      done('a', 0, 0, {
        status: { completionTime: undefined, steps: [{ name: 'one', terminated: terminated(12, 20) }] },
      }),
      { created: 0, start: 12, end: 20, isOver: true },
    ],
    [
      'is running until now',
      going('a', 5, { steps: [{ name: 'one', running: { startedAt: at(20) } }] }),
      { created: 5, start: 20, end: 100, isOver: false },
    ],
    [
      'is waiting until now',
      going('a', 5, { steps: [{ name: 'one', waiting: { reason: 'PodInitializing' } }] }),
      { created: 5, start: undefined, end: 100, isOver: false },
    ],
    [
      'is waiting until now before it has a status',
      going('a', 5, { conditions: undefined, startTime: undefined }),
      { created: 5, start: undefined, end: 100, isOver: false },
    ],
    [
      'starts with its first attempt',
      done('a', 0, 90, {
        status: {
          steps: [{ name: 'one', terminated: terminated(60, 90) }],
          retriesStatus: [{ startTime: at(10), completionTime: at(50) }],
        },
      }),
      { created: 0, start: 10, end: 90, isOver: true },
    ],
    ['never ends before it starts', done('a', 50, 20), { created: 50, start: 50, end: 50, isOver: true }],
  ])('%s', (_, taskRun, expected) => {
    const [span] = timelineOf(aRun([{ name: 'a' }]), [taskRun], nowMs).spans
    expect({
      created: secondsOf(span?.createdMs),
      start: secondsOf(span?.startMs),
      end: secondsOf(span?.endMs),
      isOver: span?.isOver,
    }).toEqual(expected)
  })

  it('is omitted if it ended at an unknown time', () =>
    expect(
      timelineOf(aRun([{ name: 'a' }]), [done('a', 0, 0, { status: { completionTime: undefined } })], nowMs).spans,
    ).toEqual([]))

  it('contains its steps and its failed attempts', () => {
    const taskRun = going('a', 0, {
      steps: [
        { name: 'one', terminated: terminated(12, 20) },
        { name: 'two', running: { startedAt: at(20) } },
        { name: 'three', waiting: {} },
      ],
      retriesStatus: [{ startTime: at(1), completionTime: at(10) }, { startTime: 'nonsense' }],
    })
    const [span] = timelineOf(aRun([{ name: 'a' }]), [taskRun], nowMs).spans
    expect(
      span?.steps.map(({ name, status, ...times }) => [name, status, secondsOf(times.startMs), secondsOf(times.endMs)]),
    ).toEqual([
      ['one', 'Succeeded', 12, 20],
      ['two', 'Running', 20, 100],
    ])
    expect(span?.tries.map((each) => [secondsOf(each.startMs), secondsOf(each.endMs)])).toEqual([[1, 10]])
  })
})

describe('the critical path', () => {
  const tasks: PipelineTask[] = [
    { name: 'a' },
    { name: 'b', runAfter: ['a'] },
    { name: 'c', runAfter: ['a'] },
    { name: 'd', runAfter: ['b', 'c'] },
    { name: 'x' },
  ]
  const path = (run: PipelineRun, taskRuns: TaskRun[], nowMs = startMs + 100_000) =>
    timelineOf(run, taskRuns, nowMs)
      .spans.filter(({ isCritical }) => isCritical)
      .map(({ id }) => id)
  test.each<[string, PipelineRun, TaskRun[], string[]]>([
    [
      'goes back from the last span through its latest parents',
      aRun(tasks),
      [done('a', 0, 10), done('b', 10, 20), done('c', 10, 40), done('d', 40, 50), done('x', 0, 45)],
      ['a', 'c', 'd'],
    ],
    [
      'goes through skipped tasks to their parents',
      aRun(tasks, {
        skippedTasks: [
          { name: 'b', reason: 'x' },
          { name: 'c', reason: 'x' },
        ],
      }),
      [done('a', 0, 10), done('d', 10, 50)],
      ['a', 'd'],
    ],
    [
      'ends with finally, which waits for all',
      aRun([], { pipelineSpec: { tasks, finally: [{ name: 'tell' }] } }),
      [done('a', 0, 10), done('b', 10, 20), done('x', 0, 45), done('tell', 45, 50)],
      ['x', 'tell'],
    ],
    ['ends with a running task', aRun(tasks), [done('a', 0, 10), going('b', 10), done('x', 0, 45)], ['a', 'b']],
    [
      'has one task if the pipeline is unknown',
      aPipelineRun({ spec: { pipelineSpec: undefined } }),
      [done('a', 0, 10), done('b', 10, 20)],
      ['b'],
    ],
    [
      'ends if the pipeline has a cycle',
      aRun([
        { name: 'a', runAfter: ['b'] },
        { name: 'b', runAfter: ['a'] },
      ]),
      [done('a', 0, 10), done('b', 10, 20)],
      ['a', 'b'],
    ],
    ['is empty before anything has started', aRun(tasks), [], []],
  ])('%s', (_, run, taskRuns, expected) => expect(path(run, taskRuns)).toEqual(expected))
})

describe('the ends of a timeline', () => {
  const ends = (run: PipelineRun, taskRuns: TaskRun[], nowMs = startMs + 100_000) => {
    const { fromMs, toMs } = timelineOf(run, taskRuns, nowMs)
    return [secondsOf(fromMs), secondsOf(toMs)]
  }
  it('are those of the run', () => {
    expect(ends(aRun([{ name: 'a' }], { completionTime: at(60) }), [done('a', 5, 50)])).toEqual([0, 60])
  })
  it('do not extend to now if the run ended at an unknown time', () => {
    const over = aRun([{ name: 'a' }], { conditions: [condition('Succeeded', 'True')] })
    expect(timelineOf(over, [done('a', 0, 30)], startMs + 100_000)).toMatchObject({
      fromMs: startMs,
      toMs: startMs + 30_000,
    })
  })
  it('are its start and now while the run is running', () => {
    expect(ends(aRun([{ name: 'a' }]), [going('a', 5)])).toEqual([0, 100])
  })
  it('are numbers whatever data is missing', () => {
    const bare = aPipelineRun({ metadata: { creationTimestamp: undefined } })
    expect(ends(bare, [])).toEqual([100, 100])
    expect(timelineOf(bare, [{ ...aTaskRun(), status: { startTime: 'nonsense' } }], startMs).spans).toEqual([])
  })
})

it('has a span for each matrix instance, in the order of creation', () => {
  const instance = (index: number, from: number) =>
    aTaskRun({
      metadata: { name: `run-build-${index}`, labels: { [labels.pipelineTask]: 'build' }, creationTimestamp: at(from) },
      spec: { params: [{ name: 'P', value: `p${index}` }] },
      status: { startTime: at(from), completionTime: at(from + 10), conditions: [condition('Succeeded', 'True')] },
    })
  const run = aRun([{ name: 'build', matrix: { params: [{ name: 'P', value: ['p0', 'p1'] }] } }])
  expect(timelineOf(run, [instance(1, 5), instance(0, 0)], startMs).spans.map(({ node }) => node.label)).toEqual([
    'p0',
    'p1',
  ])
})
