import type { FastifyBaseLogger } from 'fastify'
import { configError } from '@slipway/connect/config-error'
import { flagConnection, type Connection } from '@slipway/connect/connection'
import { initialCredentials, kubernetesConnection } from '@slipway/connect/kubernetes-access'
import { createService } from '@slipway/connect/service'
import { warnOfPlainHttp } from '@slipway/connect/service-config'
import { watchedFiles, type WatchedFiles } from '@slipway/connect/watched-file'
import { steady, type Clock } from '@slipway/kube/clock'
import { createKubernetes, type Kubernetes } from './kubernetes'
import { listerHeaders } from './outgoing'
import { createPlugin, type Plugin } from './plugin'
import type { PluginConfig, UpstreamSettings } from './settings'
import { createUpstream, type Upstream } from './upstream'
import { setting, type SettingName } from '../setting'

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
  clock: Clock
  log: FastifyBaseLogger
}

/** @throws ConfigError that says what to change in the configuration */
export async function createUpstreams(parts: UpstreamsParts): Promise<Upstreams> {
  const { settings, firstByteMs, clock, log } = parts
  const files = watchedFiles({ clock: steady(clock), log })
  const common = { firstByteMs, clock, log }
  const connection = await kubernetesConnection(settings.kubernetes.access, {
    ...parts,
    upstream: settings.kubernetes.name,
    isLocal: settings.isLocal,
    files,
  })
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
  const urls = { [settings.kubernetes.name]: connection.url, ...serviceUrls(settings) }
  for (const [upstream, url] of Object.entries(urls)) warnOfPlainHttp(upstream, url, log)
  return {
    kubernetes,
    namespaceLister,
    plugins,
    async close() {
      await Promise.all([kubernetes, namespaceLister, ...plugins].map((upstream) => upstream?.close()))
    },
  }
}

async function checkCredentials(settings: UpstreamSettings, connection: Connection): Promise<void> {
  const { kubernetes, namespaceLister, plugins } = settings
  const credentials = await initialCredentials(connection)
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

/** A connection with the plugin's own token, or without one if the gateway's is forwarded. */
function pluginConnection(name: SettingName, { token, ...service }: PluginConfig, files: WatchedFiles): Connection {
  if (token === 'gateway') return flagConnection(name, service, files)
  const tokenSource = typeof token === 'function' ? { token } : { tokenFile: token.file }
  return flagConnection(name, { ...service, ...tokenSource }, files)
}
