import type { AggregatedApi } from '../aggregated-api'
import { compareTexts } from '../compare-texts'
import type { ResourceInfo } from '../resource'

/** Discovery documents that every client understands. Source: k8s.io/apimachinery, meta/v1 APIGroup and others. */

export interface GroupVersion {
  group: string
  version: string
  resources: ResourceInfo[]
}

/**
 * Group versions sorted by group name, then by version, the preferred one first.
 * @param others whose resources are not in the catalog
 */
export function groupVersions(
  resources: readonly ResourceInfo[],
  others: readonly GroupVersion[] = [],
): GroupVersion[] {
  const byName = new Map<string, GroupVersion>()
  for (const resource of resources) {
    const { group, version } = resource.type
    const key = `${group}/${version}`
    const known = byName.get(key)
    if (known) known.resources.push(resource)
    else byName.set(key, { group, version, resources: [resource] })
  }
  return [...byName.values(), ...others].sort(
    (a, b) => compareTexts(a.group, b.group) || compareVersions(a.version, b.version),
  )
}

const versionPattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/
const ranks: Record<string, number> = { alpha: 0, beta: 1 }

/** Best first: v2, v1, v1beta2, v1beta1, v1alpha1, then anything else by name. Source: apimachinery, version/helpers.go. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionPattern.exec(a), versionPattern.exec(b)]
  if (!left || !right) return left ? -1 : right ? 1 : compareTexts(a, b)
  const rank = ([, , stability]: RegExpExecArray) => (stability === undefined ? 2 : (ranks[stability] ?? 0))
  return rank(right) - rank(left) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0)
}

export const apiVersions = (address: string): object => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
})

export const apiGroupList = (all: readonly GroupVersion[]): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [...new Set(all.map(({ group }) => group))]
    .filter((group) => group !== '')
    .map((group) => groupOf(all, group)),
})

/** `undefined` if no version of the group is served. */
export const apiGroup = (all: readonly GroupVersion[], group: string): object | undefined =>
  all.some((one) => one.group === group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(all, group) } : undefined

function groupOf(all: readonly GroupVersion[], name: string) {
  const versions = all
    .filter(({ group }) => group === name)
    .map(({ version }) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

/** @returns `undefined` if the group version is not served */
export function apiResourceList(
  all: readonly GroupVersion[],
  group: string,
  version: string,
  hashes: ReadonlyMap<ResourceInfo, string>,
): object | undefined {
  const found = all.find((one) => one.group === group && one.version === version)
  return (
    found && {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: group ? `${group}/${version}` : version,
      resources: [...found.resources]
        .sort((a, b) => compareTexts(a.type.plural, b.type.plural))
        .flatMap((resource) => entriesOf(resource, hashes.get(resource))),
    }
  )
}

export const statusVerbs = ['get', 'patch', 'update']

function entriesOf(resource: ResourceInfo, storageVersionHash: string | undefined): object[] {
  const { type, singular, verbs, shortNames, categories, hasStatus, subresources = [] } = resource
  const { plural, namespaced, kind } = type
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash && { storageVersionHash }),
  }
  const status = { name: `${plural}/status`, singularName: '', namespaced, kind, verbs: statusVerbs }
  const others = subresources.map(({ name, type: { group, version, kind }, verbs }) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    // Only if they differ from those of the list.
    ...((group !== type.group || version !== type.version) && { group, version }),
    kind,
    verbs,
  }))
  return [main, ...(hasStatus ? [status] : []), ...others]
}

/** The versions for the lists of groups; their resources are in `aggregatedResources`. */
export const aggregatedVersions = (apis: readonly AggregatedApi[]): GroupVersion[] =>
  apis.flatMap(({ group, versions }) => versions.map((version) => ({ group, version, resources: [] })))

/** @returns `undefined` if none of the APIs has the version */
export function aggregatedResourceList(
  apis: readonly AggregatedApi[],
  group: string,
  version: string,
): object | undefined {
  const found = apis.find((api) => api.group === group && api.versions.includes(version))
  return (
    found && {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${group}/${version}`,
      resources: [...found.resources]
        .sort((a, b) => compareTexts(a.name, b.name))
        .map((resource) => ({ ...resource, singularName: '' })),
    }
  )
}
