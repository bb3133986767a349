import { podType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { createKubeClient, listOf } from '@slipway/kube/client'
import { formatFieldMask } from '@slipway/kube/field-mask'
import { createPacer, pacedFetch } from '@slipway/kube/pacing'
import { queryString, resourcePath } from '@slipway/kube/path'
import { inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { listSeveral } from '@slipway/kube/several-lists'
import { formatLabelSelector } from '@slipway/kube/selector'
import { send } from '../client'
import { readsOfEach, servedTypes, type ServedTypes } from '../served-types'
import type { ArchivePage, ArchiveRequest, ArchiveSelection } from './request'

/** The archive that mirrors the Kubernetes API. Source: kubearchive.org, "REST API". */

const baseUrl = '/api/k8s/plugins/kubearchive'

/**
 * This page stays below the limits of a user there, with something left for another tab: 100 requests in a second with a
 * burst of 300, of them 10 logs with a burst of 30. The gateway has its own limit, 50 in a second with a burst of 500.
 * A request that is beyond a limit nevertheless is sent again when the archive says.
 * Source: kubearchive.org, "Rate Limiting".
 */
const requestPacer = createPacer({ burst: 80, perSecond: 40 })
const logPacer = createPacer({ burst: 16, perSecond: 8 })
const client = createKubeClient({ baseUrl, fetch: pacedFetch(send, requestPacer) })
const logClient = createKubeClient({ baseUrl, fetch: pacedFetch(send, requestPacer, logPacer) })

const pageSize = { default: 200, max: 1_000 } as const

export async function listArchived<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, labels, name, createdAfter }: Omit<ArchiveSelection, 'commit' | 'snapshot' | 'limit'>,
  { token, signal, pageSize: size = pageSize.default, mask }: ArchiveRequest = {},
): Promise<ArchivePage<T>> {
  const part = name?.trim()
  // There it is a wildcard, and no name contains it.
  if (part?.includes('*')) return { items: [] }
  const query = {
    labelSelector: labels && formatLabelSelector(labels),
    name: part && `*${part}*`,
    creationTimestampAfter: createdAfter && !Number.isNaN(Date.parse(createdAfter)) ? createdAfter : undefined,
    fieldMask: formatFieldMask(mask),
  }
  const { items, metadata } = await listSeveral(
    await archivedTypes(type),
    { limit: Math.min(size, pageSize.max), continue: token },
    async (each, { limit, continue: token }) => {
      const path = `${resourcePath(each, { namespace })}${queryString({ ...query, limit, continue: token })}`
      return listOf(each, await client.request(path, { signal }), `${baseUrl}${path}`)
    },
  )
  return { items, next: metadata.continue || undefined }
}

/**
 * A group that no longer serves a kind did so when older objects were archived. One that does not serve it yet has none.
 */
async function archivedTypes<T extends KubeObject>(type: ResourceType<T>): Promise<ServedTypes<T>> {
  const [newest] = await servedTypes(type)
  const all = inEachGroup(type)
  return [newest, ...all.slice(all.findIndex(({ group }) => group === newest.group) + 1)]
}

export const getArchived = <T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, name }: { namespace?: string | undefined; name: string },
  signal?: AbortSignal,
): Promise<T> => readsOfEach(client, archivedTypes).get(type, name, { namespace, signal })

/** The log of a container, at the same path as in a cluster. */
export const archivedPodLog = (
  { namespace, pod, container }: { namespace: string; pod: string; container: string },
  signal?: AbortSignal,
): Promise<string> =>
  logClient.text(
    `${resourcePath(podType, { namespace, name: pod, subresource: 'log' })}${queryString({ container })}`,
    { signal },
  )
