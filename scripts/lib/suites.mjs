import { readFileSync, rmSync } from 'node:fs'
import { recordOpenedScreens } from './opened-screens.mjs'
import { reportVariable } from './report.mjs'
import { commandOf, inRepository } from './repository.mjs'
import { run } from './run.mjs'
import { failedStep } from './steps.mjs'

/** @typedef {import('./steps.mjs').Outcome} Outcome */

/**
 * Runs Vitest; unit and component tests by default.
 * @param {object} [options]
 * @param {string} [options.config] relative to the repository
 * @param {string[]} [options.files] limits the run to these files
 * @param {string} [options.project] limits it to this project of the configuration, or to all but it: `!apiserver`
 * @param {Record<string, string>} [options.env]
 * @param {string} [options.node] path of the Node that runs the tests
 * @param {string[]} [options.prefix] command that starts the tests, such as one that isolates them
 * @returns {Promise<Outcome>}
 */
export async function runVitest({ config = 'vitest.config.ts', files = [], project, env = {}, node, prefix } = {}) {
  const reporters = ['--reporter=default', `--reporter=${inRepository('scripts/lib/vitest-reporter.mjs')}`]
  const outcome = await runSuite(
    'Vitest',
    [
      commandOf('vitest'),
      'run',
      `--config=${config}`,
      ...(project ? [`--project=${project}`] : []),
      ...reporters,
      ...files,
    ],
    env,
    { node, prefix },
  )
  if (outcome.openedScreens) await recordOpenedScreens(outcome.openedScreens)
  return outcome
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
  const reporters = `--reporter=list,${inRepository('scripts/lib/playwright-reporter.mjs')}`
  const command = [commandOf('@playwright/test', 'playwright'), 'test', `--config=${config}`, reporters, ...files]
  return runSuite('Playwright', command, { ...env, CHROMIUM_PATH: chromium })
}

/** The runs of this process: each has a report of its own, since some run at the same time. */
let runs = 0

/**
 * Runs a test runner with our reporter. A run that fails without a failed test (it cannot load its configuration, its
 * server does not start) still counts as a failure.
 * @param {string} runner
 * @param {string[]} command
 * @param {Record<string, string>} env
 * @param {{ node?: string, prefix?: string[] }} [options]
 * @returns {Promise<Outcome>}
 */
async function runSuite(runner, command, env, { node = process.execPath, prefix = [] } = {}) {
  const file = inRepository(`.cache/${runner}-report-${++runs}.json`)
  rmSync(file, { force: true })
  const { exitCode } = await run([...prefix, node, ...command], { env: { ...env, [reportVariable]: file } })
  const outcome = reportIn(file)
  if (outcome && (exitCode === 0 || outcome.failed > 0)) return outcome
  const failed = failedStep(runner, `It exited with code ${exitCode}; see its output.`)
  return { ...failed, ...outcome, failed: 1, failures: outcome?.failures?.length ? outcome.failures : failed.failures }
}

/** @param {string} file @returns {Outcome | undefined} */
function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
