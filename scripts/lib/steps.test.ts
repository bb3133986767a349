import { expect, test } from 'vitest'
import { passedStep, runSteps, skippedStep, summary } from './steps.mjs'

test('the summary has a line for each step and ends with the total', () => {
  const lines = summary([
    { name: 'Lint', time: '3.0 s', ...passedStep },
    { name: 'Unit tests', time: '12.5 s', passed: 40, failed: 2, skipped: 1 },
    { name: 'Journeys', time: '0.0 s', ...skippedStep('Chromium is missing.') },
  ])
  expect(lines.split('\n')).toEqual([
    '✓ Lint           3.0 s  1 passed',
    '✗ Unit tests    12.5 s  40 passed, 2 failed, 1 skipped',
    '– Journeys       0.0 s  skipped: Chromium is missing.',
    '',
    '41 passed, 2 failed',
  ])
})

test('the summary lists the 20 slowest files of all steps', () => {
  const files = Array.from({ length: 15 }, (_, index) => ({ file: `unit-${index}.test.ts`, ms: index * 1_000 }))
  const journeys = Array.from({ length: 15 }, (_, index) => ({ file: `e2e-${index}.spec.ts`, ms: index * 10_000 }))
  const lines = summary([
    { name: 'Unit tests', time: '1.0 s', passed: 1, failed: 0, files },
    { name: 'Journeys', time: '1.0 s', passed: 1, failed: 0, files: journeys },
  ]).split('\n')
  const start = lines.indexOf('The slowest test files:') + 1
  const listed = lines.slice(start, lines.indexOf('', start))
  expect(listed).toHaveLength(20)
  expect(listed[0]).toBe('    140.0 s  e2e-14.spec.ts')
  expect(listed[13]).toBe('     14.0 s  unit-14.test.ts')
})

test('a step that throws counts as one failure, and the next one still runs', async () => {
  const results = await runSteps([
    { name: 'first', work: () => Promise.reject(new Error('broken on purpose, by this test')) },
    { name: 'second', work: async () => passedStep },
  ])
  expect(results).toMatchObject([
    { name: 'first', passed: 0, failed: 1 },
    { name: 'second', passed: 1, failed: 0 },
  ])
})

test('the summary repeats each failed test with the start of its error, and names those that passed when repeated', () => {
  const long = Array.from({ length: 40 }, (_, line) => `line ${line + 1}`).join('\n')
  const lines = summary([
    {
      name: 'Unit tests',
      time: '1.0 s',
      passed: 2,
      failed: 1,
      failures: [{ test: 'lists.test.ts:7 › lists › are sorted', error: long }],
      flaky: [{ test: 'watch.test.ts:9 › resumes', error: 'timed out' }],
    },
  ])
  expect(lines).toContain('\nFailed: lists.test.ts:7 › lists › are sorted\n    line 1\n    line 2\n')
  expect(lines).toContain('line 15')
  expect(lines).not.toContain('line 16')
  expect(lines).toContain('\nPassed at the second attempt: watch.test.ts:9 › resumes\n    timed out\n')
  expect(lines.endsWith('\n2 passed, 1 failed')).toBe(true)
})
