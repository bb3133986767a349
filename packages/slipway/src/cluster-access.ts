import type { KubernetesAccess } from '@slipway/connect/kubernetes-access'
import { defined } from './defined'
import type { Flags } from './flags'
import { StartError } from './start-error'

type ClusterFlag =
  'kubeconfig' | 'context' | 'in-cluster' | 'kubernetes-url' | 'kubernetes-ca-file' | 'kubernetes-token-file'

/** The cluster that the flags choose. @throws StartError unless they choose exactly one */
export function clusterAccess(flags: Flags<ClusterFlag>): KubernetesAccess {
  const kubeconfig = flags.text('kubeconfig')
  const url = flags.text('kubernetes-url')
  const ways = [kubeconfig !== undefined, url !== undefined, flags.isOn('in-cluster')].filter(Boolean)
  if (ways.length !== 1) {
    const many = ways.length > 1 ? ', only one of them' : ''
    throw new StartError(`Choose a cluster with --kubeconfig, --in-cluster or --kubernetes-url${many}.`)
  }
  if (kubeconfig !== undefined) return { kubeconfig, ...defined({ context: flags.text('context') }) }
  if (flags.text('context') !== undefined) throw new StartError('--context requires --kubeconfig.')
  if (url === undefined) return { inCluster: true }
  return {
    url,
    ...defined({ caFile: flags.text('kubernetes-ca-file'), tokenFile: flags.text('kubernetes-token-file') }),
  }
}
