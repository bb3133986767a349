import { expect, test } from 'vitest'
import { labels } from '../labels'
import type { RunStatusWord } from '../runs/run-status'
import type { ReportedResult } from '../runs/task-results'
import { aPipelineRun, condition } from '../testing'
import { concludedResult, dependsOnTasks, runVerdict } from './verdict'

const scenario = { [labels.scenario]: 'e2e' }
const run = (status: 'True' | 'False' | 'Unknown', own: Record<string, string>, result?: string) =>
  aPipelineRun({
    metadata: { labels: own },
    status: {
      conditions: [condition('Succeeded', status)],
      ...(result && { results: [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result }) }] }),
    },
  })

test.each<[string, Parameters<typeof run>, ReportedResult | undefined, RunStatusWord]>([
  ['a test that passed', ['True', scenario, 'SUCCESS'], undefined, 'Succeeded'],
  ['a test that failed', ['True', scenario, 'FAILURE'], undefined, 'Test Failures'],
  ['a test with an error', ['True', scenario, 'ERROR'], undefined, 'Test Failures'],
  ['a test with warnings', ['True', scenario, 'WARNING'], undefined, 'Test Warnings'],
  ['a test that was skipped', ['True', scenario, 'SKIPPED'], undefined, 'Skipped'],
  ['a test with an invalid result', ['True', scenario, 'x'], undefined, 'Test Failures'],
  ['a test with a task with an invalid result', ['True', scenario, 'SUCCESS'], 'INVALID', 'Test Failures'],
  ['a build with an invalid result', ['True', {}, 'x'], 'INVALID', 'Succeeded'],
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

test.each<[ReportedResult, RunStatusWord, ReportedResult | undefined]>([
  ['SUCCESS', 'Succeeded', 'SUCCESS'],
  ['SKIPPED', 'Succeeded', 'SKIPPED'],
  ['FAILURE', 'Failed', 'FAILURE'],
  ['WARNING', 'Cancelled', 'WARNING'],
  ['SUCCESS', 'Failed', undefined],
  ['SKIPPED', 'Cancelled', undefined],
])('ACT-28 the test result %s of a run that is %s', (result, status, expected) =>
  expect(concludedResult(result, status)).toBe(expected),
)
