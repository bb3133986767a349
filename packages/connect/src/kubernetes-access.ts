import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '@slipway/kube/clock'
import { configError, Setting, type AccessSetting } from './config-error'
import { flagConnection, type Connection, type Credentials, type FlagConnection } from './connection'
import { HttpError } from './http-error'
import { kubeconfigConnection } from './kubeconfig-connection'
import type { Log } from './log'
import type { WatchedFiles } from './watched-file'

/** Where a cluster is and the own credentials there. Files are reread when they change. */
export type KubernetesAccess =
  FlagConnection | { kubeconfig: string; context?: string | undefined } | { inCluster: true }

export interface AccessParts {
  /** Name of the cluster in messages. */
  upstream: string
  /** Whether only this machine can reach what uses the connection, so that otherwise unsafe settings are allowed. */
  isLocal: boolean
  files: WatchedFiles
  env: NodeJS.ProcessEnv
  /** Where a pod's service account is mounted; default: where Kubernetes mounts it. */
  serviceAccountFolder?: string
  clock: Clock
  log: Log
}

const defaultServiceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

const settingName = {
  url: 'kubernetes.access',
  inCluster: 'kubernetes.access inCluster',
} satisfies Record<string, AccessSetting>

/** @throws ConfigError that says what to change */
export async function kubernetesConnection(access: KubernetesAccess, parts: AccessParts): Promise<Connection> {
  const { files, env } = parts
  if ('url' in access) return flagConnection(settingName.url, access, files)
  if ('inCluster' in access)
    return inClusterConnection(files, env, parts.serviceAccountFolder ?? defaultServiceAccountFolder)
  return kubeconfigConnection({ ...access, ...parts })
}

/**
 * Reads the credentials once, so that a wrong path fails the start. A program's failure may be temporary.
 * @throws ConfigError for files that cannot be used
 */
export const initialCredentials = (connection: Connection): Promise<Credentials | undefined> =>
  connection.credentials().catch((error: unknown) => {
    if (error instanceof HttpError) return undefined
    throw error
  })

/** A connection with the service account of this pod. */
function inClusterConnection(files: WatchedFiles, env: NodeJS.ProcessEnv, folder: string): Connection {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) {
    throw configError`${new Setting(settingName.inCluster)} only works in a pod: KUBERNETES_SERVICE_HOST is not set.`
  }
  const url = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
  const config = { url, caFile: join(folder, 'ca.crt'), tokenFile: join(folder, 'token') }
  return flagConnection(settingName.url, config, files)
}
