import { withProgress } from '../lib/progress.mjs'
import { failedStep } from '../lib/steps.mjs'
import { runPlaywright, runVitest } from '../lib/suites.mjs'
import { buildControlPlane } from './build.mjs'
import { startControlPlane } from './start.mjs'

/** @typedef {import('../lib/steps.mjs').Outcome} Outcome */

/** The gateway's own account from `slipway/src/users.ts`; its role lets it impersonate users. */
const gatewayUser = 'system:slipway:gateway'

const config = 'vitest.cluster.config.ts'

/**
 * Runs the tests of the API server, those of the rest and the journeys at the same time, each on a control plane of its
 * own, since all of them change what belongs to a whole cluster. The tests mostly wait: for seconds until a new kind is
 * served, or an object is collected.
 * @param {string | undefined} chromium for the journeys
 * @returns {Promise<Outcome>}
 */
export async function runClusterTests(chromium) {
  const programs = await buildControlPlane()
  const outcomes = await Promise.all([
    onControlPlane('the API server’s tests', programs, (env) => runVitest({ config, project: 'apiserver', env })),
    onControlPlane('the other tests', programs, (env) => runVitest({ config, project: '!apiserver', env })),
    chromium
      ? onControlPlane('the journeys', programs, (env) =>
          runPlaywright(chromium, { config: 'e2e/playwright.cluster.config.ts', env }),
        )
      : failedStep('Journeys', 'Chromium was not found.'),
  ])
  const count = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    outcomes.reduce((sum, outcome) => sum + (outcome[key] ?? 0), 0)
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    failures: outcomes.flatMap(({ failures = [] }) => failures),
    flaky: outcomes.flatMap(({ flaky = [] }) => flaky),
    files: outcomes.flatMap(({ files = [] }) => files),
  }
}

/**
 * Runs something while a control plane runs.
 * @template T
 * @param {string} tests whose control plane it is, as in `the tests`
 * @param {Awaited<ReturnType<typeof buildControlPlane>>} programs
 * @param {(env: Record<string, string>) => Promise<T>} run gets what the tests read from their environment
 */
export async function onControlPlane(tests, programs, run) {
  const controlPlane = await withProgress(`Starting the control plane of ${tests}`, () =>
    startControlPlane(programs, { users: [{ name: gatewayUser }] }),
  )
  try {
    return await run({
      NODE_EXTRA_CA_CERTS: controlPlane.caPath,
      CONTROL_PLANE_URL: controlPlane.url,
      CONTROL_PLANE_TOKEN: controlPlane.tokens.admin ?? '',
      CONTROL_PLANE_GATEWAY_TOKEN: controlPlane.tokens[gatewayUser] ?? '',
      CONTROL_PLANE_AUDIT_LOG: controlPlane.auditLogPath,
      CONTROL_PLANE_KUBECTL: programs.kubectl,
    })
  } finally {
    await controlPlane.close()
  }
}
