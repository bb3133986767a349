import { defineConfig } from '@playwright/test'
import { patienceMs } from '../scripts/lib/patience.mjs'
import { findChromium } from '../scripts/lib/tools.mjs'

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './build.ts',
  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // A slow or busy machine costs time, never a result.
  timeout: 5 * patienceMs,
  expect: { timeout: patienceMs },
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
