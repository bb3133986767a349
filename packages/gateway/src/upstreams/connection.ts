import { join } from 'node:path'
import { isIPv6 } from 'node:net'
import { type KubernetesConfig, type PluginConfig, type ServiceConfig, parseServiceUrl } from './settings'
import type { WatchedFiles } from './watched-file'
import { configError, setting, type Setting, type SettingName } from '../config-error'

/** Options of a TLS connection; certificates and keys in PEM. */
export interface Tls {
  ca?: string
  cert?: string
  key?: string
  servername?: string
  rejectUnauthorized: boolean
}

/** The gateway's credentials at an upstream. */
export interface Credentials {
  tls: Tls
  token: string | undefined
}

/** Where an upstream is, and the gateway's credentials there. */
export interface Connection {
  /** Fixed at the start, so that a file that changes later cannot redirect calls. */
  readonly url: URL
  /** The current credentials. @throws Error or HttpError if there are none */
  credentials(): Promise<Credentials>
  /** Called when the upstream rejects the credentials, so that they are renewed if possible. */
  invalidate(): void
}

type FlagConnection = ServiceConfig & { token?: string | (() => string); tokenFile?: string }

export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A connection by URL and files. @throws ConfigError that says what to change */
export function flagConnection(name: SettingName, config: FlagConnection, files: WatchedFiles): Connection {
  const { caFile, tokenFile, token, insecureSkipTlsVerify = false } = config
  if (token === '') throw configError`The token of ${setting(name)} is empty.`
  return {
    url: parseServiceUrl(name, config.url),
    async credentials() {
      const tls: Tls = { rejectUnauthorized: !insecureSkipTlsVerify }
      if (caFile) tls.ca = await files.read(caFile)
      const text = tokenFile ? await files.read(tokenFile) : typeof token === 'function' ? token() : token
      return { tls, token: text === undefined ? undefined : parseToken(text, setting(name)) }
    },
    invalidate: () => {},
  }
}

/** A connection with the service account of the gateway's pod. */
export function inClusterConnection(files: WatchedFiles, env: NodeJS.ProcessEnv, folder: string): Connection {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) {
    throw configError`${setting('kubernetes.access inCluster')} only works in a pod: KUBERNETES_SERVICE_HOST is not set.`
  }
  const url = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
  const config = { url, caFile: join(folder, 'ca.crt'), tokenFile: join(folder, 'token') }
  return flagConnection('kubernetes.access', config, files)
}

/** A connection with the plugin's own token, or without one if the gateway's is forwarded. */
export function pluginConnection(
  name: SettingName,
  { token, ...service }: PluginConfig,
  files: WatchedFiles,
): Connection {
  if (token === 'gateway') return flagConnection(name, service, files)
  const tokenSource = typeof token === 'function' ? { token } : { tokenFile: token.file }
  return flagConnection(name, { ...service, ...tokenSource }, files)
}

/** The same connection without the gateway's credentials, for calls that carry the user's own token. */
export const withoutCredentials = (connection: Connection): Connection => ({
  url: connection.url,
  async credentials() {
    const { cert: _cert, key: _key, ...tls } = (await connection.credentials()).tls
    return { tls, token: undefined }
  },
  invalidate: () => {},
})

/** @throws ConfigError for a token that cannot be sent in a header */
export function parseToken(text: string, source: string | Setting): string {
  const token = text.trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw configError`The token of ${source} is empty or not valid.`
  return token
}

export const isKubeconfigConnection = (
  access: KubernetesConfig['access'],
): access is Extract<KubernetesConfig['access'], { kubeconfig: string }> => 'kubeconfig' in access
