import { collectionOf, type ResourceInfo } from '../resource'

/**
 * Hashes of the storage versions of kinds, which change with the storage version.
 * Source: k8s.io/apiserver, endpoints/discovery/storageversionhash.go.
 */
export async function storageVersionHashes(resources: readonly ResourceInfo[]): Promise<Map<ResourceInfo, string>> {
  const stored = resources.filter(({ review }) => review === undefined)
  return new Map(await Promise.all(stored.map(async (resource) => [resource, await hashOf(resource)] as const)))
}

async function hashOf({ type, storageVersion = type.version }: ResourceInfo): Promise<string> {
  // A kind served in two groups is stored in one of them.
  const [group = ''] = collectionOf(type).split('/')
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(`${group}/${storageVersion}/${type.kind}`))
  return btoa(String.fromCharCode(...new Uint8Array(digest, 0, 8)))
}

const encoder = new TextEncoder()
