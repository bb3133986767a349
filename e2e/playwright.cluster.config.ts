import { defineConfig } from '@playwright/test'
import type { WorkerOptions } from './fixtures'
import journeys from './playwright.config'

const onCluster = { testIgnore: ['bench/**'], grep: /@cluster/ }

/** Journeys that also run on a real control plane, which `npm run test:cluster` starts, with either host of list views. */
export default defineConfig<object, WorkerOptions>({
  ...journeys,
  // They share one cluster, which supports one simulator at a time.
  workers: 1,
  projects: [
    { name: 'real control plane', ...onCluster },
    { name: 'real control plane without the service for list views', ...onCluster, use: { hasViewsService: false } },
  ],
})
