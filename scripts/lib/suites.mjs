import { readFileSync, rmSync } from 'node:fs'
import { commandOf, inRepository } from './repository.mjs'
import { run } from './run.mjs'

/** @typedef {import('./steps.mjs').Outcome} Outcome */

/**
 * Runs Vitest; unit and component tests by default.
 * @param {{ config?: string, files?: string[], env?: Record<string, string> }} [options] `config` is relative to the
 *   repository; `files` limits the run to these files
 * @returns {Promise<Outcome>}
 */
export async function runVitest({ config = 'vitest.config.ts', files = [], env = {} } = {}) {
  const file = inRepository(`.cache/${config}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const outcome = await runSuite(file, [commandOf('vitest'), 'run', `--config=${config}`, ...reporters, ...files], env)
  return outcome((report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }))
}

/**
 * Runs journeys in a real browser.
 * @param {string} chromium
 * @param {object} [options]
 * @param {string} [options.config] relative to the repository
 * @param {string[]} [options.files] limits the run to these files
 * @param {Record<string, string>} [options.env]
 * @returns {Promise<Outcome>}
 */
export async function runPlaywright(chromium, { config = 'e2e/playwright.config.ts', files = [], env = {} } = {}) {
  const file = inRepository('.cache/playwright.json')
  const outcome = await runSuite(
    file,
    [commandOf('@playwright/test', 'playwright'), 'test', `--config=${config}`, '--reporter=list,json', ...files],
    { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  )
  return outcome(({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }))
}

/**
 * Runs a test runner that writes a JSON report. A run that fails without a failed test (a file that does not load, a
 * server that does not start) still counts as a failure.
 * @param {string} reportFile
 * @param {string[]} command
 * @param {Record<string, string>} [env]
 * @returns {Promise<(read: (report: any) => Outcome) => Outcome>}
 */
async function runSuite(reportFile, command, env) {
  rmSync(reportFile, { force: true })
  const { exitCode } = await run([process.execPath, ...command], { env })
  return (read) => {
    const outcome = reportIn(reportFile, read)
    return exitCode === 0 || outcome.failed > 0 ? outcome : { ...outcome, failed: 1 }
  }
}

/** @param {string} file @param {(report: any) => Outcome} read */
function reportIn(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: 1 } // the runner exited before it could report
  }
}
