import { isTrue } from '@slipway/kube/api-request'
import type { Status } from '@slipway/kube/status'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Clock } from '@slipway/kube/clock'
import { expired, futureRevision, notANumber } from '../../errors'
import { LineStream } from '../../http/line-stream'
import { lazy } from '../../lazy'
import type { Random } from '../../random'
import { CompactedError, type Change, type ChangeRange, type Storage } from '../../storage/storage'
import type { Catalog } from '../../registry/catalog'
import { listStored, revisionOf } from './list'
import { checkWatchOptions } from './list-options'
import { metadataOf, objectBefore, deserialize, servedJson } from '../../registry/objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../../resource'
import { selectionOf, type Selection } from '../../registry/selection'

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
  /** A watch that falls behind by more events than this is closed; its client lists again. */
  queueLength?: number
}

/** Bytes if the line is shared with other watches. */
type Line = string | Uint8Array

interface Watch {
  request: WatchRequest
  /** Key prefix of the watched objects. */
  prefix: string
  selection: Selection
  send(line: Line): void
  end(): void
}

const bookmarkIntervalMs = 60_000
/** Time before the timeout, so that the next watch resumes from this bookmark. */
const lastBookmarkMs = 2_000
const minTimeoutMs = 1_800_000
/** Approximate maximum size of a chunk: a watch may start with a very long list. */
const chunkBytes = 256 * 1024
const encoder = new TextEncoder()

export function createWatches({ storage, clock, random, catalog, queueLength = 1_000 }: WatchParts): Watches {
  const byCollection = new Map<string, Set<Watch>>()

  const unsubscribe = storage.subscribe((change) => {
    const changeEncoder = encoderFor(change)
    for (const watch of [...(byCollection.get(change.collection) ?? [])]) deliver(watch, changeEncoder)
    if (change.type === 'deleted') endUnserved()
  })

  function deliver({ request, prefix, selection, send }: Watch, { change, lineFor }: ChangeEncoder) {
    if (!change.key.startsWith(prefix)) return
    const line = lineFor(request, selection)
    if (line) send(line)
  }

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
    const { resource, query, signal } = request
    const selection = selectionOf(resource, query)
    const lines = firstLines(storage, request, selection)
    const collection = collectionOf(resource.type)
    const wantsBookmarks = isTrue(query.get('allowWatchBookmarks'))
    const timeoutMs = timeoutOf(query, random)
    let isEnded = isExpired(lines)
    let onChange = () => {}
    // The client requested the initial lines, however many: only what follows them counts as lag.
    const limit = lines.length + queueLength
    const cancels: (() => void)[] = []

    const stop = () => {
      isEnded = true
      byCollection.get(collection)?.delete(watch)
      for (const cancel of cancels) cancel()
      signal.removeEventListener('abort', watch.end)
    }
    const watch: Watch = {
      request,
      prefix: prefixOf(request),
      selection,
      send(line) {
        if (isEnded) return
        lines.push(line)
        if (lines.length > limit) watch.end()
        else onChange()
      },
      end() {
        if (isEnded) return
        stop()
        if (lines.length > limit) lines.length = 0
        onChange()
      },
    }
    const bookmark = () => watch.send(bookmarkLine(request, storage.revision()))
    const repeatBookmark = () => {
      bookmark()
      cancels.push(clock.after(bookmarkIntervalMs, repeatBookmark))
    }

    if (!isEnded) {
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
    }
    return new LineStream({
      follow(listener) {
        onChange = listener
      },
      take: () => (lines.length > 0 ? drain(lines) : undefined),
      isEnded: () => isEnded,
      cancel: stop,
    })
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

/** The keys that a watch can report: only one if it is of a single object. */
function rangeOf(request: WatchRequest, { name }: Selection): ChangeRange {
  const { resource, namespace } = request
  const collection = collectionOf(resource.type)
  const isOne = name !== undefined && (namespace !== undefined || !resource.type.namespaced)
  return isOne ? { collection, key: keyOf(namespace, name) } : { collection, prefix: prefixOf(request) }
}

const lineOfEvent = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`

const expiredPrefix = '{"type":"ERROR"'
const isExpired = ([first]: Line[]): boolean => typeof first === 'string' && first.startsWith(expiredPrefix)

/** Removes and encodes the first lines of a queue. A single shared line is returned as is. */
function drain(lines: Line[]): Uint8Array {
  let count = 0
  for (let length = 0; count < lines.length && length < chunkBytes; count++) length += lines[count]?.length ?? 0
  const [first = '', ...rest] = lines
    .splice(0, count)
    .map((line) => (typeof line === 'string' ? encoder.encode(line) : line))
  if (typeof first === 'string') return encoder.encode(first)
  if (rest.length === 0) return first
  const joined = new Uint8Array(rest.reduce((sum, line) => sum + line.length, first.length))
  let at = 0
  for (const line of [first, ...rest]) {
    joined.set(line, at)
    at += line.length
  }
  return joined
}

/** Encodes a change for all watches; whatever several of them need is computed once. */
interface ChangeEncoder {
  change: Change
  lineFor(request: WatchRequest, selection: Selection): Line | undefined
}

function encoderFor(change: Change): ChangeEncoder {
  const { value, previous } = change
  const metadata = lazy(() => ({ metadata: metadataOf(value) }))
  const metadataBefore = lazy(() => (previous === undefined ? undefined : { metadata: metadataOf(previous) }))
  const versions = new Map<ResourceInfo, ReturnType<typeof encodeVersion>>()

  /** The change as reported in one version of the kind. */
  function encodeVersion(resource: ResourceInfo) {
    const object = lazy(() => deserialize(resource, change))
    const before = lazy(() => objectBefore(resource, change))
    const text = lazy(() => servedJson(resource, change))
    const lines = new Map<string, Uint8Array>()
    return {
      object,
      before,
      /** The event with the whole object, the same for every watch. */
      line(type: string, state: 'now' | 'before'): Uint8Array {
        const known = lines.get(type + state)
        if (known) return known
        const content = state === 'now' ? text() : JSON.stringify(before())
        const line = encoder.encode(`{"type":"${type}","object":${content}}\n`)
        lines.set(type + state, line)
        return line
      },
    }
  }

  /**
   * The event for a watch with this selection: an object that starts to match is added; one that no longer matches is
   * deleted, with the last state that matched.
   */
  function lineFor({ resource, represent }: WatchRequest, selection: Selection): Line | undefined {
    let version = versions.get(resource)
    if (!version) versions.set(resource, (version = encodeVersion(resource)))
    const { object, before, line } = version
    const matches = (state: AnyObject | undefined) => state !== undefined && selection.matches(state)
    const matchedBefore = selection.isEverything
      ? previous !== undefined
      : matches(selection.isByMetadata ? metadataBefore() : before())
    const matchesNow =
      change.type !== 'deleted' && (selection.isEverything || matches(selection.isByMetadata ? metadata() : object()))
    if (!matchedBefore && !matchesNow) return undefined
    const type = !matchesNow ? 'DELETED' : matchedBefore ? 'MODIFIED' : 'ADDED'
    // A deletion carries the last state; an object that no longer matches is reported in its previous state.
    const state = matchesNow || change.type === 'deleted' ? 'now' : 'before'
    if (!represent) return line(type, state)
    const shown = state === 'now' ? object() : before()
    return shown && lineOfEvent(type, represent(shown))
  }

  return { change, lineFor }
}

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

/** The events that a watch starts with; those of later changes follow. */
function firstLines(storage: Storage, request: WatchRequest, selection: Selection): Line[] {
  const { resource, namespace, query, represent } = request
  const version = query.get('resourceVersion') ?? ''
  checkWatchOptions(query)
  const sendInitialEvents = query.get('sendInitialEvents')
  const wantsInitialEvents = isTrue(sendInitialEvents)
  const revision = version ? revisionOf(version) : 0
  const current = storage.revision()
  if (revision > current) throw futureRevision(revision, current)
  if (revision === 0 && sendInitialEvents !== null && !wantsInitialEvents) return []
  if (wantsInitialEvents || revision === 0) {
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
    return lines
  }
  try {
    return storage
      .since(revision, rangeOf(request, selection))
      .changes.flatMap((change) => encoderFor(change).lineFor(request, selection) ?? [])
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    const { status }: { status: Status } = expired(`too old resource version: ${revision} (${error.compacted})`)
    return [lineOfEvent('ERROR', status)]
  }
}

/** Random between 30 and 60 minutes unless the client sets it, so that watches do not all end together. */
function timeoutOf(query: URLSearchParams, random: Random): number {
  const text = query.get('timeoutSeconds') ?? ''
  if (text && !/^\d{1,9}$/.test(text)) throw notANumber(text)
  // A longer timer would overflow and fire at once.
  return Number(text) > 0 ? Math.min(Number(text) * 1000, 2 ** 31 - 1) : Math.floor(minTimeoutMs * (1 + random()))
}
