import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { steady } from '@slipway/kube/clock'
import { initialCredentials, kubernetesConnection, type AccessParts, type KubernetesAccess } from './kubernetes-access'
import { createService } from './service'
import { warnOfPlainHttp } from './service-config'
import { serviceFetch } from './service-fetch'
import { watchedFiles } from './watched-file'

/** A cluster, called with one's own permissions. */
export interface Cluster {
  /** A call by a path such as `/version`. @throws HttpError if there is no response */
  fetch: typeof fetch
  client: KubeClient
  close(): Promise<void>
}

interface ClusterParts extends Omit<AccessParts, 'upstream' | 'files'> {
  access: KubernetesAccess
  /** How long a call may wait for the start of its response. */
  firstByteMs: number
}

/** @throws ConfigError for an unusable kubeconfig, or other credentials that cannot be read */
export async function openCluster({ access, ...parts }: ClusterParts): Promise<Cluster> {
  const { firstByteMs, clock, log } = parts
  const name = 'kubernetes'
  const files = watchedFiles({ clock: steady(clock), log })
  const connection = await kubernetesConnection(access, { ...parts, upstream: name, files })
  await initialCredentials(connection)
  const service = createService({ name, connection, firstByteMs, clock, log })
  warnOfPlainHttp(name, connection.url, log)
  const fetch = serviceFetch(service)
  return {
    fetch,
    client: createKubeClient({ baseUrl: '', fetch, probeUrl: '/version' }),
    close: () => service.close(),
  }
}
