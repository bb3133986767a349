// Setup file of Vitest: writes the keys of the mutations that tests execute, without those that their file executes when it
// is loaded. Those that tests of other requirements execute are marked.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeEach } from 'vitest'
import { recorderName } from './mutations.mjs'
import { elsewhereMark, executedVariable, ownTestsVariable } from './vitest-run.mjs'

const ownTests = new RegExp(process.env[ownTestsVariable] ?? '')
/** @type {{ own: Set<string>, elsewhere: Set<string> }} */
const executed = { own: new Set(), elsewhere: new Set() }
/** @type {Set<string> | undefined} */
let current
Object.assign(globalThis, { [recorderName]: (/** @type {string} */ key) => current?.add(key) })

beforeEach(({ task }) => {
  current = ownTests.test(fullNameOf(task)) ? executed.own : executed.elsewhere
})
afterAll(() => {
  current = undefined
  const file = process.env[executedVariable]
  const elsewhere = [...executed.elsewhere].map((key) => elsewhereMark + key)
  if (file) appendFileSync(file, [...executed.own, ...elsewhere, ''].join('\n'))
})

/** The name of a test with those of its groups, as `--testNamePattern` reads it. */
const fullNameOf = (/** @type {import('vitest').RunnerTask} */ task) => {
  /** @type {string[]} */
  const names = []
  /** @type {import('vitest').RunnerTask | undefined} */
  let part = task
  for (; part; part = part.suite) names.unshift(part.name)
  return names.join(' ')
}
