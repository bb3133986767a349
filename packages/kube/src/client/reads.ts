import { podType } from '../core-types'
import { type FieldPath, formatFieldMask } from '../field-mask'
import type { WatchHandlers } from '../list-watch'
import { isRecord, asKubeObject, type KubeList, type KubeObject } from '../object'
import { queryString, resourcePath } from '../path'
import { apiVersionOf, type ResourceType } from '../resource-type'
import { formatFieldSelector, formatLabelSelector, type LabelSelector } from '../selector'
import { readWatch } from '../watch-stream'
import { failInvalid, type Transport } from './requests'

export interface ReadOptions {
  namespace?: string
  signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  labels?: LabelSelector
  fields?: Record<string, string>
  /** The fields to return of each object. A server without support for masks returns whole objects. */
  mask?: readonly FieldPath[]
  limit?: number
  continue?: string
  resourceVersion?: string
}

export interface WatchOptions extends Omit<ListOptions, 'signal' | 'limit' | 'continue'> {
  /** The server reports about once a minute which version the watch has reached. */
  allowWatchBookmarks?: boolean
}

export interface LogOptions extends ReadOptions {
  container?: string
}

/** Reads of objects, lists and logs, and watches of lists. */
export interface Reads {
  /** One page; the items carry the apiVersion and kind of their type. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>
  /** All pages of a list, one after another. */
  pages<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): AsyncGenerator<KubeList<T>, void>
  get<T extends KubeObject>(type: ResourceType<T>, name: string, options?: ReadOptions): Promise<T>
  /** The log of a container up to now; of the only one by default. */
  log(pod: string, options?: LogOptions): Promise<string>
  /** The log of a container until it ends. */
  followLog(pod: string, options?: LogOptions): Promise<ReadableStream<Uint8Array>>
  /** Watches over HTTP until either side ends it. A rejected watch calls `onClose` without `onOpen`. */
  watch(type: ResourceType, options: WatchOptions, handlers: WatchHandlers): { close(): void }
}

export function createReads({ baseUrl, open, request, text, stream }: Transport): Reads {
  const list: Reads['list'] = async (type, options = {}) => {
    const { namespace, limit, continue: token, resourceVersion, signal } = options
    const query = queryString({ ...selectionQuery(options), limit, continue: token, resourceVersion })
    const path = `${resourcePath(type, { namespace })}${query}`
    return listOf(type, await request(path, { signal }), `${baseUrl}${path}`)
  }

  return {
    list,
    async *pages(type, options = {}) {
      for (let token = options.continue ?? ''; ;) {
        const page = await list(type, { ...options, continue: token })
        yield page
        if (!page.metadata.continue) return
        token = page.metadata.continue
      }
    },
    async get(type, name, { namespace, signal } = {}) {
      const path = resourcePath(type, { namespace, name })
      return asKubeObject(await request(path, { signal })) ?? failInvalid(`${baseUrl}${path}`, 'an object')
    },
    log: (pod, { signal, ...options } = {}) => text(logPath(pod, options), { signal }),
    followLog: (pod, { signal, ...options } = {}) => stream(logPath(pod, { ...options, follow: true }), { signal }),
    watch(type, { namespace, resourceVersion, allowWatchBookmarks, ...selection }, handlers) {
      const query = queryString({ watch: true, ...selectionQuery(selection), resourceVersion, allowWatchBookmarks })
      const url = `${baseUrl}${resourcePath(type, { namespace })}${query}`
      return readWatch((signal) => open(url, { signal }), handlers)
    },
  }
}

const selectionQuery = ({ labels, fields, mask }: Pick<ListOptions, 'labels' | 'fields' | 'mask'>) => ({
  labelSelector: labels && formatLabelSelector(labels),
  fieldSelector: fields && formatFieldSelector(fields),
  fieldMask: formatFieldMask(mask),
})

const logPath = (name: string, { namespace, ...query }: LogOptions & { follow?: boolean }): string =>
  `${resourcePath(podType, { namespace, name, subresource: 'log' })}${queryString({ ...query, signal: undefined })}`

/**
 * Reads a response body as a list of a kind. On the wire the items lack apiVersion and kind, which all later code
 * needs. Items that are not objects are dropped.
 * @throws ApiError for a body that is not a list
 */
export function listOf<T extends KubeObject>(type: ResourceType<T>, answer: unknown, url: string): KubeList<T> {
  if (!isRecord(answer) || !('items' in answer)) return failInvalid(url, 'a list')
  const { items, metadata } = answer
  if (items !== null && !Array.isArray(items)) return failInvalid(url, 'a list')
  const apiVersion = apiVersionOf(type)
  const objects = (items ?? []).flatMap((item: unknown) => {
    const object = asKubeObject<T>(item)
    return object ? { ...object, apiVersion, kind: type.kind } : []
  })
  return { ...answer, metadata: isRecord(metadata) ? metadata : {}, items: objects }
}
