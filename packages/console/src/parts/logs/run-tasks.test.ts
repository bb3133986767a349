import { labels } from '@slipway/model/labels'
import type { RunStatusWord } from '@slipway/model/runs/run-status'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { expect, it, test } from 'vitest'
import { markArchived } from '../../api/archive/origin'
import { chosenTask, noLogText, runTasks } from './run-tasks'

const taskRun = (name: string, task: string, word: 'True' | 'False' | 'Unknown', startTime = '2026-01-31T09:00:00Z') =>
  aTaskRun({
    metadata: { name, labels: { [labels.pipelineTask]: task } },
    status: { startTime, conditions: [condition('Succeeded', word, 'Any')] },
  })

const run = aPipelineRun({
  spec: {
    pipelineSpec: { tasks: [{ name: 'build' }, { name: 'scan' }, { name: 'deploy' }], finally: [{ name: 'end' }] },
  },
  status: {
    conditions: [condition('Succeeded', 'Unknown', 'Running')],
    skippedTasks: [{ name: 'scan', reason: 'When Expressions evaluated to false' }],
  },
})

const listOf = (taskRuns: TaskRun[], of = run) =>
  runTasks(of, taskRuns).map(({ id, label, status }) => [id, label, status])

it('LOG-01, GRAPH-17, GRAPH-18 lists tasks in the order in which they ran, then the others, with the statuses of the graph', () => {
  expect(listOf([taskRun('r-build', 'build', 'True')])).toEqual([
    ['build', 'build', 'Succeeded'],
    ['scan', 'scan', 'Skipped'],
    ['deploy', 'deploy', 'Idle'],
    ['end', 'end', 'Idle'],
  ])
  const notTakenUp = { ...run, status: undefined } as unknown as typeof run
  expect(runTasks(notTakenUp, []).map(({ status }) => status)).toEqual(['Pending', 'Pending', 'Pending', 'Pending'])
})

it('LOG-01 lists a task run without labels once, under the name that the run has for it, as in the graph', () => {
  const unlabelled = { ...taskRun('r-build', 'build', 'True'), metadata: { name: 'r-build' } }
  const childReferences = [{ name: 'r-build', pipelineTaskName: 'build' }]
  expect(listOf([unlabelled], { ...run, status: { ...run.status, childReferences } })).toEqual([
    ['build', 'build', 'Succeeded'],
    ['scan', 'scan', 'Skipped'],
    ['deploy', 'deploy', 'Idle'],
    ['end', 'end', 'Idle'],
  ])
})

it('LOG-01 shows the tasks of a finished run with the statuses of the graph', () => {
  const childReferences = [{ name: 'r-deploy', pipelineTaskName: 'deploy' }]
  const over = { ...run, status: { ...run.status, conditions: [condition('Succeeded', 'True')], childReferences } }
  const done = [taskRun('r-build', 'build', 'True')]
  const words = (areAll: boolean) => runTasks(over, done, areAll).map(({ status }) => status)
  expect(words(true)).toEqual(['Succeeded', 'Skipped', 'Idle', 'Idle'])
  expect(words(false)).toEqual(['Succeeded', 'Skipped', 'Unknown', 'Idle'])
})

it('LOG-01 says which tasks of a finished run timed out, and which did not run', () => {
  const over = {
    ...run,
    status: { ...run.status, conditions: [condition('Succeeded', 'False', 'PipelineRunTimeout')] },
  }
  const build = taskRun('r-build', 'build', 'False')
  Object.assign(build.status?.conditions?.[0] ?? {}, { reason: 'TaskRunTimeout' })
  const tasks = runTasks(over, [build])
  expect(tasks.map(({ status, note }) => [status, note])).toEqual([
    ['Failed', 'timed out'],
    ['Skipped', undefined],
    ['Idle', 'did not run'],
    ['Idle', 'did not run'],
  ])
})

it('shows a run that was archived while it ran as Unknown, without waiting tasks', () => {
  const build = markArchived(taskRun('r-build', 'build', 'Unknown'))
  const gone = markArchived({ ...run })
  expect(runTasks(gone, [build]).map(({ status }) => status)).toEqual(['Unknown', 'Skipped', 'Idle', 'Idle'])
  expect(noLogText(gone, { task: 'deploy', status: 'Idle' })).toBe('No logs found.')
})

test.each<[string, boolean, RunStatusWord, string]>([
  ['LOG-04', false, 'Skipped', 'No logs. This task was skipped.'],
  ['LOG-04', true, 'Skipped', 'No logs. This task was skipped.'],
  ['LOG-06', false, 'Idle', 'Waiting for scan task to start'],
  ['LOG-03', true, 'Idle', 'No logs found.'],
  ['a task run that cannot be read:', true, 'Unknown', 'The task run of this task cannot be read.'],
])('%s a task without a task run, in a finished run: %s, %s: %s', (_, isOver, status, words) => {
  const conditions = [condition('Succeeded', isOver ? 'False' : 'Unknown')]
  expect(noLogText({ ...run, status: { conditions } }, { task: 'scan', status })).toBe(words)
})

it('names each instance of a matrix by its task run', () => {
  const arm = taskRun('r-build-1', 'build', 'False', '2026-01-31T09:01:00Z')
  arm.metadata.labels = { ...arm.metadata.labels, [labels.targetPlatform]: 'linux-arm64' }
  expect(listOf([arm, taskRun('r-build-0', 'build', 'True')]).slice(0, 2)).toEqual([
    ['r-build-0', 'build (r-build-0)', 'Succeeded'],
    ['r-build-1', 'build (linux-arm64)', 'Failed'],
  ])
})

it('allows for a run and tasks with almost no data', () => {
  const bare = { metadata: { name: 'r' } } as unknown as TaskRun
  const bareRun = { metadata: {} } as unknown as typeof run
  expect(runTasks(bareRun, [])).toEqual([])
  expect(listOf([{ ...bare, spec: {} }], bareRun)).toEqual([['r', 'r', 'Pending']])
})

test.each<[string, string | null, string | undefined]>([
  ['the one in the URL', 'scan', 'scan'],
  ['a task by the name of its run', 'r-build', 'build'],
  ['none for an unknown name', 'nonsense', undefined],
  ['the failed one if the URL names none', null, 'deploy'],
])('LOG-02 selects %s', (_, taskParam, id) => {
  const tasks = runTasks(run, [taskRun('r-build', 'build', 'True'), taskRun('r-deploy', 'deploy', 'False')])
  expect(chosenTask(tasks, taskParam)?.id).toBe(id)
})

it('LOG-02 selects the task whose pod is pending before those that have ended', () => {
  const waits = taskRun('r-deploy', 'deploy', 'Unknown')
  Object.assign(waits.status?.conditions?.[0] ?? {}, { reason: 'Pending' })
  expect(chosenTask(runTasks(run, [taskRun('r-build', 'build', 'True'), waits]), null)?.id).toBe('deploy')
})

it('calls tasks and instances of a matrix as the graph does, by their display names unless instances share one', () => {
  const tasks = [{ name: 'build', displayName: 'Build it' }, { name: 'scan' }, { name: 'end', displayName: 'Tidy up' }]
  const childReferences = [
    { name: 'r-build', pipelineTaskName: 'build', displayName: 'Build 7' },
    { name: 'r-scan-0', pipelineTaskName: 'scan', displayName: 'Scan' },
    { name: 'r-scan-1', pipelineTaskName: 'scan', displayName: 'Scan' },
    { name: 'r-scan-2', pipelineTaskName: 'scan', displayName: 'special' },
  ]
  const named = aPipelineRun({ spec: { pipelineSpec: { tasks } }, status: { childReferences } })
  const scans = ['r-scan-0', 'r-scan-1', 'r-scan-2'].map((name) => taskRun(name, 'scan', 'True'))
  const labels = runTasks(named, [taskRun('r-build', 'build', 'True'), ...scans]).map(({ label }) => label)
  expect(labels).toEqual(['Build 7', 'scan (Instance 1)', 'scan (Instance 2)', 'scan (special)', 'Tidy up'])
})
