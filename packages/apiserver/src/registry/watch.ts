import type { Status } from '@slipway/kube/status'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Clock } from '@slipway/kube/clock'
import { expired, futureRevision, notANumber } from '../errors'
import { LineStream } from '../http/line-stream'
import { isTrue } from '../http/request-info'
import { lazy } from '../lazy'
import type { Random } from '../random'
import { CompactedError, type Change, type Storage } from '../storage/storage'
import type { Catalog } from './catalog'
import { listStored, revisionOf } from './list'
import { checkWatchOptions } from './list-options'
import { metadataOf, objectBefore, objectOf, servedText } from './objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from './resource'
import { selectionOf, type Selection } from './selection'

export interface WatchRequest {
  info: ResourceInfo
  namespace: string | undefined
  query: URLSearchParams
  /** How the client wants to see objects: as a Table, or their metadata alone; `undefined`: whole. */
  represent: ((object: AnyObject) => object) | undefined
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

/** Already encoded when others get the same line. */
type Line = string | Uint8Array

interface Watch {
  request: WatchRequest
  /** Of the keys that it is about. */
  prefix: string
  selection: Selection
  send(line: Line): void
  end(): void
}

const bookmarkIntervalMs = 60_000
/** Before the time-out, so that the next watch goes on from there. */
const lastBookmarkMs = 2_000
const minTimeoutMs = 1_800_000
/** What is handed on at once, about: a watch may start with a very long list. */
const chunkBytes = 256 * 1024
const encoder = new TextEncoder()

export function createWatches({ storage, clock, random, catalog, queueLength = 1_000 }: WatchParts): Watches {
  const byCollection = new Map<string, Set<Watch>>()

  const unsubscribe = storage.subscribe((change) => {
    const told = changeEncoderOf(change)
    for (const watch of [...(byCollection.get(change.collection) ?? [])]) deliver(watch, told)
    if (change.type === 'deleted') endUnserved()
  })

  function deliver({ request, prefix, selection, send }: Watch, telling: ChangeEncoder) {
    if (!telling.change.key.startsWith(prefix)) return
    const line = telling.lineFor(request, selection)
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
    let isEnded = isExpired(lines)
    let onChange = () => {}
    // The first lines may be many, and are the client's own wish: only what comes after them counts as lag.
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
      follow(given) {
        onChange = given
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

const lineOfEvent = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`

const expiredPrefix = '{"type":"ERROR"'
const isExpired = ([first]: Line[]): boolean => typeof first === 'string' && first.startsWith(expiredPrefix)

/** The first lines of a queue, out of it. A line that stands alone is handed on as it is, shared by all its watches. */
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

/** A change on its way to those who watch: what several of them need of it is made once. */
interface ChangeEncoder {
  change: Change
  lineFor(request: WatchRequest, selection: Selection): Line | undefined
}

function changeEncoderOf(change: Change): ChangeEncoder {
  const { value, previous } = change
  const metadata = lazy(() => ({ metadata: metadataOf(value) }))
  const metadataBefore = lazy(() => (previous === undefined ? undefined : { metadata: metadataOf(previous) }))
  const versions = new Map<ResourceInfo, ReturnType<typeof versionTold>>()

  /** What is told in one version of the kind. */
  function versionTold(info: ResourceInfo) {
    const object = lazy(() => objectOf(info, change))
    const before = lazy(() => objectBefore(info, change))
    const text = lazy(() => servedText(info, change))
    const lines = new Map<string, Uint8Array>()
    return {
      object,
      before,
      /** Of whole objects, the same for everybody. */
      line(type: string, state: 'now' | 'before'): Uint8Array {
        const known = lines.get(type + state)
        if (known) return known
        const told = state === 'now' ? text() : JSON.stringify(before())
        const line = encoder.encode(`{"type":"${type}","object":${told}}\n`)
        lines.set(type + state, line)
        return line
      },
    }
  }

  /**
   * What a change is to somebody with this selection: an object that begins to match is added, one that ceases to match
   * is deleted, with the state in which it still matched.
   */
  function lineFor({ info, represent }: WatchRequest, selection: Selection): Line | undefined {
    let told = versions.get(info)
    if (!told) versions.set(info, (told = versionTold(info)))
    const { object, before, line } = told
    const matches = (state: AnyObject | undefined) => state !== undefined && selection.matches(state)
    const matchedBefore = selection.isEverything
      ? previous !== undefined
      : matches(selection.isByMetadata ? metadataBefore() : before())
    const matchesNow =
      change.type !== 'deleted' && (selection.isEverything || matches(selection.isByMetadata ? metadata() : object()))
    if (!matchedBefore && !matchesNow) return undefined
    const type = !matchesNow ? 'DELETED' : matchedBefore ? 'MODIFIED' : 'ADDED'
    // An object that is gone has its last state with it; one that is only out of sight is told as it was.
    const state = matchesNow || change.type === 'deleted' ? 'now' : 'before'
    if (!represent) return line(type, state)
    const shown = state === 'now' ? object() : before()
    return shown && lineOfEvent(type, represent(shown))
  }

  return { change, lineFor }
}

/** How far a watch has come, told as an object of its kind that is nothing but a version. */
function bookmarkLine(
  { info: { type }, represent }: WatchRequest,
  revision: number,
  annotations?: Record<string, string>,
): string {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...(annotations && { annotations }) }
  const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata }
  // Shown as every other object: who watches tables or metadata reads nothing else. Its time is null, as Go writes none.
  return lineOfEvent('BOOKMARK', represent ? represent(object as unknown as AnyObject) : object)
}

/** What a watch starts with; changes from now on follow. */
function firstLines(storage: Storage, request: WatchRequest, selection: Selection): Line[] {
  const { info, namespace, query, represent } = request
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
    const { items } = listStored(storage, info, namespace, selectors)
    const lines = items.map((stored) =>
      represent
        ? lineOfEvent('ADDED', represent(objectOf(info, stored)))
        : `{"type":"ADDED","object":${servedText(info, stored)}}\n`,
    )
    const isMarked = wantsInitialEvents && isTrue(query.get('allowWatchBookmarks'))
    if (isMarked) lines.push(bookmarkLine(request, current, { 'k8s.io/initial-events-end': 'true' }))
    return lines
  }
  try {
    return storage
      .since(revision, collectionOf(info.type))
      .filter((change) => change.key.startsWith(prefixOf(request)))
      .flatMap((change) => changeEncoderOf(change).lineFor(request, selection) ?? [])
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    const { status }: { status: Status } = expired(`too old resource version: ${revision} (${error.compacted})`)
    return [lineOfEvent('ERROR', status)]
  }
}

/** Half an hour to an hour unless the client says, so that not all watches end together. */
function timeoutOf(query: URLSearchParams, random: Random): number {
  const text = query.get('timeoutSeconds') ?? ''
  if (text && !/^\d{1,9}$/.test(text)) throw notANumber(text)
  // Longer timers than this would overflow and fire at once.
  return Number(text) > 0 ? Math.min(Number(text) * 1000, 2 ** 31 - 1) : Math.floor(minTimeoutMs * (1 + random()))
}
