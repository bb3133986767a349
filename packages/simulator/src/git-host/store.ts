import { configMapType, namespaceType, type ConfigMap } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { ControllerClient, ControllerContext, Writes } from '../controller'
import { hexDigits, keyedRandom } from '../keyed-random'
import { parseRepositoryUrl, repositoryKey, type GitLocation, type GitProvider } from './git-url'
import { firstCommits } from './people'
import { newRepository, type GitRepository } from './repository'

/** Namespace and label of the ConfigMaps that contain one repository each. */
export const gitHostNamespace = 'simulator-git-host'
export const repositoryLabel = 'simulator.slipway.dev/repository'

/** Annotation on that namespace: URL of the git host's pages, without a trailing slash. */
export const addressAnnotation = 'simulator.slipway.dev/address'

/** What this module writes. */
export const repositoryWrites: Writes = [
  [namespaceType, 'create'],
  [configMapType, 'create', 'update'],
]

/** Adds the URL of the repository's pages on the git host, if they are served. */
export function withWebUrl<T extends GitLocation>(repository: T, { informer }: Pick<ControllerContext, 'informer'>) {
  const namespace = informer(namespaceType).get(undefined, gitHostNamespace)
  const address = namespace?.metadata.annotations?.[addressAnnotation]
  const { host, organization, name } = repository
  return { ...repository, ...(address && { webUrl: `${address}/${host}/${organization}/${name}` }) }
}

/**
 * Annotations that configure simulated activity: on a repository's ConfigMap, or on a component for the repository that
 * is created for it.
 */
export const settings = {
  /** `off`: no simulated pushes or pull requests of people. */
  activity: 'simulator.slipway.dev/activity',
  /** For pull requests of services: `off`, or seconds after which they are merged; default: 180. */
  autoMerge: 'simulator.slipway.dev/auto-merge',
} as const

const autoMergeSeconds = 180

/** When a pull request of a service that is opened now will be merged; `undefined` for never. */
export function mergeTimeOf(configMap: ConfigMap, { now, scale }: Pick<ControllerContext, 'now' | 'scale'>) {
  const setting = configMap.metadata.annotations?.[settings.autoMerge]
  if (setting === 'off') return undefined
  const seconds = Number(setting ?? autoMergeSeconds)
  return new Date(now() + scale((Number.isFinite(seconds) ? seconds : autoMergeSeconds) * 1_000)).toISOString()
}

const dataKey = 'repository.json'

export const isRepositoryConfigMap = ({ metadata }: ConfigMap): boolean =>
  metadata.namespace === gitHostNamespace && metadata.labels?.[repositoryLabel] === 'true'

export function repositoryConfigMapName(location: Pick<GitLocation, 'host' | 'organization' | 'name'>): string {
  const key = repositoryKey(location)
  const readable = key.replace(/[^a-z0-9]+/g, '-').slice(0, 60)
  // Different names may be the same without their punctuation.
  return `${readable}-${hexDigits(keyedRandom('repository', key), 6)}`.replace(/^-+/, '')
}

/** @returns a draft that may be modified; `undefined` if the data is not a repository */
export function readRepository({ data }: ConfigMap): GitRepository | undefined {
  try {
    const value: unknown = JSON.parse(data?.[dataKey] ?? '')
    return isRepository(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRepository = (value: unknown): value is GitRepository => {
  const { host, branches, pullRequests, deliveries, counts } = (value ?? {}) as Partial<GitRepository>
  const lists = [branches, pullRequests, deliveries]
  return typeof host === 'string' && lists.every(Array.isArray) && typeof counts === 'object'
}

/** The ConfigMap of a repository. Scenarios also use it to create repositories with a history. */
export const repositoryConfigMap = (
  repository: GitRepository,
  annotations: Record<string, string> = {},
): ConfigMap => ({
  apiVersion: apiVersionOf(configMapType),
  kind: configMapType.kind,
  metadata: {
    name: repositoryConfigMapName(repository),
    namespace: gitHostNamespace,
    labels: { [repositoryLabel]: 'true' },
    annotations,
  },
  data: { [dataKey]: JSON.stringify(repository) },
})

/** Fails with a conflict if the ConfigMap has changed since it was read. */
export const saveRepository = (
  client: Pick<ControllerClient, 'replace'>,
  configMap: ConfigMap,
  repository: GitRepository,
) => client.replace(configMapType, { ...configMap, data: { ...configMap.data, [dataKey]: JSON.stringify(repository) } })

export interface StoredRepository {
  configMap: ConfigMap
  /** A draft; `saveRepository` writes it. */
  repository: GitRepository
}

export function findRepository({ informer }: ControllerContext, url: string): StoredRepository | undefined {
  const location = parseRepositoryUrl(url)
  if (!location) return undefined
  const configMap = informer(configMapType).get(gitHostNamespace, repositoryConfigMapName(location))
  const repository = configMap && readRepository(configMap)
  return repository && { configMap, repository }
}

/** Finds the repository, or creates it with a short history. */
export async function ensureRepository(
  context: ControllerContext,
  location: GitLocation,
  provider: GitProvider,
  annotations: Record<string, string> = {},
): Promise<StoredRepository> {
  const known = findRepository(context, location.url)
  if (known) return known
  const { client, informer, now } = context
  if (!informer(namespaceType).get(undefined, gitHostNamespace)) {
    await client.create(namespaceType, { metadata: { name: gitHostNamespace } })
  }
  const history = firstCommits(context.random(`history ${repositoryKey(location)}`), now(), (atMs) =>
    context.timestamp(atMs),
  )
  const repository = newRepository(location, provider, history)
  const configMap = await client.create(configMapType, repositoryConfigMap(repository, annotations))
  return { configMap, repository }
}
