import type { KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Frame } from '@slipway/views/frame'
import type { FollowedList } from '@slipway/views/host/follow-list'
import { createReader } from '@slipway/views/host/reader'
import { createServedTypes } from '@slipway/views/host/served-types'
import { openSession } from '@slipway/views/session'
import { createShelves } from '@slipway/views/shelves'
import type { ViewKind } from '@slipway/views/view-kind'
import type { Socket } from '../client'
import { readInTurn } from '../live/turns'
import { openWatch } from '../live/watch-socket'
import type { ViewLink } from './view-link'
import { createWorkerRights } from './worker-rights'

export interface EngineOptions {
  kinds: readonly ViewKind[]
  /** As the signed-in user. */
  client: Pick<KubeClient, 'list' | 'request'>
  openSocket(path: string): Pick<Socket, 'onopen' | 'onmessage' | 'onclose' | 'close'>
  /** How long a list or watch has to wait that no user is waiting for; 0 if it need not. */
  postponeMs(): number
  send(frame: Frame): void
  clock?: Clock
  /** In which groups the cluster serves a kind; the engine finds out itself without it. */
  servedTypes?(type: ResourceType): Promise<readonly ResourceType[]>
}

type Reads = Pick<KubeClient, 'pages' | 'watch'>

interface Reader {
  kind: ViewKind
  namespace: string
  /** Once it has been started. */
  list?: FollowedList
}

/** With more lists of a kind, all of them are polled in turns, since each watch is a connection. */
const mostWatched = 10
const maxBytes = 200 * 1024 * 1024
/** Rows of a page that was left stay this long, so that returning to it reads nothing again. */
const keepMs = 5_000

/**
 * The engine of views over the user's own lists and watches, with only the fields of each kind's rows. Runs in a worker
 * of the page, where the gateway has no service for views.
 */
export function startEngine({
  kinds,
  client,
  openSocket,
  postponeMs,
  send,
  clock = systemClock,
  servedTypes = createServedTypes(client, clock),
}: EngineOptions): Omit<ViewLink, 'send'> & { receive(message: unknown): void } {
  const readers = new Set<Reader>()
  const closing = new AbortController()
  const rights = createWorkerRights({
    tryList: (type, namespace) =>
      readInTurn({}, closing.signal, (signal) =>
        client.list(type, { namespace, limit: 1, mask: ['metadata.name'], signal }),
      ),
    clock,
    postponeMs,
  })

  /** Lists and watches with the mask of a kind, and learns from them what the user may read. */
  function readsOf(reader: object, { type: declared, mask }: ViewKind, isPolled: boolean): Reads {
    return {
      async *pages<T extends KubeObject>(
        type: ResourceType<T>,
        options: Parameters<KubeClient['pages']>[1] = {},
      ): AsyncGenerator<KubeList<T>, void> {
        const { namespace = '', signal } = options
        const read = (token: string | undefined, signal: AbortSignal | undefined) =>
          client.list(type, { ...options, mask: ['metadata.uid', ...mask], continue: token, signal })
        try {
          for (let token: string | undefined; ;) {
            const page = await (isPolled && signal
              ? readInTurn(reader, signal, (signal) => read(token, signal))
              : read(token, signal))
            rights.observe(declared, namespace, undefined)
            yield page
            token = page.metadata.continue
            if (!token) return
          }
        } catch (error) {
          rights.observe(declared, namespace, error)
          throw error
        }
      },
      watch: (type, { namespace, resourceVersion }, handlers) =>
        openWatch(openSocket, { type, namespace, mask: ['metadata.uid', ...mask] }, resourceVersion, handlers),
    }
  }

  const shelves = createShelves({
    kinds,
    clock,
    maxBytes,
    keepMs,
    read(kind, namespace, sink) {
      const warn = (message: string) => console.warn(message)
      const reader: Reader = { kind, namespace }
      readers.add(reader)
      // How many lists a view needs is known once it has been opened.
      queueMicrotask(() => {
        if (!readers.has(reader)) return
        const isPolled = [...readers].filter((each) => each.kind === kind).length > mostWatched
        const reads = readsOf(reader, kind, isPolled)
        const read = createReader({ client: reads, servedTypes, clock, warn, postponeMs, isPolled })
        reader.list = read(kind, namespace, sink)
      })
      return {
        close() {
          readers.delete(reader)
          reader.list?.close()
        },
      }
    },
  })
  // What the page has not read yet waits in its own queue: it is in the same process.
  const session = openSession({ kinds, shelves, rights, send, isDrained: () => true, clock })

  return {
    receive: session.receive,
    wake() {
      for (const { list } of readers) list?.wake()
    },
    refresh(namespace) {
      for (const { list, namespace: own } of readers) if (namespace === undefined || own === namespace) list?.refresh()
      if (namespace !== undefined) rights.recheck(namespace)
    },
    close() {
      session.close()
      shelves.close()
      rights.close()
      closing.abort()
    },
  }
}
