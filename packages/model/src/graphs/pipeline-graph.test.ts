import { describe, expect, it, test } from 'vitest'
import { ranksOf } from '../directed-graph'
import { labels } from '../labels'
import { runGraph, whenOutcome, type TaskNode } from './pipeline-graph'
import type { PipelineRun } from '../runs/pipeline-run'
import type { RunStatusWord } from '../runs/run-status'
import type { TaskRun } from '../runs/task-run'
import type { PipelineTask } from '../runs/tekton'
import { aPipelineRun, aTaskRun, condition, type Overrides } from '../testing'

const started = '2026-01-31T09:00:00Z'

function aRun(
  tasks: PipelineTask[],
  { finally: last, ...status }: Overrides<PipelineRun>['status'] & { finally?: PipelineTask[] } = {},
) {
  return aPipelineRun({
    status: {
      startTime: started,
      conditions: [condition('Succeeded', 'Unknown', 'Running')],
      pipelineSpec: { tasks, ...(last && { finally: last }) },
      ...status,
    },
  })
}

const runOf = (task: string, overrides: Overrides<TaskRun> = {}, suffix = ''): TaskRun =>
  aTaskRun({
    ...overrides,
    metadata: {
      name: `run-${task}${suffix}`,
      ...overrides.metadata,
      labels: { [labels.pipelineTask]: task, ...overrides.metadata?.labels },
    },
    status: { conditions: [condition('Succeeded', 'True')], startTime: started, ...overrides.status },
  })

const edgesOf = (run: PipelineRun, taskRuns: TaskRun[] = []) =>
  runGraph(run, taskRuns).edges.map(({ from, to }) => `${from} > ${to}`)
const nodeOf = (run: PipelineRun, taskRuns: TaskRun[] | undefined, id: string): TaskNode => {
  const node = runGraph(run, taskRuns).nodes.find((each) => each.id === id)
  if (!node) throw new Error(`There is no node ${id}.`)
  return node
}

describe('the edges of a graph', () => {
  const needs = (value: string): PipelineTask['params'] => [{ name: 'p', value }]
  test.each<[string, PipelineTask[], string[]]>([
    [
      'GRAPH-04, GRAPH-22 lead to a task from those it runs after',
      [{ name: 'a' }, { name: 'b', runAfter: ['a'] }],
      ['a > b'],
    ],
    [
      'GRAPH-22 lead to a task from those whose results its params use',
      [{ name: 'a' }, { name: 'b', params: needs('$(tasks.a.results.url)@$(tasks.a.results.digest)') }],
      ['a > b'],
    ],
    [
      'GRAPH-22 lead to a task from those whose results its conditions use',
      [{ name: 'a' }, { name: 'b', when: [{ input: "$(tasks.a.results['ok'])", operator: 'in', values: ['yes'] }] }],
      ['a > b'],
    ],
    [
      'GRAPH-22 lead to a task from those whose results its matrix uses',
      [{ name: 'a' }, { name: 'b', matrix: { params: [{ name: 'p', value: ['$(tasks.a.results.list[*])'] }] } }],
      ['a > b'],
    ],
    [
      'GRAPH-22 lead to a task from those whose resources it uses in a v1beta1 pipeline',
      [{ name: 'a' }, { name: 'b', resources: { inputs: [{ name: 'source', from: ['a'] }] } } as PipelineTask],
      ['a > b'],
    ],
    [
      'omit an edge that others imply',
      [{ name: 'a' }, { name: 'b', runAfter: ['a'] }, { name: 'c', runAfter: ['a', 'b'] }],
      ['a > b', 'b > c'],
    ],
    ['omit an edge to a missing task', [{ name: 'a', runAfter: ['gone'] }], []],
    ['omit an edge from a task to itself', [{ name: 'a', runAfter: ['a'] }], []],
    [
      'break a cycle',
      [
        { name: 'a', runAfter: ['b'] },
        { name: 'b', runAfter: ['a'] },
      ],
      ['a > b'],
    ],
    [
      'break a cycle after other tasks',
      [
        { name: 'x' },
        { name: 'a', runAfter: ['x', 'c'] },
        { name: 'b', runAfter: ['a'] },
        { name: 'c', runAfter: ['b'] },
      ],
      ['x > a', 'a > b', 'b > c'],
    ],
  ])('%s', (_, tasks, expected) => expect(edgesOf(aRun(tasks))).toEqual(expected))

  it('GRAPH-23 places finally after every other task', () => {
    const run = aRun([{ name: 'a' }, { name: 'b', runAfter: ['a'] }, { name: 'c' }], {
      finally: [{ name: 'clean' }, { name: 'tell', params: needs('$(tasks.a.results.x)') }],
    })
    expect(edgesOf(run)).toEqual(['a > b', 'c > clean', 'b > clean', 'c > tell', 'b > tell'])
    const graph = runGraph(run, [])
    const levels = ranksOf(graph)
    const levelOf = (kind: TaskNode['kind']) =>
      graph.nodes.filter((node) => node.kind === kind).map(({ id }) => levels.get(id) ?? 0)
    expect(Math.min(...levelOf('finally'))).toBeGreaterThan(Math.max(...levelOf('task')))
  })

  it('GRAPH-15 ranks nodes by id, so that tasks with the same label are separate', () => {
    const matrix = { params: [{ name: 'P', value: ['x', 'y'] }] }
    const run = aRun([
      { name: 'a', matrix },
      { name: 'b', runAfter: ['a'], matrix },
      { name: 'c', runAfter: ['b'] },
    ])
    const instances = (task: string) =>
      ['x', 'y'].map((value, index) => runOf(task, { spec: { params: [{ name: 'P', value }] } }, `-${index}`))
    const graph = runGraph(run, [...instances('a'), ...instances('b')])
    expect([...ranksOf(graph)]).toEqual([
      ['a/run-a-0', 0],
      ['a/run-a-1', 0],
      ['b/run-b-0', 1],
      ['b/run-b-1', 1],
      ['c', 2],
    ])
    expect(graph.edges).toHaveLength(6)
  })

  it('stays fast when many tasks come after all others', () => {
    const tasks = Array.from({ length: 3_000 }, (_, index) => ({
      name: `t${index}`,
      runAfter: index % 2 ? [`t${(index * 7) % 3_000}`, 't0'] : [`t${(index + 1) % 3_000}`],
    }))
    const graph = runGraph(aRun(tasks), [])
    expect(graph.nodes).toHaveLength(3_000)
    expect(ranksOf(graph).size).toBe(3_000)
  })
})

describe('status of a task', () => {
  const tasks = [{ name: 'a' }]
  const skippedTasks = [{ name: 'a', reason: 'When Expressions evaluated to false' }]
  const childReferences = [{ name: 'run-a', pipelineTaskName: 'a' }]
  test.each<[string, PipelineRun, TaskRun[] | undefined, RunStatusWord]>([
    [
      'GRAPH-17 in a run that no controller has processed',
      aPipelineRun({ spec: { pipelineSpec: { tasks } } }),
      [],
      'Pending',
    ],
    ['GRAPH-17, GRAPH-18 not started, in a run that has', aRun(tasks), [], 'Idle'],
    ['GRAPH-18 listed as skipped', aRun(tasks, { skippedTasks }), [], 'Skipped'],
    ['GRAPH-18 with a missing task run', aRun(tasks, { childReferences }), [], 'Idle'],
    ['that has run, if task runs cannot be fetched', aRun(tasks, { childReferences }), undefined, 'Unknown'],
    ['that has not run, if task runs cannot be fetched', aRun(tasks), undefined, 'Idle'],
    ['GRAPH-06 with the status of its run', aRun(tasks), [runOf('a')], 'Succeeded'],
    [
      'GRAPH-06 with the status of its run, including test findings',
      aRun(tasks),
      [runOf('a', { status: { results: [{ name: 'TEST_OUTPUT', value: '{"result":"WARNING"}' }] } })],
      'Test Warnings',
    ],
    [
      'GRAPH-06 with the status of its newest run',
      aRun(tasks),
      [
        runOf('a', { metadata: { creationTimestamp: '2026-01-31T09:09:00Z' } }, '-new'),
        runOf(
          'a',
          { metadata: { creationTimestamp: started }, status: { conditions: [condition('Succeeded', 'False')] } },
          '-old',
        ),
      ],
      'Succeeded',
    ],
  ])('%s', (_, run, taskRuns, expected) => expect(nodeOf(run, taskRuns, 'a').status).toBe(expected))

  const over = { conditions: [condition('Succeeded', 'True')], childReferences }
  test.each<[string, PipelineRun['status'], TaskRun[], boolean, RunStatusWord, string | undefined]>([
    ['GRAPH-18 is reported once the run has ended', over, [], true, 'Idle', 'run-a'],
    ['is not reported while it may only be late', { childReferences }, [], true, 'Idle', undefined],
    ['is not reported if other task runs could not be fetched', over, [], false, 'Unknown', undefined],
    ['is not reported if it exists', over, [runOf('a')], true, 'Succeeded', undefined],
    ['is not reported if nothing has run', { conditions: over.conditions }, [], true, 'Idle', undefined],
    [
      'is not reported for a task of another kind',
      { ...over, childReferences: [{ kind: 'CustomRun', name: 'x', pipelineTaskName: 'a' }] },
      [],
      true,
      'Idle',
      undefined,
    ],
  ])('a deleted task run %s', (_, status, taskRuns, isComplete, word, lostRun) => {
    const node = runGraph(aRun(tasks, status), taskRuns, { isComplete }).nodes[0]
    const detail = node?.hasNotRun ? 'did not run' : lostRun && 'task run deleted'
    expect([node?.status, node?.lostRun, node?.detail]).toEqual([word, lostRun, detail])
  })

  const ended = { conditions: [condition('Succeeded', 'False', 'PipelineRunTimeout')] }
  test.each<[string, PipelineRun['status'], TaskRun[] | undefined, string | undefined]>([
    ['whose run has ended', ended, [], 'did not run'],
    [
      'whose run has ended, if task runs cannot be fetched',
      { ...ended, childReferences: [{ name: 'run-b', pipelineTaskName: 'b' }] },
      undefined,
      'did not run',
    ],
    ['whose run has ended, if nothing says which tasks have run', ended, undefined, undefined],
    ['whose run has not ended', {}, [], undefined],
    ['that has run', ended, [runOf('a')], undefined],
    ['that was skipped', { ...ended, skippedTasks }, [], undefined],
    [
      'of another kind',
      { ...ended, childReferences: [{ kind: 'CustomRun', name: 'x', pipelineTaskName: 'a' }] },
      [],
      undefined,
    ],
  ])('GRAPH-18 a task %s: %#', (_, status, taskRuns, detail) => {
    const node = nodeOf(aRun(tasks, status), taskRuns, 'a')
    expect([node.hasNotRun, node.detail]).toEqual([detail && true, detail])
  })

  test.each<[string, string, string, RunStatusWord, string | undefined]>([
    ['ran too long', 'TaskRunTimeout', 'TaskRun "a" failed to finish within "1h0m0s"', 'Failed', 'timed out'],
    [
      'was cancelled when the time of its run was over',
      'TaskRunCancelled',
      'TaskRun "a" was cancelled. TaskRun cancelled as the PipelineRun it belongs to has timed out.',
      'Cancelled',
      'timed out',
    ],
    ['was cancelled by a user', 'TaskRunCancelled', 'TaskRun "a" was cancelled. ', 'Cancelled', undefined],
    ['failed', 'Failed', 'curl: the request has timed out', 'Failed', undefined],
  ])('STAT-05, STAT-09 a task that %s', (_, reason, message, word, detail) => {
    const taskRun = runOf('a', { status: { conditions: [{ type: 'Succeeded', status: 'False', reason, message }] } })
    const node = nodeOf(aRun(tasks, ended), [taskRun], 'a')
    expect([node.status, node.detail]).toEqual([word, detail])
  })

  it('uses the status from the caller, and shows no time if it is Unknown', () => {
    const lost = aTaskRun({
      metadata: { name: 'run-a', labels: { [labels.pipelineTask]: 'a' } },
      status: { startTime: '2026-01-31T09:00:00Z', conditions: [condition('Succeeded', 'Unknown', 'Running')] },
    })
    const { nodes } = runGraph(aRun(tasks, {}), [lost], { statusOf: () => 'Unknown' })
    expect(nodes[0]).toMatchObject({ status: 'Unknown', taskRun: 'run-a' })
    expect(nodes[0]?.startTime).toBeUndefined()
    expect(runGraph(aRun(tasks, {}), [lost]).nodes[0]).toMatchObject({
      status: 'Running',
      startTime: '2026-01-31T09:00:00Z',
    })
  })

  it('gives the reason why a task was skipped', () => {
    expect(nodeOf(aRun(tasks, { skippedTasks }), [], 'a').skipReason).toBe('When Expressions evaluated to false')
  })
})

describe('conditions of a task', () => {
  test.each<[string, RunStatusWord, string | undefined]>([
    ['GRAPH-19', 'Succeeded', 'met'],
    ['GRAPH-19', 'Failed', 'met'],
    ['GRAPH-20', 'Skipped', 'unmet'],
    ['GRAPH-20', 'In Progress', 'unmet'],
    ['GRAPH-20', 'Idle', 'unmet'],
    ['begun,', 'Running', 'met'],
    ['with test findings,', 'Test Warnings', 'met'],
    ['not started,', 'Pending', undefined],
  ])('%s %s: %s', (_, status, expected) => expect(whenOutcome(status)).toBe(expected))

  const when = [{ input: '$(tasks.a.results.ok)', operator: 'in' as const, values: ['yes'] }]
  const known = [{ input: 'no', operator: 'in' as const, values: ['yes'] }]
  test.each<[string, Overrides<PipelineRun>['status'], TaskNode['when']]>([
    ['as written, before any value is known', {}, { expressions: when, outcome: 'unmet' }],
    [
      'as they were when the task was skipped',
      { skippedTasks: [{ name: 'b', reason: 'When Expressions evaluated to false', whenExpressions: known }] },
      { expressions: known, inputs: ['$(tasks.a.results.ok)'], outcome: 'unmet' },
    ],
    [
      'as they were when the task started',
      { childReferences: [{ name: 'run-b', pipelineTaskName: 'b', whenExpressions: known }] },
      { expressions: known, inputs: ['$(tasks.a.results.ok)'], outcome: 'unmet' },
    ],
  ])('GRAPH-05, GRAPH-21, GRAPH-30 are shown %s', (_, status, expected) => {
    const run = aRun([{ name: 'a' }, { name: 'b', when }], status)
    expect(nodeOf(run, [], 'b').when).toEqual(expected)
    expect(nodeOf(run, [], 'a').when).toBeUndefined()
  })

  it('GRAPH-21 are met once the task has a TaskRun, although its pod is pending', () => {
    const pending = runOf('b', { status: { conditions: [condition('Succeeded', 'Unknown', 'Pending')] } })
    const node = nodeOf(aRun([{ name: 'a' }, { name: 'b', when }], {}), [pending], 'b')
    expect(node).toMatchObject({ status: 'Pending', when: { outcome: 'met' } })
  })
})

describe('instances of a matrix', () => {
  const matrix = {
    params: [{ name: 'PLATFORM', value: ['linux/x86_64', 'linux/arm64'] }],
    include: [{ params: [{ name: 'FLAGS', value: '-O3' }] }],
  }
  const instance = (index: number, overrides: Overrides<TaskRun> = {}) => runOf('build', overrides, `-${index}`)
  const on = (platform: string, ...params: { name: string; value: string }[]) => ({
    spec: { params: [{ name: 'IMAGE', value: 'same' }, { name: 'PLATFORM', value: platform }, ...params] },
  })
  test.each<[string, PipelineTask['matrix'], TaskRun[], string[]]>([
    [
      'GRAPH-15, GRAPH-16, GRAPH-30 are named by the values of its params',
      matrix,
      [instance(0, on('linux/x86_64')), instance(1, on('linux/arm64'))],
      ['linux/x86_64', 'linux/arm64'],
    ],
    [
      'GRAPH-16 are named by the values of all params, including those of `include`',
      matrix,
      [instance(0, on('linux/x86_64', { name: 'FLAGS', value: '-O3' })), instance(1, on('linux/arm64'))],
      ['linux/x86_64, -O3', 'linux/arm64'],
    ],
    [
      'GRAPH-16 are named by number if there is nothing else',
      matrix,
      [instance(0), instance(1)],
      ['Instance 1', 'Instance 2'],
    ],
    [
      'GRAPH-16 are named by platform if the params are missing',
      matrix,
      [instance(0, { metadata: { labels: { [labels.targetPlatform]: 'linux-arm64' } } }), instance(1)],
      ['linux-arm64', 'Instance 2'],
    ],
    [
      'also get a number if their values are equal',
      matrix,
      [instance(0, on('x')), instance(1, on('x'))],
      ['x (1)', 'x (2)'],
    ],
    [
      'are in the order of their numbers',
      matrix,
      [instance(10, on('later')), instance(9, on('sooner'))],
      ['sooner', 'later'],
    ],
    [
      'GRAPH-16 are named by number if the matrix is invalid',
      'all' as never,
      [instance(0), instance(1)],
      ['Instance 1', 'Instance 2'],
    ],
    ['GRAPH-15 are one node for a matrix with a single run', matrix, [instance(0, on('linux/arm64'))], ['build']],
    ['GRAPH-15 are one node for a matrix that has not started', matrix, [], ['build']],
  ])('%s', (_, given, taskRuns, expected) => {
    const run = aRun([{ name: 'build', ...(given && { matrix: given }) }])
    expect(runGraph(run, taskRuns).nodes.map(({ label }) => label)).toEqual(expected)
  })

  it('GRAPH-15 gives every instance its own status', () => {
    const failed = { status: { conditions: [condition('Succeeded', 'False')] } }
    const { nodes } = runGraph(aRun([{ name: 'build', matrix }]), [
      instance(0, on('a')),
      instance(1, { ...on('b'), ...failed }),
    ])
    expect(nodes.map(({ note, status }) => [note, status])).toEqual([
      ['build', 'Succeeded'],
      ['build', 'Failed'],
    ])
  })
})

it('GRAPH-09 shows no duration if the task ended at an unknown time', () => {
  const taskRun = runOf('build', {
    status: { startTime: '2026-01-31T09:00:00Z', conditions: [condition('Succeeded', 'True')] },
  })
  expect(runGraph(aPipelineRun(), [taskRun]).nodes[0]).toMatchObject({ status: 'Succeeded', isEndUnknown: true })
})

it('a task that was retried ran from the start of its first attempt', () => {
  const retried = runOf('scan', { status: { retriesStatus: [{ startTime: '2026-01-31T08:58:00Z' }] } })
  expect(nodeOf(aRun([{ name: 'scan' }]), [retried], 'scan')).toMatchObject({ startTime: '2026-01-31T08:58:00Z' })
})

describe('a task that has run', () => {
  const found = { critical: 1, high: 2, medium: 3, low: 4, unknown: 5 }
  const run = aRun([{ name: 'scan' }])
  const taskRun = runOf('scan', {
    status: {
      completionTime: '2026-01-31T09:01:03Z',
      results: [
        { name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'FAILURE', failures: 7, warnings: 8 }) },
        { name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: found }) },
      ],
      retriesStatus: [{ startTime: started }],
    },
  })
  const node = nodeOf(run, [taskRun], 'scan')

  it('GRAPH-07 carries the failures of its tests', () =>
    expect(node).toMatchObject({ status: 'Test Failures', testFailCount: 7 }))
  it('GRAPH-08 carries the warnings of its tests', () => expect(node).toMatchObject({ testWarnCount: 8 }))
  it('GRAPH-09 carries when it ran', () =>
    expect(node).toMatchObject({ startTime: started, endTime: '2026-01-31T09:01:03Z' }))
  it('GRAPH-10 carries what its scan has found', () => expect(node).toMatchObject({ vulnerabilities: found }))
  it('GRAPH-11 carries nothing else but which task it is, and how often it was tried again', () =>
    expect(node).toEqual({
      id: 'scan',
      kind: 'task',
      label: 'scan',
      task: 'scan',
      taskRun: 'run-scan',
      runAfter: [],
      status: 'Test Failures',
      testFailCount: 7,
      testWarnCount: 8,
      vulnerabilities: found,
      startTime: started,
      endTime: '2026-01-31T09:01:03Z',
      retries: 1,
    }))
})

describe('a run with missing data', () => {
  const names = (run: PipelineRun, taskRuns?: TaskRun[]) =>
    runGraph(run, taskRuns).nodes.map(({ id, kind }) => `${kind} ${id}`)
  const without = { spec: { pipelineSpec: undefined } }
  const later = { metadata: { creationTimestamp: '2026-01-31T09:05:00Z' } }
  it('has the tasks of its spec if its status has none', () => {
    expect(names(aPipelineRun())).toEqual(['task build'])
  })
  it('has the tasks that have run, oldest first, if the pipeline is missing', () => {
    const last = runOf('clean', { metadata: { ...later.metadata, labels: { [labels.memberOf]: 'finally' } } })
    expect(names(aPipelineRun(without), [last, runOf('test', later), runOf('build')])).toEqual([
      'task build',
      'task test',
      'finally clean',
    ])
  })
  it('GRAPH-15 names matrix instances by differing params if the pipeline is missing', () => {
    const one = (index: number) =>
      runOf(
        'build',
        {
          spec: {
            params: [
              { name: 'A', value: 'same' },
              { name: 'B', value: `b${index}` },
            ],
          },
        },
        `-${index}`,
      )
    expect(runGraph(aPipelineRun(without), [one(0), one(1)]).nodes.map(({ label }) => label)).toEqual(['b0', 'b1'])
  })
  it('has the tasks named by its references and skipped tasks', () => {
    const status = {
      childReferences: [{ name: 'run-a', pipelineTaskName: 'a' }],
      skippedTasks: [{ name: 'b', reason: 'x' }],
    }
    expect(names(aPipelineRun({ ...without, status }))).toEqual(['task a', 'task b'])
  })
  it('finds the task of a task run without labels by the references', () => {
    const run = aRun([{ name: 'a' }], { childReferences: [{ name: 'run-x', pipelineTaskName: 'a' }] })
    expect(names(run, [aTaskRun({ metadata: { name: 'run-x', labels: undefined } })])).toEqual(['task a'])
  })
  test.each<[string, unknown]>([
    ['no tasks', {}],
    ['tasks that are not a list', { tasks: 'all', finally: 3 }],
    ['entries that are not tasks', { tasks: [null, 'a', 7, {}, { name: '' }, { name: 3 }] }],
    [
      'fields that are not lists',
      { tasks: [{ name: 'a', runAfter: 'b', params: 'p', when: { cel: 'x' }, matrix: null }] },
    ],
    ['the same name twice', { tasks: [{ name: 'a' }, { name: 'a' }], finally: [{ name: 'a' }] }],
    [
      'names of JavaScript properties',
      { tasks: [{ name: '__proto__', runAfter: ['constructor'] }, { name: 'constructor' }] },
    ],
  ])('tolerates %s', (_, pipelineSpec) => {
    const nonsense = { childReferences: 'x', skippedTasks: [null, { name: 'a' }], pipelineSpec }
    const run = { ...aPipelineRun(without), status: nonsense } as unknown as PipelineRun
    expect(() => runGraph(run, [aTaskRun({ metadata: { labels: undefined }, status: undefined })])).not.toThrow()
  })
})

it('GRAPH-18 describes a task that has not run in the words of the pipeline', () => {
  const tasks: PipelineTask[] = [
    { name: 'a', description: 'Signs the image' },
    { name: 'b', taskSpec: { description: 'Scans the image' } },
  ]
  const run = aRun(tasks, { skippedTasks: [{ name: 'a', reason: 'x' }] })
  expect(runGraph(run, []).nodes.map(({ description }) => description)).toEqual(['Signs the image', 'Scans the image'])
  expect(nodeOf(run, [runOf('a')], 'a')).not.toHaveProperty('description')
})

it('names the instances of a matrix as the pipeline does', () => {
  const names = ['Build for arm64', undefined, 'Build', 'Build']
  const childReferences = names.map((displayName, index) => ({
    name: `run-a-${index}`,
    pipelineTaskName: 'a',
    ...(displayName && { displayName }),
  }))
  const runs = names.map((_, index) =>
    runOf('a', { spec: { params: [{ name: 'p', value: `v${index}` }] } }, `-${index}`),
  )
  const matrix = { params: [{ name: 'p', value: ['v0', 'v1', 'v2', 'v3'] }] }
  const { nodes } = runGraph(aRun([{ name: 'a', matrix }], { childReferences }), runs)
  expect(nodes.map(({ label }) => label)).toEqual(['Build for arm64', 'v1', 'v2', 'v3'])
})

it('names a task as the pipeline does, with its own name as the note', () => {
  const tasks: PipelineTask[] = [
    { name: 'a', displayName: 'Release $(params.v) now' },
    { name: 'b', displayName: 'Sign the image' },
    { name: 'c', displayName: 'Push to $(params.registry)' },
    { name: 'd', displayName: 'd' },
  ]
  const childReferences = [{ name: 'run-a', pipelineTaskName: 'a', displayName: 'Release 7 now' }]
  const { nodes } = runGraph(aRun(tasks, { childReferences }), [runOf('a')])
  expect(nodes.map(({ label, note }) => [label, note])).toEqual([
    ['Release 7 now', 'a'],
    ['Sign the image', 'b'],
    ['c', undefined],
    ['d', undefined],
  ])
})
