import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config'

/** Measurements need the machine to themselves: one worker, no traces. */
export default defineConfig(journeys, {
  testDir: '.',
  testMatch: '*.bench.ts',
  // Those of the journeys leave out what is measured.
  projects: [{ name: 'journeys', testIgnore: [] }],
  globalSetup: '../build.ts',
  outputDir: '../test-results',
  workers: 1,
  fullyParallel: false,
  timeout: 300_000,
  reporter: 'line',
  use: { trace: 'off' },
})
