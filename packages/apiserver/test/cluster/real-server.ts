import { readFileSync } from 'node:fs'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'

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
  url: clusterSetting('CONTROL_PLANE_URL'),
  token: clusterSetting('CONTROL_PLANE_TOKEN'),
  ca: readFileSync(clusterSetting('NODE_EXTRA_CA_CERTS'), 'utf8'),
  auditLogPath: clusterSetting('CONTROL_PLANE_AUDIT_LOG'),
})
