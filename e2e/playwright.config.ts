import { defineConfig } from '@playwright/test'
import { patienceMs, retries } from '../scripts/lib/patience.mjs'
import { findChromium } from '../scripts/lib/tools.mjs'

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './build.ts',
  forbidOnly: true,
  fullyParallel: true,
  // The third worker mostly waits, in the fault run.
  workers: 3,
  retries,
  // A slow or busy machine makes tests slower but does not make them fail.
  timeout: 5 * patienceMs,
  expect: { timeout: patienceMs },
  // The fault run mostly waits, for minutes: it starts first, and the other journeys run alongside.
  projects: [
    { name: 'fault run', testMatch: 'fault-run.spec.ts' },
    { name: 'journeys', testIgnore: ['fault-run.spec.ts', 'bench/**'] },
  ],
  reporter: 'list',
  use: {
    headless: true,
    trace: 'retain-on-failure',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
