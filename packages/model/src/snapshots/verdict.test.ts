import { expect, test } from 'vitest'
import { labels } from '../labels'
import type { Release } from '../releases/release'
import type { RunStatusWord } from '../runs/run-status'
import type { TestResult } from '../runs/task-results'
import { aPipelineRun, aRelease, condition } from '../testing'
import { commitVerdict, concludedResult, dependsOnTasks, runVerdict } from './verdict'

const scenario = { [labels.scenario]: 'e2e' }
const run = (status: 'True' | 'False' | 'Unknown', own: Record<string, string>, result?: string) =>
  aPipelineRun({
    metadata: { labels: own },
    status: {
      conditions: [condition('Succeeded', status)],
      ...(result && { results: [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result }) }] }),
    },
  })

test.each<[string, Parameters<typeof run>, TestResult | undefined, RunStatusWord]>([
  ['a test that passed', ['True', scenario, 'SUCCESS'], undefined, 'Succeeded'],
  ['a test that failed', ['True', scenario, 'FAILURE'], undefined, 'Test Failures'],
  ['a test with an error', ['True', scenario, 'ERROR'], undefined, 'Test Failures'],
  ['a test with warnings', ['True', scenario, 'WARNING'], undefined, 'Test Warnings'],
  ['a test that was skipped', ['True', scenario, 'SKIPPED'], undefined, 'Skipped'],
  ['a test with an invalid result', ['True', scenario, 'x'], undefined, 'Succeeded'],
  ['a test whose result only its tasks have', ['True', scenario], 'FAILURE', 'Test Failures'],
  ['a test of which an earlier task failed', ['True', scenario, 'SUCCESS'], 'FAILURE', 'Test Failures'],
  ['a test of which an earlier task has warnings', ['True', scenario, 'SKIPPED'], 'WARNING', 'Test Warnings'],
  ['a test whose own result is worse than its tasks', ['True', scenario, 'ERROR'], 'SUCCESS', 'Test Failures'],
  ['a test without a result', ['True', scenario], undefined, 'Succeeded'],
  ['a test that ended badly', ['False', scenario, 'FAILURE'], undefined, 'Failed'],
  ['a test that ended badly after its tests passed', ['False', scenario, 'SUCCESS'], undefined, 'Failed'],
  ['a test that is running', ['Unknown', scenario, 'FAILURE'], undefined, 'Running'],
  ['a build whose result is a failure', ['True', {}, 'FAILURE'], undefined, 'Test Failures'],
  ['a build with warnings', ['True', {}, 'WARNING'], undefined, 'Succeeded'],
  ['a build with a failed check', ['True', {}], 'FAILURE', 'Test Failures'],
  ['a build with a check that could not run', ['True', {}, 'SUCCESS'], 'ERROR', 'Test Failures'],
  ['a build with a check that has warnings', ['True', {}], 'WARNING', 'Succeeded'],
  ['a build that failed after a failed check', ['False', {}], 'FAILURE', 'Failed'],
])('STAT-01, STAT-60 the verdict about %s', (_, parts, known, expected) =>
  expect(runVerdict(run(...parts), undefined, known)).toBe(expected),
)

test('STAT-60 the verdict about a run that has vanished is the status that its page shows', () =>
  expect(runVerdict(run('True', scenario, 'FAILURE'), 'Unknown')).toBe('Unknown'))

test.each<[string, Parameters<typeof run>, boolean]>([
  ['a test without a result', ['True', scenario], true],
  ['a test with a good result', ['True', scenario, 'SUCCESS'], true],
  ['a test with warnings', ['True', scenario, 'WARNING'], true],
  ['a test with the worst result', ['True', scenario, 'FAILURE'], false],
  ['a failed test', ['False', scenario], false],
  ['a build', ['True', {}], true],
  ['a build with the worst result', ['True', {}, 'ERROR'], false],
])('whether the verdict about %s depends on its tasks', (_, [status, ...rest], expected) =>
  expect(dependsOnTasks(run(status, ...rest), status === 'True' ? 'Succeeded' : 'Failed')).toBe(expected),
)

test.each<[TestResult, RunStatusWord, TestResult | undefined]>([
  ['SUCCESS', 'Succeeded', 'SUCCESS'],
  ['SKIPPED', 'Succeeded', 'SKIPPED'],
  ['FAILURE', 'Failed', 'FAILURE'],
  ['WARNING', 'Cancelled', 'WARNING'],
  ['SUCCESS', 'Failed', undefined],
  ['SKIPPED', 'Cancelled', undefined],
])('ACT-28 the test result %s of a run that is %s', (result, status, expected) =>
  expect(concludedResult(result, status)).toBe(expected),
)

const types = {
  build: {},
  test: scenario,
  release: { [labels.releaseName]: 'shop-1', [labels.pipelineType]: 'managed' },
}
const ofCommit = (hour: number, type: keyof typeof types, status: 'True' | 'False' | 'Unknown', result?: string) => {
  const made = run(status, types[type], result)
  return { ...made, status: { ...made.status, startTime: `2026-01-31T0${hour}:00:00Z` } }
}
const optional = (made: ReturnType<typeof ofCommit>) => ({
  ...made,
  metadata: { ...made.metadata, labels: { ...made.metadata.labels, [labels.optional]: 'true' } },
})

const released = (hour: number, releasePlan: string, status: 'True' | 'False') =>
  aRelease({
    metadata: { name: `${releasePlan}-${hour}`, creationTimestamp: `2026-01-31T0${hour}:00:00Z` },
    spec: { releasePlan, snapshot: 'shop-1' },
    status: { conditions: [condition('Released', status, status === 'True' ? 'Succeeded' : 'Failed')] },
  })

test.each<[string, ReturnType<typeof ofCommit>[], RunStatusWord, text?: string]>([
  ['nothing', [], 'Succeeded'],
  ['a good build', [ofCommit(1, 'build', 'True')], 'Succeeded'],
  [
    'failed tests and a later release',
    [ofCommit(2, 'test', 'True', 'FAILURE'), ofCommit(3, 'release', 'True')],
    'Test Failures',
  ],
  [
    'a failed build and failed tests',
    [ofCommit(1, 'build', 'False'), ofCommit(2, 'test', 'True', 'ERROR')],
    'Failed',
    'Build Failed',
  ],
  [
    'a failed test that passed when run again',
    [ofCommit(2, 'test', 'False'), ofCommit(3, 'test', 'True')],
    'Succeeded',
  ],
  [
    'a test that failed when run again',
    [ofCommit(3, 'test', 'False'), ofCommit(2, 'test', 'True')],
    'Failed',
    'Test Failed',
  ],
  ['an optional test that failed', [optional(ofCommit(2, 'test', 'False')), ofCommit(1, 'build', 'True')], 'Succeeded'],
  ['warnings of a test', [ofCommit(2, 'test', 'True', 'WARNING')], 'Test Warnings'],
  ['a failed release', [ofCommit(1, 'build', 'True'), ofCommit(3, 'release', 'False')], 'Failed', 'Release Failed'],
])('STAT-44 the verdict about a commit with %s', (_, runs, expected, text = expected) => {
  expect(commitVerdict(runs, 'Succeeded')).toEqual({ verdict: expected, text })
  // What its newest run does now does not hide a failure.
  const found = expected === 'Succeeded' ? { verdict: 'Running', text: 'Running' } : { verdict: expected, text }
  expect(commitVerdict(runs, 'Running')).toEqual(found)
})

test.each<[string, Release[], string]>([
  ['a release that failed', [released(1, 'prod', 'False')], 'Release Failed'],
  [
    'a release that failed and succeeded when run again',
    [released(1, 'prod', 'False'), released(2, 'prod', 'True')],
    'Succeeded',
  ],
  [
    'a release by one plan, and a failure by another',
    [released(1, 'stage', 'False'), released(2, 'prod', 'True')],
    'Release Failed',
  ],
  ['a release that is waiting', [aRelease({ spec: { releasePlan: 'prod', snapshot: 'shop-1' } })], 'Succeeded'],
])('STAT-44 the verdict about a commit with %s in another namespace', (_, releases, text) =>
  expect(commitVerdict([ofCommit(1, 'build', 'True')], 'Succeeded', undefined, releases).text).toBe(text),
)

test('STAT-44 a build that failed is named before the release of an older build', () => {
  const failed = [released(1, 'prod', 'False')]
  expect(commitVerdict([ofCommit(1, 'build', 'False')], 'Failed', undefined, failed).text).toBe('Build Failed')
})
