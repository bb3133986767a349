import { defineConfig } from '@playwright/test'
import journeys from './playwright.config'

/** Journeys that hold on a real control plane too; `npm run test:cluster` provides one. */
export default defineConfig({
  ...journeys,
  // They share one cluster, on which one simulator works at a time.
  workers: 1,
  projects: [{ name: 'real control plane', testIgnore: ['bench/**'], grep: /@cluster/ }],
})
