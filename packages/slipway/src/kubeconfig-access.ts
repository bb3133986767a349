import { openCluster, type Cluster } from '@slipway/connect/cluster'
import type { Log } from '@slipway/connect/log'
import { systemClock } from '@slipway/kube/clock'

export interface KubeconfigAccess {
  kubeconfig: string
  context?: string | undefined
}

interface ConnectionOptions {
  env: NodeJS.ProcessEnv
  log: Log
  /** How long a call may wait for the start of its response. */
  firstByteMs: number
}

/**
 * Connects to the cluster of a kubeconfig with the permissions of its user.
 * @throws ConfigError for an unusable kubeconfig
 */
export const openKubeconfig = (access: KubeconfigAccess, options: ConnectionOptions): Promise<Cluster> =>
  openCluster({ access, isLocal: true, clock: systemClock, ...options })
