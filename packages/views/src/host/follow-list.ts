import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { listWatch, type WatchHandlers } from '@slipway/kube/list-watch'
import { connectionLostMessage, type ListWatchState } from '@slipway/kube/list-watch-machine'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isExpired, isRejection } from '@slipway/kube/status'
import type { WatchEvent } from '@slipway/kube/watch-event'
import type { StaleReason } from '../shelf-sink'
import { isAtLeast } from '../version'

export interface ListOptions {
  client: Pick<KubeClient, 'pages'>
  /** A kind in each of its groups that the cluster serves. Called before each list. */
  servedTypes(): Promise<readonly ResourceType[]>
  /** All namespaces without it. */
  namespace?: string
  beginList(): void
  /** Only one page is in memory at a time, unless it is retained here. */
  addPage(objects: readonly KubeObject[]): void
  /** @param version of the list; of several, the earliest */
  endList(version: string): void
}

export interface FollowOptions extends ListOptions {
  client: Pick<KubeClient, 'pages' | 'watch'>
  clock: Clock
  /**
   * In order, within each type.
   * @param seen of several types, the version up to which all of them have been seen
   */
  onEvents(events: WatchEvent[], seen?: string): void
  /** Why changes are not seen at the moment; `undefined` once they are. */
  onProblem(why: string | undefined, reason?: StaleReason): void
  warn(message: string): void
  /** Called before a list or watch that no user is waiting for. Returns how many ms to postpone it; 0 for none. */
  postponeMs?(): number
}

export interface FollowedList {
  /** The computer may have slept: connects again now, or lists again if nothing was received lately. */
  wake(): void
  /** Lists again now. */
  refresh(): void
  close(): void
}

const pageSize = 500
/** A watch that lasted at least this long was stable: its end is the regular time-out of the server. */
const stableMs = 60_000
const abnormalClose = 1006

/**
 * Lists in pages and watches from there. After a gap it lists again. Where a server ends a watch as it regularly does, it
 * is resumed at once from the last version seen, without a list, and is not reported.
 */
export function followList(options: FollowOptions): FollowedList {
  const { client, clock, namespace, warn } = options
  let types: readonly ResourceType[] = []
  /** The version that each type has been followed up to. */
  const versions = new Map<ResourceType, string | undefined>()

  let rejection: StaleReason | undefined
  /** As last reported. */
  let problem: { why: string | undefined; rejection: StaleReason | undefined } | undefined

  async function list(signal: AbortSignal): Promise<KubeList> {
    versions.clear()
    try {
      const listed = await listPages(options, signal)
      types = [...listed.keys()]
      for (const [type, version] of listed) versions.set(type, version)
      rejection = undefined
      // The rows are those of now: if changes are still not seen, that is a new problem, which has to be reported again.
      problem = undefined
      return { metadata: { resourceVersion: earliestOf(listed) }, items: [] }
    } catch (error) {
      rejection = rejectionOf(error)
      throw error
    }
  }

  /** The type of the message that is being received. */
  let current: ResourceType | undefined
  let openedAtMs: number | undefined
  let isResuming = false

  /** One watch of each type. They are only as good as the first that ends. */
  function openWatches(handlers: WatchHandlers): { close(): void } {
    let pending = types.length
    let isClosed = false
    const close = () => {
      isClosed = true
      watches.forEach((watch) => watch.close())
    }
    const watches = types.map((type) =>
      client.watch(
        type,
        { namespace, resourceVersion: versions.get(type), allowWatchBookmarks: true },
        {
          onOpen() {
            if (isClosed || --pending > 0) return
            openedAtMs = clock.now()
            isResuming = false
            handlers.onOpen()
          },
          onMessage(text) {
            current = type
            if (!isClosed) handlers.onMessage(text)
          },
          onClose(code) {
            if (isClosed) return
            close()
            isResuming = code !== abnormalClose && openedAtMs !== undefined && clock.now() - openedAtMs >= stableMs
            openedAtMs = undefined
            handlers.onClose(code)
            if (isResuming) live.resume('')
          },
        },
      ),
    )
    return { close }
  }

  function report(why: string | undefined) {
    if (problem && problem.why === why && problem.rejection === rejection) return
    problem = { why, rejection }
    options.onProblem(why, rejection)
  }

  function onState({ connection, reason }: ListWatchState) {
    if (connection === 'open') report(undefined)
    else if (connection === 'error' || (connection === 'closed' && !isResuming)) report(reason ?? connectionLostMessage)
  }

  const live = listWatch<KubeObject>({
    list,
    openWatch: (_, handlers) => openWatches(handlers),
    onEvents(events) {
      for (const event of events) {
        if (event.type !== 'ERROR' && current) versions.set(current, event.object.metadata.resourceVersion)
      }
      options.onEvents(events, types.length > 1 ? earliestOf(versions) : undefined)
    },
    onState,
    flushMs: 0,
    clock,
    warn,
    postponeMs: options.postponeMs,
  })
  return { wake: live.wake, refresh: live.refresh, close: live.close }
}

type Versions = ReadonlyMap<ResourceType, string | undefined>

/** Lists a kind, page by page, in each of its groups that the cluster serves. Returns the version of each of these lists. */
export async function listPages(
  { client, namespace, servedTypes, beginList, addPage, endList }: ListOptions,
  signal: AbortSignal,
): Promise<Versions> {
  const versions = new Map<ResourceType, string | undefined>()
  const types = await servedTypes()
  signal.throwIfAborted()
  beginList()
  for (const type of types) {
    for await (const { metadata, items } of client.pages(type, { namespace, limit: pageSize, signal })) {
      signal.throwIfAborted()
      versions.set(type, metadata.resourceVersion)
      addPage(items)
    }
  }
  endList(earliestOf(versions) ?? '')
  return versions
}

/** That the server has rejected a list, and would again; `undefined` for errors that may pass. */
export const rejectionOf = (error: unknown): StaleReason | undefined =>
  isRejection(error) && !isExpired(error) ? { rejectedWith: error.code } : undefined

const earliestOf = (versions: Versions): string | undefined => [...versions.values()].reduce(earlierVersion)

const earlierVersion = (a: string | undefined, b: string | undefined): string | undefined =>
  a !== undefined && b !== undefined && isAtLeast(a, b) ? b : a
