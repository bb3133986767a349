import { ExitError } from './exit-error.mjs'
import { secondsSince } from './progress.mjs'
import { run } from './run.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} [skipped]
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
    let hasPassed = true
    for (const command of commands) {
      const { exitCode, output } = await run(command, { quiet: true })
      if (output.trim()) console.log(`\n${name}:\n${output.trimEnd()}`)
      hasPassed = exitCode === 0 && hasPassed
    }
    return outcomeOf(hasPassed)
  },
})

/** @param {boolean} hasPassed @returns {Outcome} */
export const outcomeOf = (hasPassed) => ({ passed: hasPassed ? 1 : 0, failed: hasPassed ? 0 : 1 })

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
    results.push({ name, ...(await work().catch(failed)), time: secondsSince(startedMs) })
  }
  return results
}

/**
 * Prints the results, and sets the exit code to 1 on a failure.
 * @param {StepResult[]} results
 */
export function report(results) {
  console.log(`\n${summary(results)}`)
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1
}

/**
 * One line per step, and `N passed, N failed` as the last line.
 * @param {StepResult[]} results
 */
export function summary(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.map(({ name, passed, failed, skipped, time }) => {
    const counts = `${passed} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`
    return `${failed ? '✗' : '✓'} ${name.padEnd(width)}  ${time.padStart(8)}  ${counts}`
  })
  const total = (/** @type {'passed' | 'failed'} */ key) => results.reduce((sum, result) => sum + result[key], 0)
  return [...lines, '', `${total('passed')} passed, ${total('failed')} failed`].join('\n')
}

/** @param {unknown} error @returns {Outcome} */
function failed(error) {
  console.error(error instanceof ExitError ? `${error.output}\n${error.message}` : error)
  return outcomeOf(false)
}
