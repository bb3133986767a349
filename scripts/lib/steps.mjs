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
 * A step that is one check: it passes when the command does. What the command prints appears in one piece at its end,
 * since other steps may run beside it.
 * @param {string} name
 * @param {...(readonly string[])} commands run one after the other, all of them
 * @returns {Step}
 */
export const check = (name, ...commands) => ({
  name,
  async work() {
    let isGood = true
    for (const command of commands) {
      const { exitCode, output } = await run(command, { quiet: true })
      if (output.trim()) console.log(`\n${name}:\n${output.trimEnd()}`)
      isGood = exitCode === 0 && isGood
    }
    return one(isGood)
  },
})

/** @param {boolean} isGood @returns {Outcome} */
export const one = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 })

/**
 * Runs every step, also after a failed one: one run tells all that is wrong.
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
 * Prints the results; the exit code becomes 1 on a failure.
 * @param {StepResult[]} results
 */
export function report(results) {
  console.log(`\n${summary(results)}`)
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1
}

/**
 * A line per step, and as the last one `N passed, N failed`.
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
  return one(false)
}
