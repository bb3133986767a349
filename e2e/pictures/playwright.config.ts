import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config'

/** One demo for all pictures, taken one by one. */
export default defineConfig(journeys, {
  testDir: '.',
  testMatch: 'pictures.ts',
  // Those of the journeys leave out the pictures.
  projects: [{ name: 'journeys', testIgnore: [] }],
  globalSetup: '../build.ts',
  outputDir: '../test-results',
  workers: 1,
  fullyParallel: false,
})
