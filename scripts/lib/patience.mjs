import { join } from 'node:path'
import { testOrder } from './test-seed.mjs'

/** The environment variable with which `npm run mutate`, whose tests are expected to fail, shortens their waits. */
export const patienceVariable = 'SLIPWAY_TEST_PATIENCE_MS'

/**
 * How long a test waits for a condition, in milliseconds. Only a failing test ever waits that long, so a slow or busy
 * machine makes tests slower but does not make them fail.
 */
export const patienceMs = Number(process.env[patienceVariable] || 120_000)

/** CI repeats a failed test once: a test that then passes is named in the summary of `npm test`. */
export const retries = process.env.CI ? 1 : 0

/** Settings of every Vitest project. */
export const sharedTestSettings = {
  // Importing the console's modules takes longer than most test files, so test files share a process. A test that changes
  // process state must restore it, except for spies, stubs and fake timers, which end before the next test.
  isolate: false,
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  sequence: testOrder(),
  retry: retries,
  testTimeout: 4 * patienceMs,
  hookTimeout: 4 * patienceMs,
  expect: { poll: { timeout: patienceMs } },
  setupFiles: [join(import.meta.dirname, 'test-setup.ts')],
}
