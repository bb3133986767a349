import { readFileSync } from 'node:fs'

/** The control plane that `npm run test:cluster` started. */
export interface RealServer {
  url: string
  /** Token of a cluster administrator. */
  token: string
  /** The certificate to trust, in PEM. */
  ca: string
  /** One JSON event per line, in `audit.k8s.io/v1`. */
  auditLogPath: string
}

export const realServer = (): RealServer => ({
  url: setting('CONTROL_PLANE_URL'),
  token: setting('CONTROL_PLANE_TOKEN'),
  ca: readFileSync(setting('NODE_EXTRA_CA_CERTS'), 'utf8'),
  auditLogPath: setting('CONTROL_PLANE_AUDIT_LOG'),
})

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: these tests are run by npm run test:cluster.`)
  return value
}
