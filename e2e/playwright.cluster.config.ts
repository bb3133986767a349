import { defineConfig } from '@playwright/test'
import journeys from './playwright.config'

/** Journeys that also run on a real control plane, which `npm run test:cluster` starts. */
export default defineConfig({
  ...journeys,
  // They share one cluster, which supports one simulator at a time.
  workers: 1,
  projects: [{ name: 'real control plane', testIgnore: ['bench/**'], grep: /@cluster/ }],
})
