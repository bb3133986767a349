import { defineConfig } from '@playwright/test'
import { patienceMs, retries } from '../scripts/lib/patience.mjs'
import { applySeed } from '../scripts/lib/test-seed.mjs'
import { findTestChromium } from '../scripts/lib/tools.mjs'

/**
 * Suggestions of the address bar, which Chromium loads with each page and no journey sees. The others are those that Playwright disables; a second `--disable-features` replaces its own.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const { timeZone, locale } = applySeed()

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
    // A step that can never succeed fails long before the test's own limit, which a run of hundreds of tests waits for twice.
    actionTimeout: patienceMs,
    navigationTimeout: patienceMs,
    // Recording a trace takes a sixth of the time of a journey, so CI records that of the second attempt only. Screenshots
    // are taken continuously; the pages of a trace show the same.
    trace: { mode: retries > 0 ? 'on-first-retry' : 'retain-on-failure', screenshots: false },
    timezoneId: timeZone,
    locale,
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findTestChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--font-render-hinting=none',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
  },
})
