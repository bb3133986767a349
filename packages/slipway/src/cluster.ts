import { createApiServer, type ApiServer, type ApiServerOptions } from '@slipway/apiserver/api-server'
import { yamlWorker } from '@slipway/apiserver/yaml-worker'
import type { Clock } from '@slipway/kube/clock'
import type { Random } from '@slipway/apiserver/random'
import type { Storage } from '@slipway/apiserver/storage/storage'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import type { GroupLayout } from '@slipway/model/group-layout'
import { platformObjects } from '@slipway/model/platform-objects'
import { objectsOfPlatform, type PlatformVersion } from '@slipway/simulator/platform-version'
import { applyObjects } from './apply'
import { authenticator, completeCredentials, type Credentials } from './credentials'
import { gatewayAccess } from './gateway-access'
import { queuePositions } from './queue-positions'
import type { UserName } from './users'

export interface ClusterOptions {
  storage: Storage
  /** By default new ones, which are discarded with the cluster. */
  credentials?: Credentials
  clock?: Clock
  random?: Random
  /** How long events are retained; default: an hour. */
  eventTtlMs?: number
  /** The groups of the kinds of the product; `old` by default. */
  groups?: GroupLayout
  /** Which platform to install; default: `current`. */
  platform?: PlatformVersion
}

export interface Cluster {
  server: ApiServer
  credentials: Credentials
  /** An in-process client that calls as a built-in user or the cluster administrator. */
  client(name: UserName | 'system'): KubeClient
  close(): Promise<void>
}

/**
 * Memory for the changes from which watches resume: thousands of them, so that only a watch that was away for long reads
 * the storage. The rest of what the default would retain is memory that a demo uses at rest (docs/benchmarks.md).
 */
const watchLogBytes = 16 * 1024 * 1024

/** Creates an API server with the platform installed. It does not listen on any port. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { groups, platform = 'current' } = options
  const hasQueues = platform === 'current'
  const cluster: Cluster = await createCluster({
    ...options,
    ...(hasQueues && { aggregatedApis: [queuePositions(() => cluster.client('system'))] }),
  })
  const installed = objectsOfPlatform(platform, platformObjects(groups))
  await applyObjects(cluster.client('system'), [...installed, ...gatewayAccess])
  return cluster
}

/** Creates an API server on a storage that already contains the platform, or will never need it. */
export async function createCluster({
  storage,
  aggregatedApis,
  credentials = completeCredentials({}),
  clock,
  random,
  eventTtlMs,
}: ClusterOptions & Pick<ApiServerOptions, 'aggregatedApis'>): Promise<Cluster> {
  const server = await createApiServer({
    storage,
    aggregatedApis,
    clock,
    random,
    eventTtlMs,
    watchLogBytes,
    yaml: yamlWorker(),
    rootCertificate: credentials.certificate.cert,
    authenticate: authenticator(credentials),
  })
  const client = (name: string) =>
    createKubeClient({
      baseUrl: 'http://cluster.test',
      headers: { authorization: `Bearer ${credentials.tokens[name]}` },
      timeoutMs: Infinity,
      fetch: (input, init) => server.fetch(new Request(input, init)),
    })
  return { server, credentials, client, close: () => server.close() }
}
