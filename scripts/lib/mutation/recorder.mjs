// Setup file of Vitest: writes the keys of the mutations that tests execute, without those that their file executes when it
// is loaded.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeEach } from 'vitest'
import { recorderName } from './mutations.mjs'
import { executedVariable } from './vitest-run.mjs'

/** @type {Set<string>} */
const executed = new Set()
let isInTest = false
Object.assign(globalThis, { [recorderName]: (/** @type {string} */ key) => isInTest && executed.add(key) })

beforeEach(() => {
  isInTest = true
})
afterAll(() => {
  isInTest = false
  const file = process.env[executedVariable]
  if (file) appendFileSync(file, [...executed, ''].join('\n'))
})
