import { nameOf } from '@slipway/kube/object'
import type { Clock } from '@slipway/kube/clock'
import { pods } from '../builtin/pods'
import { badRequest } from '../errors'
import { concatBytes } from '../http/body'
import { metadataOf, deserialize } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject } from '../resource'
import type { Storage } from '../storage/storage'
import { containerOf, isRunOver, previousRunOf, runOf, statusOf } from './container'
import { chunksAtOnce, lineWriter, logStart, tailStart, type LineWriter, type LogPosition } from './lines'
import { logOptionsOf, timeOf, writtenStreamOf } from '../builtin/pod-log-options'

export interface PodLogs {
  /**
   * The log of a container so far; with `follow`, until the container ends. `undefined` while the pod has no node, so
   * that there cannot be a log. @throws StatusError 400, 422
   */
  read(pod: AnyObject, query: URLSearchParams, signal: AbortSignal): ReadableStream<Uint8Array> | undefined
  /** Appends container output, as reported by a simulated kubelet. @throws StatusError 400 */
  append(pod: AnyObject, query: URLSearchParams, bytes: Uint8Array): Promise<void>
  /** Ends all streams that follow a log. */
  close(): void
}

/** Prefix of a pod's logs. Each run of a container has its own log; the uid distinguishes pods of the same name. */
export const logsOfPod = (uid: string): string => `${uid}/`
const logOf = (pod: AnyObject, container: string, run: number): string =>
  `${logsOfPod(pod.metadata.uid ?? '')}${container}/${run}`

const podCollection = collectionOf(pods.type)

interface Follower {
  log: string
  key: string
  wake(): void
  end(): void
}

export function createPodLogs({ storage, clock }: { storage: Storage; clock: Clock }): PodLogs {
  const { logs } = storage
  const followers = new Set<Follower>()
  const wake = (isAffected: (follower: Follower) => boolean) => {
    for (const follower of [...followers]) if (isAffected(follower)) follower.wake()
  }
  const unsubscribe = [
    logs.subscribe((log) => wake((follower) => follower.log === log)),
    storage.subscribe(({ collection, key }) => {
      if (collection === podCollection) wake((follower) => follower.key === key)
    }),
  ]

  const podExists = (pod: AnyObject): boolean => {
    const stored = storage.get(podCollection, podKey(pod))
    if (!stored) return false
    const { uid, resourceVersion } = pod.metadata
    return resourceVersion === String(stored.revision) || metadataOf(stored.value).uid === uid
  }

  const currentPod = (pod: AnyObject): AnyObject | undefined => {
    const stored = storage.get(podCollection, podKey(pod))
    const now = stored && deserialize(pods, stored)
    return now?.metadata.uid === pod.metadata.uid ? now : undefined
  }

  function read(pod: AnyObject, query: URLSearchParams, signal: AbortSignal): ReadableStream<Uint8Array> | undefined {
    const options = logOptionsOf(query, nameOf(pod), clock.now())
    const container = containerOf(pod, options.container)
    // A simulated kubelet may run a pod without assigning a node, but then it has reported on the containers.
    if (!hasNode(pod) && isUnstarted(pod, container)) return undefined
    const known = runOf(pod, container, options.previous)
    if (isUnstarted(pod, container)) {
      throw badRequest(`container ${JSON.stringify(container)} in pod ${JSON.stringify(nameOf(pod))} is not available`)
    }
    const run = known ?? 0
    const log = logOf(pod, container, run)
    const isOver = () => {
      const now = currentPod(pod)
      return !options.follow || !now || isRunOver(now, container, run)
    }
    const start = options.tailLines === undefined ? logStart : tailStart(logs, log, options.tailLines)
    return streamOf({ log, key: podKey(pod), start, lines: lineWriter(options), isOver, signal })
  }

  /** The container has neither a status nor a log. */
  const isUnstarted = (pod: AnyObject, container: string): boolean =>
    !statusOf(pod, container) && logs.after(logOf(pod, container, 0), 0, 1).length === 0

  /** Reads on demand; at the end of the log, waits for more unless the run is over. */
  function streamOf({ log, key, start, lines, isOver, signal }: Source): ReadableStream<Uint8Array> {
    let { sequence, offset } = start
    let isEnded = false
    let wakeUp = () => {}

    /** The next parts to send; `undefined` at the current end of the log. */
    function next(): Uint8Array[] | undefined {
      for (;;) {
        const chunks = lines.isFull() ? [] : logs.after(log, sequence - 1, chunksAtOnce)
        const parts: Uint8Array[] = []
        for (const chunk of chunks) {
          parts.push(...lines.take(chunk, chunk.sequence === sequence ? offset : 0))
          sequence = chunk.sequence + 1
          offset = 0
        }
        if (chunks.length === 0) return undefined
        if (parts.length > 0) return parts
      }
    }

    const stop = () => {
      isEnded = true
      followers.delete(follower)
      signal.removeEventListener('abort', stop)
      wakeUp()
    }
    const follower: Follower = { log, key, wake: () => wakeUp(), end: stop }

    return new ReadableStream<Uint8Array>(
      {
        start() {
          followers.add(follower)
          if (signal.aborted) stop()
          else signal.addEventListener('abort', stop)
        },
        async pull(controller) {
          for (;;) {
            // Checked before reading, so that everything written before the container ended is read.
            const isLast = isEnded || isOver()
            const parts = isEnded ? undefined : next()
            if (parts) return controller.enqueue(concatBytes(parts))
            if (isLast || lines.isFull()) {
              stop()
              return controller.close()
            }
            await new Promise<void>((resolve) => (wakeUp = resolve))
          }
        },
        cancel: stop,
      },
      { highWaterMark: 0 },
    )
  }

  async function append(pod: AnyObject, query: URLSearchParams, bytes: Uint8Array): Promise<void> {
    const requested = query.get('container') || undefined
    const container = containerOf(pod, requested)
    const stream = writtenStreamOf(query)
    const timeMs = timeOf(query, 'time') ?? clock.now()
    const status = statusOf(pod, container)
    const isPrevious = query.get('previous') === 'true'
    const run = isPrevious ? (status ? previousRunOf(status) : -1) : (status?.restartCount ?? 0)
    if (run < 0) throw badRequest(`container ${JSON.stringify(container)} has no previous run`)
    const log = logOf(pod, container, run)
    if (!isPrevious && run > 1 && logs.after(log, 0, 1).length === 0) removeOldLogs(pod, container, run)
    await logs.append(log, { timeMs, stream, bytes })
    // The pod may have been deleted in the meantime, with its logs.
    if (!podExists(pod)) logs.remove(log)
  }

  /** Removes logs older than the previous run, which cannot be requested. */
  function removeOldLogs(pod: AnyObject, container: string, run: number) {
    const prefix = `${logsOfPod(pod.metadata.uid ?? '')}${container}/`
    for (const log of logs.names(prefix)) if (Number(log.slice(prefix.length)) < run - 1) logs.remove(log)
  }

  return {
    read,
    append,
    close() {
      for (const stop of unsubscribe) stop()
      for (const follower of [...followers]) follower.end()
    },
  }
}

interface Source {
  log: string
  /** Key of the pod. */
  key: string
  start: LogPosition
  lines: LineWriter
  /** True if nothing more will be written or read. */
  isOver(): boolean
  signal: AbortSignal
}

const podKey = ({ metadata }: AnyObject): string => keyOf(metadata.namespace, metadata.name ?? '')

const hasNode = ({ spec }: AnyObject): boolean =>
  typeof spec === 'object' && spec !== null && 'nodeName' in spec && !!spec.nodeName
