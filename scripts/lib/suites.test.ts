import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import { reportVariable } from './report.mjs'
import { commandOf, inRepository } from './repository.mjs'
import { run } from './run.mjs'
import VitestReporter from './vitest-reporter.mjs'

const vitest = [
  commandOf('vitest'),
  'run',
  '--reporter=default',
  `--reporter=${inRepository('scripts/lib/vitest-reporter.mjs')}`,
]
const playwright = [
  commandOf('@playwright/test', 'playwright'),
  'test',
  `--reporter=list,${inRepository('scripts/lib/playwright-reporter.mjs')}`,
]

/** Runs test files in a folder of their own, and returns what the reporter of `npm test` wrote. */
async function reportOf(command: string[], files: Record<string, string>): Promise<unknown> {
  mkdirSync(inRepository('.cache'), { recursive: true })
  const folder = mkdtempSync(inRepository('.cache/suite-'))
  const report = join(folder, 'report.json')
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    await run([process.execPath, ...command], { cwd: folder, env: { [reportVariable]: report }, quiet: true })
    return JSON.parse(readFileSync(report, 'utf8').replaceAll(/\.cache\/suite-\w+\//g, ''))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the Vitest reporter writes failed tests, tests that passed at the second attempt, and broken hooks and files', async () => {
  const report = await reportOf(vitest, {
    'vitest.config.ts': 'export default { test: { retry: 1, include: ["*.test.ts"] } }',
    'a.test.ts': `import { describe, expect, test } from 'vitest'
      let attempts = 0
      describe('lists', () => {
        test('pass', () => {})
        test('pass at last', () => expect(++attempts).toBe(2))
        test.skip('are skipped', () => {})
        test('fail', () => expect('a').toBe('b'))
      })`,
    'b.test.ts': `import { beforeAll, describe, test } from 'vitest'
      describe('hooks', () => {
        beforeAll(() => { throw new Error('no server') })
        test('is not reached', () => {})
      })`,
    'c.test.ts': "throw new Error('does not load')",
  })
  expect(report).toEqual({
    passed: 2,
    failed: 3,
    skipped: 2,
    failures: [
      { test: 'a.test.ts:7 › lists › fail', error: "expected 'a' to be 'b' // Object.is equality" },
      { test: 'b.test.ts:3 › hooks', error: 'no server' },
      { test: 'c.test.ts:1', error: 'does not load' },
    ],
    flaky: [{ test: 'a.test.ts:5 › lists › pass at last', error: 'expected 1 to be 2 // Object.is equality' }],
    files: ['a.test.ts', 'b.test.ts', 'c.test.ts'].map((file) => ({ file, ms: expect.any(Number) })),
  })
})

test('fake timers end with their test', async () => {
  const settings = pathToFileURL(inRepository('scripts/lib/patience.mjs')).href
  const report = await reportOf(vitest, {
    'vitest.config.ts': `import { sharedTestSettings } from '${settings}'
      export default { test: { ...sharedTestSettings, sequence: {}, retry: 0, include: ['*.test.ts'] } }`,
    'a.test.ts': `import { test, vi } from 'vitest'
      test('fakes timers', () => void vi.useFakeTimers())
      test('waits', () => new Promise((resolve) => setTimeout(resolve, 1)), 2_000)`,
  })
  expect(report).toMatchObject({ passed: 2, failed: 0 })
})

test('a test that does not end is named while it runs', () => {
  vi.useFakeTimers()
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const reporter = new VitestReporter()
  const stuck = { type: 'test', fullName: 'lists > load', module: { moduleId: inRepository('a.test.ts') } } as TestCase
  const short = { ...stuck, fullName: 'short' } as TestCase
  reporter.onInit()
  reporter.onTestCaseReady(short)
  reporter.onTestCaseReady(stuck)
  reporter.onTestCaseResult(short)
  vi.advanceTimersByTime(120_000)
  const named = (minutes: number) => [`Running for ${minutes} min: a.test.ts › lists › load`]
  expect(printed.mock.calls).toEqual([named(1), named(2)])
  // The reporter reads nothing else of a module.
  reporter.onTestModuleEnd({ children: { allTests: () => [stuck] } } as unknown as TestModule)
  vi.advanceTimersByTime(60_000)
  expect(printed).toHaveBeenCalledTimes(2)
})

test('the Playwright reporter writes failed tests, tests that passed at the second attempt, and broken files', async () => {
  const config = { 'playwright.config.ts': 'export default { retries: 1, testMatch: "*.spec.ts" }' }
  const report = await reportOf(playwright, {
    ...config,
    'a.spec.ts': `import { expect, test } from '@playwright/test'
      test.describe('lists', () => {
        test('pass', () => {})
        test('pass at last', ({}, { retry }) => expect(retry + 1).toBe(2))
        test.skip('are skipped', () => {})
        test('fail', () => expect('a').toBe('b'))
      })`,
  })
  expect(report).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: [{ test: 'a.spec.ts:6 › lists › fail', error: expect.stringContaining('Expected: "b"') }],
    flaky: [{ test: 'a.spec.ts:4 › lists › pass at last', error: expect.stringContaining('Expected: 2') }],
    files: [{ file: 'a.spec.ts', ms: expect.any(Number) }],
  })
  expect(await reportOf(playwright, { ...config, 'b.spec.ts': "throw new Error('does not load')" })).toMatchObject({
    failures: [{ test: 'b.spec.ts:1', error: 'Error: does not load' }, { error: 'Error: No tests found' }],
  })
})
