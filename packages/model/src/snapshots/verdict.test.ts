import { expect, test } from 'vitest'
import { labels } from '../labels'
import type { RunStatusWord } from '../runs/run-status'
import type { TestResult } from '../runs/task-results'
import { aPipelineRun, condition } from '../testing'
import { commitVerdict, concludedResult, isResultInTasks, runVerdict } from './verdict'

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
  ['its own result before that of its tasks', ['True', scenario, 'SUCCESS'], 'FAILURE', 'Succeeded'],
  ['a test without a result', ['True', scenario], undefined, 'Succeeded'],
  ['a test that ended badly', ['False', scenario, 'FAILURE'], undefined, 'Failed'],
  ['a test that ended badly after its tests passed', ['False', scenario, 'SUCCESS'], undefined, 'Failed'],
  ['a test that is running', ['Unknown', scenario, 'FAILURE'], undefined, 'Running'],
  ['a build whose result is a failure', ['True', {}, 'FAILURE'], undefined, 'Test Failures'],
  ['a build with warnings', ['True', {}, 'WARNING'], undefined, 'Succeeded'],
  ['a build with findings that only some pages read', ['True', {}], 'FAILURE', 'Succeeded'],
])('STAT-01, STAT-60 the verdict about %s', (_, parts, known, expected) =>
  expect(runVerdict(run(...parts), undefined, known)).toBe(expected),
)

test('STAT-60 the verdict about a run that has vanished is the status that its page shows', () =>
  expect(runVerdict(run('True', scenario, 'FAILURE'), 'Unknown')).toBe('Unknown'))

test.each<[string, Parameters<typeof run>, boolean]>([
  ['a test without a result', ['True', scenario], true],
  ['a test with a result', ['True', scenario, 'SUCCESS'], false],
  ['a failed test', ['False', scenario], false],
  ['a build', ['True', {}], false],
])('whether the verdict about %s takes its tasks', (_, [status, ...rest], expected) =>
  expect(isResultInTasks(run(status, ...rest), status === 'True' ? 'Succeeded' : 'Failed')).toBe(expected),
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

test.each<[string, ReturnType<typeof ofCommit>[], RunStatusWord]>([
  ['nothing', [], 'Succeeded'],
  ['a good build', [ofCommit(1, 'build', 'True')], 'Succeeded'],
  [
    'failed tests and a later release',
    [ofCommit(2, 'test', 'True', 'FAILURE'), ofCommit(3, 'release', 'True')],
    'Test Failures',
  ],
  ['a failed build and failed tests', [ofCommit(1, 'build', 'False'), ofCommit(2, 'test', 'True', 'ERROR')], 'Failed'],
  [
    'a failed test that passed when run again',
    [ofCommit(2, 'test', 'False'), ofCommit(3, 'test', 'True')],
    'Succeeded',
  ],
  ['a test that failed when run again', [ofCommit(3, 'test', 'False'), ofCommit(2, 'test', 'True')], 'Failed'],
  ['an optional test that failed', [optional(ofCommit(2, 'test', 'False')), ofCommit(1, 'build', 'True')], 'Succeeded'],
  ['warnings of a test', [ofCommit(2, 'test', 'True', 'WARNING')], 'Test Warnings'],
  ['a failed release', [ofCommit(1, 'build', 'True'), ofCommit(3, 'release', 'False')], 'Failed'],
])('STAT-44 the verdict about a commit with %s', (_, runs, expected) => {
  expect(commitVerdict(runs, 'Succeeded')).toBe(expected)
  // What its newest run does now does not hide a failure.
  expect(commitVerdict(runs, 'Running')).toBe(expected === 'Succeeded' ? 'Running' : expected)
})
