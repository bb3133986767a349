import { withProgress } from '../lib/progress.mjs'
import { runVitest } from '../lib/suites.mjs'
import { buildControlPlane } from './build.mjs'
import { startControlPlane } from './start.mjs'

/** The gateway's own account, of which `slipway/src/users.ts` knows; only its rights let it act as others. */
const gatewayUser = 'system:slipway:gateway'

/** Starts a control plane for the tests that need one. @returns {Promise<import('../lib/steps.mjs').Outcome>} */
export async function runClusterTests() {
  const programs = await buildControlPlane()
  const controlPlane = await withProgress('Starting the control plane', () =>
    startControlPlane(programs, { users: [{ name: gatewayUser }] }),
  )
  try {
    return await runVitest({
      config: 'vitest.cluster.config.ts',
      env: {
        NODE_EXTRA_CA_CERTS: controlPlane.caPath,
        CONTROL_PLANE_URL: controlPlane.url,
        CONTROL_PLANE_TOKEN: controlPlane.tokens.admin ?? '',
        CONTROL_PLANE_GATEWAY_TOKEN: controlPlane.tokens[gatewayUser] ?? '',
        CONTROL_PLANE_AUDIT_LOG: controlPlane.auditLogPath,
      },
    })
  } finally {
    await controlPlane.close()
  }
}
