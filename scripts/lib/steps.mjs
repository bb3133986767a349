import { ExitError } from './exit-error.mjs'
import { secondsSince } from './progress.mjs'
import { run } from './run.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} [skipped]
 * @property {string} [reason] why nothing was run
 * @property {Failure[]} [failures] what is known of the failed ones
 * @property {Failure[]} [flaky] tests that passed at the second attempt, with the error of the first
 * @property {import('./opened-screens.mjs').Observation[]} [openedScreens] of the console's tests
 * @property {FileTime[]} [files] how long each test file kept a worker busy
 *
 * @typedef {{ file: string, ms: number }} FileTime
 *
 * @typedef {object} Failure
 * @property {string} test file and full name
 * @property {string} error
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {() => Promise<Outcome>} work
 *
 * @typedef {Outcome & { name: string, time: string }} StepResult
 */

/**
 * A step with one check, which passes if all commands succeed. The output of each command is printed at its end, since
 * other steps may run at the same time.
 * @param {string} name
 * @param {...(readonly string[])} commands commands to run one by one, even after a failure
 * @returns {Step}
 */
export const check = (name, ...commands) => ({
  name,
  async work() {
    let errors = ''
    for (const command of commands) {
      const { exitCode, output } = await run(command, { quiet: true })
      if (output.trim()) console.log(`\n${name}:\n${output.trimEnd()}`)
      if (exitCode !== 0) errors += output || `It exited with code ${exitCode}.`
    }
    return errors ? failedStep(name, errors) : passedStep
  },
})

/** @type {Outcome} */
export const passedStep = { passed: 1, failed: 0 }

/** @param {string} reason what is missing, or how to run it @returns {Outcome} */
export const skippedStep = (reason) => ({ passed: 0, failed: 0, reason })

/** @param {string} name @param {string} error @returns {Outcome} */
export const failedStep = (name, error) => ({ passed: 0, failed: 1, failures: [{ test: name, error }] })

/**
 * Runs every step, even after a failure, so that one run reports all problems.
 * @param {Step[]} steps
 * @returns {Promise<StepResult[]>}
 */
export async function runSteps(steps) {
  const results = []
  for (const { name, work } of steps) {
    console.log(`\n▸ ${name}`)
    const startedMs = performance.now()
    const outcome = await work().catch((/** @type {unknown} */ error) => {
      console.error(error instanceof ExitError ? `${error.output}\n${error.message}` : error)
      return failedStep(name, error instanceof ExitError ? `${error.message}\n${error.output}` : String(error))
    })
    results.push({ name, ...outcome, time: secondsSince(startedMs) })
  }
  return results
}

/**
 * Prints the results, and sets the exit code to 1 on a failure.
 * @param {StepResult[]} results
 * @param {string} [note]
 */
export function report(results, note) {
  console.log(`\n${summary(results, note)}`)
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1
}

/**
 * One line per step; the slowest test files; each failed or flaky test, since the middle of a long log may be cut; the
 * note; and `N passed, N failed` as the last line.
 * @param {StepResult[]} results
 * @param {string} [note]
 */
export function summary(results, note) {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.map(({ name, passed, failed, skipped, reason, time }) => {
    const counts = `${passed} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`
    if (passed + failed === 0)
      return `– ${name.padEnd(width)}  ${time.padStart(8)}  skipped${reason ? `: ${reason}` : ''}`
    return `${failed ? '✗' : '✓'} ${name.padEnd(width)}  ${time.padStart(8)}  ${counts}`
  })
  const details = [
    ...results.flatMap(({ failures = [] }) => failures).map((failure) => described('Failed', failure)),
    ...results.flatMap(({ flaky = [] }) => flaky).map((failure) => described('Passed at the second attempt', failure)),
  ]
  const total = (/** @type {'passed' | 'failed'} */ key) => results.reduce((sum, result) => sum + result[key], 0)
  return [
    ...lines,
    '',
    ...slowest(results),
    ...details,
    ...(note ? [note, ''] : []),
    `${total('passed')} passed, ${total('failed')} failed`,
  ].join('\n')
}

const shownFiles = 20

/** @param {StepResult[]} results */
function slowest(results) {
  const files = results.flatMap(({ files = [] }) => files).sort((a, b) => b.ms - a.ms)
  if (files.length === 0) return []
  const lines = files.slice(0, shownFiles).map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(9)} s  ${file}`)
  return ['The slowest test files:', ...lines, '']
}

const shownErrorLines = 15

/** @param {string} what @param {Failure} failure */
const described = (what, { test, error }) =>
  [`${what}: ${test}`, ...error.trim().split('\n').slice(0, shownErrorLines)].join('\n    ') + '\n'
