import { withProgress } from '../lib/progress.mjs'
import { failedStep } from '../lib/steps.mjs'
import { runPlaywright, runVitest } from '../lib/suites.mjs'
import { buildControlPlane } from './build.mjs'
import { startControlPlane } from './start.mjs'

/** The gateway's own account from `slipway/src/users.ts`; its role lets it impersonate users. */
const gatewayUser = 'system:slipway:gateway'

/**
 * Starts a control plane for the tests that need one.
 * @param {string | undefined} chromium for the journeys
 * @returns {Promise<import('../lib/steps.mjs').Outcome>}
 */
export async function runClusterTests(chromium) {
  const programs = await buildControlPlane()
  const controlPlane = await withProgress('Starting the control plane', () =>
    startControlPlane(programs, { users: [{ name: gatewayUser }] }),
  )
  const env = {
    NODE_EXTRA_CA_CERTS: controlPlane.caPath,
    CONTROL_PLANE_URL: controlPlane.url,
    CONTROL_PLANE_TOKEN: controlPlane.tokens.admin ?? '',
    CONTROL_PLANE_GATEWAY_TOKEN: controlPlane.tokens[gatewayUser] ?? '',
    CONTROL_PLANE_AUDIT_LOG: controlPlane.auditLogPath,
    CONTROL_PLANE_KUBECTL: programs.kubectl,
  }
  try {
    const tests = await runVitest({ config: 'vitest.cluster.config.ts', env })
    const journeys = chromium
      ? await runPlaywright(chromium, { config: 'e2e/playwright.cluster.config.ts', env })
      : failedStep('Journeys', 'Chromium was not found.')
    return {
      passed: tests.passed + journeys.passed,
      failed: tests.failed + journeys.failed,
      skipped: (tests.skipped ?? 0) + (journeys.skipped ?? 0),
      failures: [tests, journeys].flatMap(({ failures = [] }) => failures),
      flaky: [tests, journeys].flatMap(({ flaky = [] }) => flaky),
      files: [tests, journeys].flatMap(({ files = [] }) => files),
    }
  } finally {
    await controlPlane.close()
  }
}
