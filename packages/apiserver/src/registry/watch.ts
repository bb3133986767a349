import type { Status } from '@slipway/kube/status'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Clock } from '@slipway/kube/clock'
import { badRequest, expired, futureRevision } from '../errors'
import { isTrue } from '../http/request-info'
import type { Random } from '../random'
import { CompactedError, type Change, type Storage } from '../storage/storage'
import type { Catalog } from './catalog'
import { listObjects, revisionOf } from './list'
import { objectBefore, objectOf } from './objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from './resource'
import { selectionOf, type Selection } from './selection'

export interface WatchRequest {
  info: ResourceInfo
  namespace: string | undefined
  query: URLSearchParams
  /** How the client wants to see objects: whole, as a Table, or their metadata alone. */
  represent(object: AnyObject): object
  signal: AbortSignal
}

export interface Watches {
  /** Lines of JSON, one event each. @throws StatusError */
  open(request: WatchRequest): ReadableStream<Uint8Array>
  /** Ends every watch, as a time-out would. */
  close(): void
}

export interface WatchParts {
  storage: Storage
  clock: Clock
  random: Random
  catalog: Catalog
  /** A watch that lags behind by more events than this is ended; its client lists again. */
  queueLength?: number
}

interface Watch {
  request: WatchRequest
  selection: Selection
  send(line: string): void
  end(): void
}

const bookmarkIntervalMs = 60_000
/** Before the time-out, so that the next watch goes on from there. */
const lastBookmarkMs = 2_000
const minTimeoutMs = 1_800_000
const encoder = new TextEncoder()

export function createWatches({ storage, clock, random, catalog, queueLength = 1_000 }: WatchParts): Watches {
  const byCollection = new Map<string, Set<Watch>>()

  const unsubscribe = storage.subscribe((change) => {
    for (const watch of [...(byCollection.get(change.collection) ?? [])]) deliver(watch, change)
    if (change.type === 'deleted') endUnserved()
  })

  function deliver({ request, selection, send }: Watch, change: Change) {
    if (!change.key.startsWith(prefixOf(request))) return
    const line = lineOf(request, selection, change)
    if (line) send(line)
  }

  /** Watches of a kind whose definition is gone. */
  function endUnserved() {
    for (const watches of byCollection.values()) {
      for (const watch of [...watches]) {
        const { group, version, plural } = watch.request.info.type
        if (!catalog.find(group, version, plural)) watch.end()
      }
    }
  }

  function open(request: WatchRequest): ReadableStream<Uint8Array> {
    const { info, query, signal } = request
    const selection = selectionOf(info, query)
    const lines = firstLines(storage, request, selection)
    const collection = collectionOf(info.type)
    const wantsBookmarks = isTrue(query.get('allowWatchBookmarks'))
    const timeoutMs = timeoutOf(query, random)
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    let isWanted = false
    let isEnded = false
    // The first lines may be many, and are the client's own wish: only what comes after them counts as lag.
    const limit = lines.length + queueLength
    const cancels: (() => void)[] = []

    const flush = () => {
      if (!isWanted || lines.length === 0 || !controller) return
      isWanted = false
      controller.enqueue(encoder.encode(lines.splice(0).join('')))
    }
    const stop = () => {
      isEnded = true
      byCollection.get(collection)?.delete(watch)
      for (const cancel of cancels) cancel()
      signal.removeEventListener('abort', watch.end)
    }
    const watch: Watch = {
      request,
      selection,
      send(line) {
        if (isEnded) return
        lines.push(line)
        if (lines.length > limit) watch.end()
        else flush()
      },
      end() {
        if (isEnded) return
        stop()
        if (lines.length > limit) lines.length = 0
        if (lines.length > 0) controller?.enqueue(encoder.encode(lines.splice(0).join('')))
        controller?.close()
      },
    }
    const bookmark = () => watch.send(bookmarkLine(info, storage.revision()))
    const repeatBookmark = () => {
      bookmark()
      cancels.push(clock.after(bookmarkIntervalMs, repeatBookmark))
    }

    return new ReadableStream<Uint8Array>(
      {
        start(given) {
          controller = given
          if (isExpired(lines)) {
            isEnded = true
            given.enqueue(encoder.encode(lines.splice(0).join('')))
            given.close()
            return
          }
          let watches = byCollection.get(collection)
          if (!watches) byCollection.set(collection, (watches = new Set()))
          watches.add(watch)
          cancels.push(clock.after(timeoutMs, watch.end))
          if (wantsBookmarks) {
            cancels.push(clock.after(bookmarkIntervalMs, repeatBookmark))
            cancels.push(clock.after(Math.max(0, timeoutMs - lastBookmarkMs), bookmark))
          }
          if (signal.aborted) watch.end()
          else signal.addEventListener('abort', watch.end)
        },
        pull() {
          isWanted = true
          flush()
        },
        cancel: stop,
      },
      // Nothing is taken from the queue of lines before somebody reads: the queue is what is bounded.
      { highWaterMark: 0 },
    )
  }

  return {
    open,
    close() {
      unsubscribe()
      for (const watches of byCollection.values()) for (const watch of [...watches]) watch.end()
    },
  }
}

const prefixOf = ({ namespace }: WatchRequest): string => (namespace === undefined ? '' : keyOf(namespace, ''))

const lineOfEvent = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`

const expiredPrefix = '{"type":"ERROR"'
const isExpired = (lines: string[]): boolean => lines[0]?.startsWith(expiredPrefix) ?? false

/**
 * What a change is to somebody with this selection: an object that begins to match is added, one that ceases to match
 * is deleted, with the state in which it still matched.
 */
function lineOf({ info, represent }: WatchRequest, selection: Selection, change: Change): string | undefined {
  const before = objectBefore(info, change)
  const object = objectOf(info, change)
  const matchedBefore = before !== undefined && selection.matches(before)
  if (change.type === 'deleted') return matchedBefore ? lineOfEvent('DELETED', represent(object)) : undefined
  if (selection.matches(object)) return lineOfEvent(matchedBefore ? 'MODIFIED' : 'ADDED', represent(object))
  return matchedBefore && before ? lineOfEvent('DELETED', represent(before)) : undefined
}

const bookmarkLine = ({ type }: ResourceInfo, revision: number, annotations?: Record<string, string>): string =>
  lineOfEvent('BOOKMARK', {
    kind: type.kind,
    apiVersion: apiVersionOf(type),
    metadata: { resourceVersion: String(revision), creationTimestamp: null, ...(annotations && { annotations }) },
  })

/** What a watch starts with; changes from now on follow. */
function firstLines(storage: Storage, request: WatchRequest, selection: Selection): string[] {
  const { info, namespace, query, represent } = request
  const version = query.get('resourceVersion') ?? ''
  const wantsInitialEvents = isTrue(query.get('sendInitialEvents'))
  const revision = version ? revisionOf(version) : 0
  const current = storage.revision()
  if (revision > current) throw futureRevision(revision, current)
  if (wantsInitialEvents || revision === 0) {
    const selectors = new URLSearchParams()
    for (const name of ['labelSelector', 'fieldSelector']) selectors.set(name, query.get(name) ?? '')
    const { items } = listObjects(storage, info, namespace, selectors)
    const lines = items.map((object) => lineOfEvent('ADDED', represent(object)))
    if (wantsInitialEvents) lines.push(bookmarkLine(info, current, { 'k8s.io/initial-events-end': 'true' }))
    return lines
  }
  try {
    return storage
      .since(revision, collectionOf(info.type))
      .filter((change) => change.key.startsWith(prefixOf(request)))
      .flatMap((change) => lineOf(request, selection, change) ?? [])
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    const { status }: { status: Status } = expired(`too old resource version: ${revision} (${error.compacted})`)
    return [lineOfEvent('ERROR', status)]
  }
}

/** Half an hour to an hour unless the client says, so that not all watches end together. */
function timeoutOf(query: URLSearchParams, random: Random): number {
  const text = query.get('timeoutSeconds') ?? ''
  if (text && !/^\d{1,9}$/.test(text)) throw badRequest(`timeoutSeconds is not a number: ${text}`)
  // Longer timers than this would overflow and fire at once.
  return Number(text) > 0 ? Math.min(Number(text) * 1000, 2 ** 31 - 1) : Math.floor(minTimeoutMs * (1 + random()))
}
