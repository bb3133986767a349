import type { AggregatedApi } from '../aggregated-api'
import type { ResourceInfo } from '../resource'
import { statusVerbs, type GroupVersion } from './documents'

/** All resources in one document. Source: k8s.io/api, apidiscovery/v2. */

/** True if an Accept header prefers aggregated discovery to the older documents. */
export function prefersAggregated(accept: string | null): boolean {
  for (const range of (accept ?? '').split(',')) {
    const [mediaType, ...rest] = range.split(';').map((part) => part.trim())
    const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string | undefined]))
    if (mediaType !== 'application/json') continue
    if (!parameters.has('as')) return false
    if (parameters.get('g') !== 'apidiscovery.k8s.io' || parameters.get('as') !== 'APIGroupDiscoveryList') continue
    if (parameters.get('v') === 'v2') return true
  }
  return false
}

/** Without the parameters, clients expect the older document. */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

export function aggregatedDiscovery(all: readonly GroupVersion[], apis: readonly AggregatedApi[] = []): object {
  const groups = [...new Set(all.map(({ group }) => group))]
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: all
        .filter((groupVersion) => groupVersion.group === group)
        .map(({ version, resources }) => ({
          version,
          resources: [...resources.map(resourceOf), ...resourcesOfApi(apis, group, version)],
          freshness: 'Current',
        })),
    })),
  }
}

function resourceOf(resource: ResourceInfo): object {
  const { type, singular, verbs, shortNames, categories, hasStatus, subresources = [] } = resource
  const responseKind = { group: type.group, version: type.version, kind: type.kind }
  const below = [
    ...(hasStatus ? [{ subresource: 'status', responseKind, verbs: statusVerbs }] : []),
    ...subresources.map(({ name, type: { group, version, kind }, verbs }) => ({
      subresource: name,
      responseKind: { group, version, kind },
      verbs,
    })),
  ]
  return {
    resource: type.plural,
    responseKind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(below.length > 0 && { subresources: below }),
  }
}

/** The resources of an aggregated API, each with its subresources. */
function resourcesOfApi(apis: readonly AggregatedApi[], group: string, version: string): object[] {
  const resources = apis.find((api) => api.group === group)?.resources ?? []
  const responseKind = (kind: string) => ({ group, version, kind })
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      resource: name,
      responseKind: responseKind(kind),
      scope: namespaced ? 'Namespaced' : 'Cluster',
      singularResource: '',
      verbs,
      subresources: resources
        .filter((each) => each.name.startsWith(`${name}/`))
        .map((each) => ({
          subresource: each.name.slice(name.length + 1),
          responseKind: responseKind(each.kind),
          verbs: each.verbs,
        })),
    }))
}
