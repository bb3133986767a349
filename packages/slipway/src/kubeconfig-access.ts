import type { FastifyBaseLogger } from 'fastify'
import type { Kubernetes } from '@slipway/gateway/upstreams/kubernetes'
import { createUpstreams } from '@slipway/gateway/upstreams/upstreams'
import { systemClock } from '@slipway/kube/clock'

export interface KubeconfigAccess {
  kubeconfig: string
  context?: string | undefined
}

interface ConnectionOptions {
  env: NodeJS.ProcessEnv
  log: FastifyBaseLogger
  /** How long a call may wait for the start of its response. */
  firstByteMs: number
}

/**
 * Connects to the cluster of a kubeconfig with the permissions of its user.
 * @throws ConfigError for an unusable kubeconfig
 */
export async function openKubeconfig(
  access: KubeconfigAccess,
  options: ConnectionOptions,
): Promise<{ kubernetes: Kubernetes; close(): Promise<void> }> {
  return createUpstreams({
    settings: {
      isLocal: true,
      kubernetes: { name: 'kubernetes', access, as: 'own', namespaceSelector: '' },
      namespaceLister: undefined,
      plugins: [],
    },
    serviceAccountFolder: '',
    clock: systemClock,
    ...options,
  })
}
