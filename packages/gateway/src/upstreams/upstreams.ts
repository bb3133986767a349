import type { FastifyBaseLogger } from 'fastify'
import { steady, type Clock } from '@slipway/kube/clock'
import { isLoopback } from '../origins'
import { HttpError } from '../http-error'
import {
  flagConnection,
  inClusterConnection,
  isKubeconfigConnection,
  pluginConnection,
  type Connection,
} from './connection'
import { createKubernetes, type Kubernetes } from './kubernetes'
import { kubeconfigConnection } from './kubeconfig-connection'
import { listerHeaders } from './outgoing'
import { createPlugin, type Plugin } from './plugin'
import type { UpstreamSettings } from './settings'
import { createService } from './service'
import { createUpstream, type Upstream } from './upstream'
import { watchedFiles, type WatchedFiles } from './watched-file'
import { configError, setting } from '../config-error'

/** All services behind the gateway. */
export interface Upstreams {
  kubernetes: Kubernetes
  namespaceLister: Upstream | undefined
  plugins: readonly Plugin[]
  close(): Promise<void>
}

export interface UpstreamsParts {
  settings: UpstreamSettings
  firstByteMs: number
  env: NodeJS.ProcessEnv
  /** Where a pod's service account is mounted. */
  serviceAccountFolder: string
  clock: Clock
  log: FastifyBaseLogger
}

/** @throws ConfigError that says what to change in the configuration */
export async function createUpstreams(parts: UpstreamsParts): Promise<Upstreams> {
  const { settings, firstByteMs, clock, log } = parts
  const files = watchedFiles({ clock: steady(clock), log })
  const common = { firstByteMs, clock, log }
  const connection = await kubernetesConnection(parts, files)
  await checkCredentials(settings, connection)
  const kubernetes = createKubernetes({ ...common, connection, settings: settings.kubernetes })
  const plugins = settings.plugins.map(({ kind, config }) =>
    createPlugin({
      ...common,
      clock: steady(clock),
      kind,
      connection: pluginConnection(kind.setting, config, files),
      gateway: config.token === 'gateway' ? kubernetes : undefined,
    }),
  )
  const lister = settings.namespaceLister
  const namespaceLister =
    lister &&
    createUpstream(
      createService({
        ...common,
        name: 'namespace-lister',
        connection: flagConnection('namespaceLister', lister, files),
      }),
      // It trusts every caller, and gets the user's name but no token.
      ({ caller }) => listerHeaders(caller.identity),
    )
  warnOfPlainHttp({ [settings.kubernetes.name]: connection.url, ...serviceUrls(settings) }, log)
  return {
    kubernetes,
    namespaceLister,
    plugins,
    async close() {
      await Promise.all([kubernetes, namespaceLister, ...plugins].map((upstream) => upstream?.close()))
    },
  }
}

async function kubernetesConnection(parts: UpstreamsParts, files: WatchedFiles): Promise<Connection> {
  const { settings, env, serviceAccountFolder, clock, log } = parts
  const { access, name } = settings.kubernetes
  if ('url' in access) return flagConnection('kubernetes.access', access, files)
  if (!isKubeconfigConnection(access)) return inClusterConnection(files, env, serviceAccountFolder)
  return kubeconfigConnection({ ...access, upstream: name, isLocal: settings.isLocal, files, env, clock, log })
}

/** Reads the credentials once, so that a wrong path fails the start. A program's failure may be temporary. */
async function checkCredentials(settings: UpstreamSettings, connection: Connection): Promise<void> {
  const { kubernetes, namespaceLister, plugins } = settings
  const credentials = await connection.credentials().catch((error: unknown) => {
    if (error instanceof HttpError) return undefined
    throw error
  })
  if (!credentials) return
  const { token, tls } = credentials
  const hasOwn = token !== undefined || tls.cert !== undefined
  if (kubernetes.as === 'impersonate' && !hasOwn) {
    throw configError`${setting('kubernetes.access')} has no credentials, which are needed to impersonate users.`
  }
  if (kubernetes.as === 'id-token' && !hasOwn && !namespaceLister) {
    throw configError`${setting("kubernetes.as 'id-token'")} without credentials of the gateway needs a ${setting('namespaceLister')}, since users may not list namespaces.`
  }
  if (token === undefined && plugins.some(({ config }) => config.token === 'gateway')) {
    throw configError`A plugin's token 'gateway' needs a token in ${setting('kubernetes.access')}, but there is none.`
  }
}

/** The URLs were validated with the settings. */
const serviceUrls = ({ namespaceLister, plugins }: UpstreamSettings): Record<string, URL> => ({
  ...(namespaceLister && { namespaceLister: new URL(namespaceLister.url) }),
  ...Object.fromEntries(plugins.map(({ kind, config }) => [kind.setting, new URL(config.url)])),
})

/** Credentials are sent unencrypted, which is allowed on a machine where only its own users can reach the gateway. */
function warnOfPlainHttp(urls: Record<string, URL>, log: FastifyBaseLogger): void {
  for (const [upstream, { protocol, hostname }] of Object.entries(urls)) {
    if (protocol === 'http:' && !isLoopback(hostname))
      log.warn({ upstream }, 'calls to an upstream are not encrypted by TLS')
  }
}
