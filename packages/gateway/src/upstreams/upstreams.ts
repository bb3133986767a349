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
import type { PluginConfig } from '../config'
import { createKubernetes, type Kubernetes } from './kubernetes'
import { kubeconfigConnection } from './kubeconfig-connection'
import { createPlugin, kubeArchive, tektonResults, type Plugin, type PluginKind } from './plugin'
import { serviceUrl, type UpstreamSettings } from './settings'
import { createUpstream, type Upstream } from './upstream'
import { watchedFiles, type WatchedFiles } from './watched-file'

/** Everything behind the gateway. */
export interface Upstreams {
  kubernetes: Kubernetes
  namespaceLister: Upstream | undefined
  tektonResults: Plugin | undefined
  kubeArchive: Plugin | undefined
  close(): Promise<void>
}

export interface UpstreamsParts {
  settings: UpstreamSettings
  firstByteMs: number
  env: NodeJS.ProcessEnv
  /** Where a pod finds its service account. */
  serviceAccountFolder: string
  clock: Clock
  log: FastifyBaseLogger
}

/** @throws Error with one sentence that says what to change in the configuration */
export async function createUpstreams(parts: UpstreamsParts): Promise<Upstreams> {
  const { settings, firstByteMs, clock, log } = parts
  const files = watchedFiles({ clock: steady(clock), log })
  const common = { firstByteMs, clock, log }
  const access = await kubernetesConnection(parts, files)
  await checkCredentials(settings, access)
  const kubernetes = createKubernetes({ ...common, access, settings: settings.kubernetes })
  const plugin = (option: string, kind: PluginKind, config: PluginConfig | undefined) =>
    config &&
    createPlugin({
      ...common,
      clock: steady(clock),
      kind,
      access: pluginConnection(option, config, files),
      gateway: config.token === 'gateway' ? kubernetes : undefined,
    })
  const lister = settings.namespaceLister
  const upstreams = {
    kubernetes,
    namespaceLister:
      lister &&
      createUpstream({ ...common, name: 'namespace-lister', access: flagConnection('namespaceLister', lister, files) }),
    tektonResults: plugin('tektonResults', tektonResults, settings.tektonResults),
    kubeArchive: plugin('kubeArchive', kubeArchive, settings.kubeArchive),
  }
  warnOfPlainHttp({ [settings.kubernetes.name]: access.url, ...serviceUrls(settings) }, log)
  return {
    ...upstreams,
    async close() {
      await Promise.all(Object.values(upstreams).map((upstream) => upstream?.close()))
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

/** Asks for credentials once, so that a wrong path is told at the start. A program's failure may pass. */
async function checkCredentials(settings: UpstreamSettings, access: Connection): Promise<void> {
  const { kubernetes, namespaceLister, tektonResults: results, kubeArchive: archive } = settings
  const credentials = await access.credentials().catch((error: unknown) => {
    if (error instanceof HttpError) return undefined
    throw error
  })
  if (!credentials) return
  const { token, tls } = credentials
  const hasOwn = token !== undefined || tls.cert !== undefined
  if (kubernetes.as === 'impersonate' && !hasOwn) {
    throw new Error('kubernetes.access has no credentials, and without them nobody can be impersonated.')
  }
  if (kubernetes.as === 'id-token' && !hasOwn && !namespaceLister) {
    throw new Error(
      "kubernetes.as 'id-token' without credentials of the gateway needs a namespaceLister: users may not list namespaces.",
    )
  }
  if (token === undefined && [results, archive].some((plugin) => plugin?.token === 'gateway')) {
    throw new Error("A plugin's token 'gateway' needs a token in kubernetes.access, and there is none.")
  }
}

const serviceUrls = ({ namespaceLister, tektonResults: results, kubeArchive: archive }: UpstreamSettings) =>
  Object.fromEntries(
    Object.entries({ namespaceLister, tektonResults: results, kubeArchive: archive }).flatMap(([option, service]) =>
      service ? [[option, serviceUrl(option, service.url)]] : [],
    ),
  )

/** Credentials would travel in the clear; a service mesh may see to that, and the gateway cannot know. */
function warnOfPlainHttp(urls: Record<string, URL>, log: FastifyBaseLogger): void {
  for (const [upstream, { protocol, hostname }] of Object.entries(urls)) {
    if (protocol === 'http:' && !isLoopback(hostname)) log.warn({ upstream }, 'an upstream is called without TLS')
  }
}
