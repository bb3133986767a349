import type { Condition } from '@slipway/kube/object'
import { describe, expect, it, test } from 'vitest'
import type { PipelineRun } from './pipeline-run'
import {
  buildLabel,
  buildTime,
  commitStatus,
  pipelineRunStatus,
  runStatuses,
  taskRunStatus,
  type BuildLabel,
  type RunStatusWord,
} from './run-status'
import { aPipelineRun, aTaskRun, condition } from '../testing'

const succeeded = (status: Condition['status'], reason?: string) => ({ type: 'Succeeded', status, reason })
const runWith = (conditions: Condition[] | undefined, asked?: PipelineRun['spec']['status']) =>
  aPipelineRun({ spec: { status: asked }, status: conditions && { conditions } })

it('STAT-01, STAT-02, STAT-03 there are sixteen statuses', () => {
  expect([...runStatuses]).toEqual([
    'Succeeded',
    'Failed',
    'Running',
    'In Progress',
    'FailedToStart',
    'PipelineNotStarted',
    'Starting',
    'PR needs merge',
    'Skipped',
    'Cancelled',
    'Cancelling',
    'Test Failures',
    'Test Warnings',
    'Pending',
    'Idle',
    'Unknown',
  ])
})

describe('status of a pipeline run', () => {
  test.each<[string, Condition[] | undefined, PipelineRun['spec']['status'], RunStatusWord]>([
    ['STAT-04 True', [succeeded('True', 'Succeeded')], undefined, 'Succeeded'],
    ['STAT-04 True with an unrelated reason', [succeeded('True', 'Completed')], undefined, 'Succeeded'],
    ['STAT-05 False', [succeeded('False', 'Failed')], undefined, 'Failed'],
    ['STAT-05 False without a reason', [succeeded('False')], undefined, 'Failed'],
    ['STAT-05 a reason named like a built-in property', [succeeded('False', 'constructor')], undefined, 'Failed'],
    ['STAT-06 Unknown', [succeeded('Unknown', 'Running')], undefined, 'Running'],
    ['STAT-06 Unknown without a reason', [succeeded('Unknown')], undefined, 'Running'],
    ['STAT-07 stopped', [succeeded('False', 'StoppedRunFinally')], 'StoppedRunFinally', 'Cancelled'],
    ['STAT-08 cancelled', [succeeded('False', 'Cancelled')], 'Cancelled', 'Cancelled'],
    ['STAT-08 cancelled, finally', [succeeded('False', 'CancelledRunFinally')], undefined, 'Cancelled'],
    ['STAT-09 its task was cancelled', [succeeded('False', 'TaskRunCancelled')], undefined, 'Cancelled'],
    ['STAT-10 stopping', [succeeded('Unknown', 'PipelineRunStopping')], undefined, 'Failed'],
    ['STAT-10 its task is stopping', [succeeded('Unknown', 'TaskRunStopping')], undefined, 'Failed'],
    ['STAT-11 no room on the nodes', [succeeded('Unknown', 'ExceededNodeResources')], undefined, 'Pending'],
    ['STAT-11 no room in the quota', [succeeded('Unknown', 'ExceededResourceQuota')], undefined, 'Pending'],
    ['STAT-12 a configuration error', [succeeded('Unknown', 'CreateContainerConfigError')], undefined, 'Pending'],
    [
      'STAT-05 a configuration error that has ended it',
      [succeeded('False', 'CreateContainerConfigError')],
      undefined,
      'Failed',
    ],
    ['STAT-05 no room in the quota to the end', [succeeded('False', 'ExceededResourceQuota')], undefined, 'Failed'],
    ['STAT-13 pending', [succeeded('Unknown', 'PipelineRunPending')], 'PipelineRunPending', 'Pending'],
    ['STAT-14 its condition was not met', [succeeded('False', 'ConditionCheckFailed')], undefined, 'Skipped'],
    ['STAT-15 to be cancelled', [succeeded('Unknown', 'Running')], 'CancelledRunFinally', 'Cancelling'],
    ['STAT-15 to be cancelled at once', [succeeded('Unknown', 'Running')], 'Cancelled', 'Cancelling'],
    ['STAT-15 to be stopped', [succeeded('Unknown', 'StoppedRunningFinally')], 'StoppedRunFinally', 'Cancelling'],
    ['STAT-15 to be stopped while failing', [succeeded('Unknown', 'PipelineRunStopping')], 'Cancelled', 'Cancelling'],
    ['STAT-15 to be cancelled before it has a status', undefined, 'CancelledRunFinally', 'Cancelling'],
    ['STAT-15 already cancelled', [succeeded('Unknown', 'Cancelled')], 'Cancelled', 'Cancelled'],
    ['STAT-16 cancelled too late', [succeeded('True', 'Succeeded')], 'CancelledRunFinally', 'Succeeded'],
    ['STAT-16 failed before it was cancelled', [succeeded('False', 'Failed')], 'CancelledRunFinally', 'Failed'],
    ['STAT-16 stopped and over', [succeeded('False', 'StoppedRunFinally')], 'StoppedRunFinally', 'Cancelled'],
    ['STAT-17 no status', undefined, undefined, 'Pending'],
    ['STAT-17 no conditions', [], undefined, 'Pending'],
    ['STAT-61 conditions of other types', [condition('Ready', 'True')], undefined, 'Pending'],
  ])('%s', (_, conditions, requested, expected) =>
    expect(pipelineRunStatus(runWith(conditions, requested))).toBe(expected),
  )

  it('STAT-60 does not depend on results', () => {
    const results = [{ name: 'TEST_OUTPUT', value: '{"result":"FAILURE"}' }]
    const run = aPipelineRun({ status: { conditions: [succeeded('True')], results } })
    expect(pipelineRunStatus(run)).toBe('Succeeded')
  })
})

describe('status of a task run', () => {
  const outcome = (result: string) => ({ name: 'TEST_OUTPUT', value: JSON.stringify({ result }) })
  const scan = (vulnerabilities: object) => ({ name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities }) })

  test.each<[string, Condition, { name: string; value: string }[], RunStatusWord]>([
    ['STAT-18 failed tests', succeeded('True'), [outcome('FAILURE')], 'Test Failures'],
    ['STAT-19 tests with errors', succeeded('True'), [outcome('ERROR')], 'Test Failures'],
    ['STAT-20 critical', succeeded('True'), [scan({ critical: 1 })], 'Test Failures'],
    ['STAT-20 high', succeeded('True'), [scan({ high: 2, low: 1 })], 'Test Failures'],
    ['STAT-20 good tests, bad scan', succeeded('True'), [outcome('SUCCESS'), scan({ critical: 3 })], 'Test Failures'],
    ['STAT-20 warnings, bad scan', succeeded('True'), [outcome('WARNING'), scan({ critical: 3 })], 'Test Failures'],
    ['STAT-21 warnings', succeeded('True'), [outcome('WARNING')], 'Test Warnings'],
    ['STAT-22 medium', succeeded('True'), [scan({ critical: 0, high: 0, medium: 1 })], 'Test Warnings'],
    ['STAT-22 low', succeeded('True'), [outcome('SKIPPED'), scan({ low: 1 })], 'Test Warnings'],
    ['STAT-23 skipped', succeeded('True'), [outcome('SKIPPED')], 'Skipped'],
    ['STAT-24 only unknown', succeeded('True'), [scan({ unknown: 7 })], 'Succeeded'],
    ['the worst of several test reports', succeeded('True'), [outcome('SUCCESS'), outcome('FAILURE')], 'Test Failures'],
    ['STAT-25 a failed task', succeeded('False', 'Failed'), [outcome('WARNING')], 'Failed'],
    ['STAT-25 a cancelled task', succeeded('False', 'TaskRunCancelled'), [outcome('FAILURE')], 'Cancelled'],
    ['STAT-25 a running task', succeeded('Unknown', 'Running'), [scan({ critical: 1 })], 'Running'],
    ['STAT-13 a task whose pod is pending', succeeded('Unknown', 'Pending'), [], 'Pending'],
    ['STAT-13 a task whose image cannot be pulled yet', succeeded('Unknown', 'PullImageFailed'), [], 'Pending'],
    ['STAT-06 a task that has just started', succeeded('Unknown', 'Started'), [], 'Running'],
    ['ERR-35 an invalid test report', succeeded('True'), [{ name: 'TEST_OUTPUT', value: '{' }], 'Succeeded'],
    ['ERR-36 an invalid scan report', succeeded('True'), [{ name: 'SCAN_OUTPUT', value: '[]' }], 'Succeeded'],
    ['STAT-04 nothing reported', succeeded('True'), [], 'Succeeded'],
  ])('%s', (_, condition, results, expected) => {
    expect(taskRunStatus(aTaskRun({ status: { conditions: [condition], results } }))).toBe(expected)
  })

  it('STAT-15 to be cancelled', () => {
    const conditions = [succeeded('Unknown', 'Running')]
    expect(taskRunStatus(aTaskRun({ spec: { status: 'TaskRunCancelled' }, status: { conditions } }))).toBe('Cancelling')
  })

  it('STAT-18 reads results of v1beta1', () => {
    const run = aTaskRun({ status: { conditions: [succeeded('True')] } })
    Object.assign(run.status ?? {}, { taskResults: [outcome('FAILURE')] })
    expect(taskRunStatus(run)).toBe('Test Failures')
  })
})

describe('a build', () => {
  const byLabel: Record<BuildLabel, RunStatusWord[]> = {
    completed: ['Succeeded', 'Test Warnings', 'Skipped', 'Cancelled'],
    failed: ['Failed', 'FailedToStart', 'Test Failures'],
    running: ['In Progress', 'Pending', 'Running', 'Idle', 'Cancelling'],
    'not started': ['PipelineNotStarted'],
    unknown: ['Starting', 'PR needs merge', 'Unknown'],
  }

  test.each<[string, BuildLabel]>([
    ['STAT-29', 'completed'],
    ['STAT-30', 'failed'],
    ['STAT-31', 'running'],
    ['STAT-32', 'not started'],
    ['STAT-33', 'unknown'],
  ])('%s is %s with these statuses and no others', (_, label) => {
    expect(runStatuses.filter((word) => buildLabel(word) === label).toSorted()).toEqual(byLabel[label].toSorted())
  })

  const run = aPipelineRun({ status: { startTime: '2026-01-31T09:00:00Z', completionTime: '2026-01-31T09:10:00Z' } })
  test.each<[string, RunStatusWord[], string | undefined]>([
    ['STAT-34 end time', ['Succeeded', 'Test Warnings', 'Cancelled', 'Failed'], '2026-01-31T09:10:00Z'],
    ['STAT-35 no time', ['PipelineNotStarted'], undefined],
    [
      'STAT-36 start time',
      runStatuses.filter((word) => !/^(Succeeded|Test Warnings|Cancelled|Failed|PipelineNotStarted)$/.test(word)),
      '2026-01-31T09:00:00Z',
    ],
  ])('%s is shown', (_, words, expected) => {
    expect(words.map((word) => buildTime(run, word))).toEqual(words.map(() => expected))
  })
})

describe('status of a commit', () => {
  const run = (
    startTime: string | undefined,
    status: Condition['status'],
    creationTimestamp = '2026-01-01T00:00:00Z',
  ) => aPipelineRun({ metadata: { creationTimestamp }, status: { startTime, conditions: [succeeded(status)] } })

  test.each<[string, PipelineRun[], RunStatusWord | undefined]>([
    ['STAT-44 no run', [], undefined],
    [
      'STAT-44 the newest run',
      [run('2026-01-01T00:00:00Z', 'True'), run('2026-01-03T00:00:00Z', 'False'), run('2026-01-02T00:00:00Z', 'True')],
      'Failed',
    ],
    [
      'STAT-44 a newer waiting run',
      [run('2026-01-01T00:00:00Z', 'True'), run(undefined, 'Unknown', '2026-01-02T00:00:00Z')],
      'Running',
    ],
  ])('%s', (_, runs, expected) => expect(commitStatus(runs)).toBe(expected))

  it('STAT-44 uses the status function of the caller', () => {
    expect(commitStatus([run('2026-01-01T00:00:00Z', 'Unknown')], () => 'Unknown')).toBe('Unknown')
  })
})
