import { join } from 'node:path'
import { isIPv6 } from 'node:net'
import type { KubernetesConfig, PluginConfig, ServiceConfig } from '../config'
import { serviceUrl } from './settings'
import type { WatchedFiles } from './watched-file'

/** What a TLS connection is made with; all in PEM. */
export interface Tls {
  ca?: string
  cert?: string
  key?: string
  servername?: string
  rejectUnauthorized: boolean
}

/** Who the gateway is at an upstream. */
export interface Credentials {
  tls: Tls
  token: string | undefined
}

/** Where an upstream is and who the gateway is there. */
export interface Connection {
  /** Fixed at the start: nothing that is read later can send calls elsewhere. */
  readonly url: URL
  /** As they are now. @throws Error or Refusal when there are none */
  credentials(): Promise<Credentials>
  /** The upstream does not accept the credentials: those that can be got anew must be. */
  refused(): void
}

type FlagConnection = ServiceConfig & { token?: string | (() => string); tokenFile?: string }

export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Access by a URL, with files beside it. @throws Error with one sentence that says what to change */
export function flagConnection(option: string, config: FlagConnection, files: WatchedFiles): Connection {
  const { caFile, tokenFile, token, insecureSkipTlsVerify = false } = config
  if (token === '') throw new Error(`The token of ${option} is empty.`)
  return {
    url: serviceUrl(option, config.url),
    async credentials() {
      const tls: Tls = { rejectUnauthorized: !insecureSkipTlsVerify }
      if (caFile) tls.ca = await files.read(caFile)
      const text = tokenFile ? await files.read(tokenFile) : typeof token === 'function' ? token() : token
      return { tls, token: text === undefined ? undefined : checkedToken(text, option) }
    },
    refused: () => {},
  }
}

/** Access with the service account of the pod that the gateway runs in. */
export function inClusterConnection(files: WatchedFiles, env: NodeJS.ProcessEnv, folder: string): Connection {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) {
    throw new Error('kubernetes.access inCluster works in a pod only: KUBERNETES_SERVICE_HOST is not set.')
  }
  const url = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
  const config = { url, caFile: join(folder, 'ca.crt'), tokenFile: join(folder, 'token') }
  return flagConnection('kubernetes.access', config, files)
}

/** A plugin's own token, or none where the gateway's is handed on. */
export function pluginConnection(option: string, { token, ...service }: PluginConfig, files: WatchedFiles): Connection {
  if (token === 'gateway') return flagConnection(option, service, files)
  const own = typeof token === 'function' ? { token } : { tokenFile: token.file }
  return flagConnection(option, { ...service, ...own }, files)
}

/** The same place without anything that says who the gateway is: for calls that carry the user's own token. */
export const anonymously = (access: Connection): Connection => ({
  url: access.url,
  async credentials() {
    const { cert: _cert, key: _key, ...tls } = (await access.credentials()).tls
    return { tls, token: undefined }
  },
  refused: () => {},
})

/** @throws Error for what would not survive the journey in a header */
export function checkedToken(text: string, option: string): string {
  const token = text.trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`The token of ${option} is empty or no token.`)
  return token
}

export const isKubeconfigConnection = (
  access: KubernetesConfig['access'],
): access is Extract<KubernetesConfig['access'], { kubeconfig: string }> => 'kubeconfig' in access
