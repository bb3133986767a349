import { isTrue } from '@slipway/kube/api-request'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Clock } from '@slipway/kube/clock'
import { expired, futureRevision, notANumber, type StatusError } from '../../errors'
import { LineStream } from '../../http/line-stream'
import type { Random } from '../../random'
import { CompactedError, type Storage } from '../../storage/storage'
import type { Catalog } from '../../registry/catalog'
import { listStored, revisionOf } from './list'
import { checkWatchOptions } from './list-options'
import { deserialize, servedJson } from '../../registry/objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../../resource'
import { selectionOf, type Selection } from '../../registry/selection'
import { lineOfEvent, type ChangeEntry, type Line } from './change-entry'
import { createChangeLog, type LogRange } from './change-log'
import { createWatchQueue } from './watch-queue'

export interface WatchRequest {
  resource: ResourceInfo
  namespace: string | undefined
  query: URLSearchParams
  /** Converts objects to the requested representation (Table or metadata only); `undefined` for whole objects. */
  represent: ((object: AnyObject) => object) | undefined
  signal: AbortSignal
}

export interface Watches {
  /** Returns JSON lines, one per event. @throws StatusError */
  open(request: WatchRequest): ReadableStream<Uint8Array>
  /** Ends every watch, as a timeout would. */
  close(): void
}

export interface WatchParts {
  storage: Storage
  clock: Clock
  random: Random
  catalog: Catalog
  /** Called if the storage fails after a watch was opened. Returns the error for the client. */
  statusOf: (error: unknown) => StatusError
  /** A watch that falls behind by more events than this is closed; its client lists again. */
  queueLength?: number
  /** Approximate memory for the last changes, in bytes. Watches that resume from older ones read the storage. */
  logBytes?: number
}

interface Watch {
  request: WatchRequest
  deliver(entry: ChangeEntry): void
  end(): void
}

const bookmarkIntervalMs = 60_000
/** Time before the timeout, so that the next watch resumes from this bookmark. */
const lastBookmarkMs = 2_000
const minTimeoutMs = 1_800_000
/** As much as 7,000 changes of 27 KB. */
const defaultLogBytes = 192 * 1024 * 1024

export function createWatches(parts: WatchParts): Watches {
  const { storage, clock, random, catalog, statusOf, queueLength = 1_000, logBytes = defaultLogBytes } = parts
  const log = createChangeLog(storage, logBytes)
  const byCollection = new Map<string, Set<Watch>>()
  let isClosed = false

  const unsubscribe = storage.subscribe((change) => {
    const entry = log.append(change)
    for (const watch of [...(byCollection.get(change.collection) ?? [])]) watch.deliver(entry)
    if (change.type === 'deleted') endUnserved()
  })

  /** Ends watches of kinds whose definition was deleted. */
  function endUnserved() {
    for (const watches of byCollection.values()) {
      for (const watch of [...watches]) {
        const { group, version, plural } = watch.request.resource.type
        if (!catalog.find(group, version, plural)) watch.end()
      }
    }
  }

  function open(request: WatchRequest): ReadableStream<Uint8Array> {
    const { resource, query, represent, signal } = request
    const selection = selectionOf(resource, query)
    const range = rangeOf(request, selection)
    const { lines, position } = startOf(storage, request)
    const wantsBookmarks = isTrue(query.get('allowWatchBookmarks'))
    const timeoutMs = timeoutOf(query, random)
    let isEnded = false
    let onChange = () => {}
    const cancels: (() => void)[] = []

    const stop = () => {
      isEnded = true
      byCollection.get(range.collection)?.delete(watch)
      for (const cancel of cancels) cancel()
      signal.removeEventListener('abort', watch.end)
    }
    const queue = createWatchQueue({
      log,
      reported: { resource, represent, selection },
      range,
      lines,
      position,
      bookmarkLine: (revision) => bookmarkLine(request, revision),
      fail(error) {
        stop()
        if (isClosed) return undefined
        const { status } = error instanceof CompactedError ? tooOld(position, error) : statusOf(error)
        return lineOfEvent('ERROR', status)
      },
    })
    const watch: Watch = {
      request,
      deliver(entry) {
        if (isEnded || !queue.add(entry)) return
        if (queue.lag() > queueLength) {
          queue.clear()
          stop()
        }
        onChange()
      },
      end() {
        if (isEnded) return
        queue.end(log.newest())
        stop()
        onChange()
      },
    }
    const bookmark = () => {
      queue.addBookmark(log.newest())
      onChange()
    }
    const repeatBookmark = () => {
      bookmark()
      cancels.push(clock.after(bookmarkIntervalMs, repeatBookmark))
    }

    let watches = byCollection.get(range.collection)
    if (!watches) byCollection.set(range.collection, (watches = new Set()))
    watches.add(watch)
    cancels.push(clock.after(timeoutMs, watch.end))
    if (wantsBookmarks) {
      cancels.push(clock.after(bookmarkIntervalMs, repeatBookmark))
      cancels.push(clock.after(Math.max(0, timeoutMs - lastBookmarkMs), bookmark))
    }
    if (signal.aborted) watch.end()
    else signal.addEventListener('abort', watch.end)
    return new LineStream({
      follow(listener) {
        onChange = listener
      },
      take: queue.take,
      isEnded: () => isEnded,
      cancel: stop,
    })
  }

  return {
    open,
    close() {
      isClosed = true
      unsubscribe()
      for (const watches of byCollection.values()) for (const watch of [...watches]) watch.end()
    },
  }
}

const prefixOf = ({ namespace }: WatchRequest): string => (namespace === undefined ? '' : keyOf(namespace, ''))

/** The keys that a watch can report: only one if it is of a single object. */
function rangeOf(request: WatchRequest, { name, isEverything }: Selection): LogRange {
  const { resource, namespace } = request
  const collection = collectionOf(resource.type)
  const isOne = name !== undefined && (namespace !== undefined || !resource.type.namespaced)
  const keys = isOne ? { key: keyOf(namespace, name) } : { prefix: prefixOf(request) }
  // Without a selector, the previous state of an object makes no difference.
  return { collection, ...keys, withoutPrevious: isEverything }
}

const tooOld = (revision: number, { compacted }: CompactedError): StatusError =>
  expired(`too old resource version: ${revision} (${compacted})`)

/** A bookmark: an object of the watched kind that contains only a resource version. */
function bookmarkLine(
  { resource: { type }, represent }: WatchRequest,
  revision: number,
  annotations?: Record<string, string>,
): string {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...(annotations && { annotations }) }
  const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata }
  // Represented like every other object, since a client of tables or metadata expects nothing else. The time is null,
  // as Go encodes it.
  // Unlike other objects it has no name, which no representation needs.
  return lineOfEvent('BOOKMARK', represent ? represent(object as unknown as AnyObject) : object)
}

/** The lines that a watch starts with, and the revision after which changes follow. @throws StatusError */
function startOf(storage: Storage, request: WatchRequest): { lines: Line[]; position: number } {
  const { resource, namespace, query, represent } = request
  const version = query.get('resourceVersion') ?? ''
  checkWatchOptions(query)
  const sendInitialEvents = query.get('sendInitialEvents')
  const wantsInitialEvents = isTrue(sendInitialEvents)
  const revision = version ? revisionOf(version) : 0
  const current = storage.revision()
  if (revision > current) throw futureRevision(revision, current)
  if (revision === 0 && sendInitialEvents !== null && !wantsInitialEvents) return { lines: [], position: current }
  if (revision > 0 && !wantsInitialEvents) return { lines: [], position: revision }
  const selectors = new URLSearchParams()
  for (const name of ['labelSelector', 'fieldSelector']) selectors.set(name, query.get(name) ?? '')
  const { items } = listStored(storage, resource, namespace, selectors)
  const lines = items.map((stored) =>
    represent
      ? lineOfEvent('ADDED', represent(deserialize(resource, stored)))
      : `{"type":"ADDED","object":${servedJson(resource, stored)}}\n`,
  )
  const isMarked = wantsInitialEvents && isTrue(query.get('allowWatchBookmarks'))
  if (isMarked) lines.push(bookmarkLine(request, current, { 'k8s.io/initial-events-end': 'true' }))
  return { lines, position: current }
}

/** Random between 30 and 60 minutes unless the client sets it, so that watches do not all end together. */
function timeoutOf(query: URLSearchParams, random: Random): number {
  const text = query.get('timeoutSeconds') ?? ''
  if (text && !/^\d{1,9}$/.test(text)) throw notANumber(text)
  // A longer timer would overflow and fire at once.
  return Number(text) > 0 ? Math.min(Number(text) * 1000, 2 ** 31 - 1) : Math.floor(minTimeoutMs * (1 + random()))
}
