import type { FastifyBaseLogger } from 'fastify'
import type { Kubernetes } from '@slipway/gateway/upstreams/kubernetes'
import { createUpstreams } from '@slipway/gateway/upstreams/upstreams'
import { systemClock } from '@slipway/kube/clock'

export interface KubeconfigAccess {
  kubeconfig: string
  context?: string | undefined
}

interface Surroundings {
  env: NodeJS.ProcessEnv
  log: FastifyBaseLogger
  /** How long a call may wait for the beginning of its answer. */
  firstByteMs: number
}

/**
 * The cluster of a kubeconfig, called with the rights of its owner.
 * @throws Error with one sentence for a kubeconfig that cannot be used
 */
export async function openKubeconfig(
  access: KubeconfigAccess,
  surroundings: Surroundings,
): Promise<{ kubernetes: Kubernetes; close(): Promise<void> }> {
  return createUpstreams({
    settings: {
      isLocal: true,
      kubernetes: { name: 'kubernetes', access, as: 'own', namespaceSelector: '' },
      namespaceLister: undefined,
      tektonResults: undefined,
      kubeArchive: undefined,
    },
    serviceAccountFolder: '',
    clock: systemClock,
    ...surroundings,
  })
}
