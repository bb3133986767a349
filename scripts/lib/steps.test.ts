import { expect, test } from 'vitest'
import { outcomeOf, runSteps, summary } from './steps.mjs'

test('the summary has a line for each step and ends with the total', () => {
  const lines = summary([
    { name: 'Lint', time: '3.0 s', ...outcomeOf(true) },
    { name: 'Unit tests', time: '12.5 s', passed: 40, failed: 2, skipped: 1 },
  ])
  expect(lines.split('\n')).toEqual([
    '✓ Lint           3.0 s  1 passed',
    '✗ Unit tests    12.5 s  40 passed, 2 failed, 1 skipped',
    '',
    '41 passed, 2 failed',
  ])
})

test('a step that throws counts as one failure, and the next one still runs', async () => {
  const results = await runSteps([
    { name: 'first', work: () => Promise.reject(new Error('broken on purpose, by this test')) },
    { name: 'second', work: async () => outcomeOf(true) },
  ])
  expect(results).toMatchObject([
    { name: 'first', passed: 0, failed: 1 },
    { name: 'second', passed: 1, failed: 0 },
  ])
})
