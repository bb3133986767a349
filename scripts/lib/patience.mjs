import { join } from 'node:path'

/**
 * How long a test waits for a condition before it gives up, in milliseconds. Only a failing test ever waits that long:
 * a slow or busy machine costs time, never a result.
 */
export const patienceMs = 120_000

/** Settings of every Vitest project. */
export const sharedTestSettings = {
  // Importing the modules of the console takes longer than most files of tests. Files share what the tests of one file
  // share: a test that changes state of the process restores it.
  isolate: false,
  testTimeout: 5 * patienceMs,
  hookTimeout: 5 * patienceMs,
  expect: { poll: { timeout: patienceMs } },
  setupFiles: [join(import.meta.dirname, 'test-setup.ts')],
}
