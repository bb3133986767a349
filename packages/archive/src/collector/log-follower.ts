import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { StorageError } from '@slipway/sqlite/errors'
import type { LogStore, LogWriter } from '../store/logs'

/**
 * Follows the logs of running pods. After a pod is deleted its log is gone, and some pods are deleted before they end:
 * those of tasks that are cancelled or time out are deleted while they run.
 */
export interface LogFollower {
  /** Follows all started containers that are not followed yet. Call it for each state of the pod until it ends. */
  follow(pod: Pod): void
  /** Whether logs of this pod exist only here. */
  isFollowing(uid: string): boolean
  /** The pod or its logs were deleted: settles once everything received is archived. */
  finishDeleted(uid: string): Promise<void>
  /** The complete log of this container is archived; without a container, the logs of all containers are. */
  forget(uid: string, container?: string): void
  /** Whether the end of any log of this pod is awaited. */
  isFinishing(uid: string): boolean
  /** Settles once no log's end is awaited; `undefined` if none is. */
  readonly busy: Promise<unknown> | undefined
  close(): void
}

interface Options {
  client: KubeClient
  logs: LogStore
  clock: Clock
  warn(message: string): void
}

interface Followed {
  stop: AbortController
  writer?: LogWriter
  /** Pending while the log is being read. */
  ended?: Promise<void>
}

/** Each log needs a connection. Logs of further containers are read after they end. */
const maxFollowed = 500
const retryMs = 5_000
/** The server ends the log of a deleted pod; this limits the wait if it does not. */
const lastLinesTimeoutMs = 10_000

export function createLogFollower({ client, logs, clock, warn }: Options): LogFollower {
  const pods = new Map<string, Map<string, Followed>>()
  let reading = 0
  const finishing = new Map<string, Promise<void>>()
  let isClosed = false

  function begin(pod: Pod, container: string, position: number, followed: Followed) {
    reading++
    followed.ended = read(pod, container, position, followed)
      .catch((error: unknown) => failed(pod, container, error))
      .finally(() => {
        reading--
        followed.ended = undefined
      })
  }

  async function read(pod: Pod, container: string, position: number, followed: Followed): Promise<void> {
    const { signal } = followed.stop
    const stream = await client.followLog(nameOf(pod), { namespace: namespaceOf(pod), container, signal })
    const reader = stream.getReader()
    const cancel = () => void reader.cancel().catch(() => {})
    if (signal.aborted) return cancel()
    // An in-process client may ignore the signal once it has a response.
    signal.addEventListener('abort', cancel)
    // Each attempt reads from the start. The result of the previous attempt remains until this one receives data.
    const writer = logs.writer({ podUid: uidOf(pod), position, container })
    for (;;) {
      const { value, done } = await reader.read()
      if (signal.aborted) return
      if (done) {
        followed.writer ??= writer
        return
      }
      followed.writer = writer
      writer.add(value)
    }
  }

  function failed(pod: Pod, container: string, error: unknown) {
    if (isClosed || !isFollowing(uidOf(pod))) return
    // The container has not started or was deleted: the pod's next state, which will arrive soon, shows which.
    if (error instanceof ApiError && [400, 404].includes(error.code)) return
    if (error instanceof ApiError && [401, 403].includes(error.code)) {
      warn(`The log of ${container} in ${namespaceOf(pod) ?? ''}/${nameOf(pod)} cannot be followed: ${error.message}`)
      return
    }
    if (error instanceof StorageError) {
      warn(`The log of ${container} in ${namespaceOf(pod) ?? ''}/${nameOf(pod)} cannot be archived: ${error.message}`)
    }
    const followed = pods.get(uidOf(pod))?.get(container)
    const cancel = clock.after(retryMs, () => {
      if (!isClosed && followed && !followed.ended && pods.get(uidOf(pod))?.get(container) === followed) follow(pod)
    })
    followed?.stop.signal.addEventListener('abort', cancel)
  }

  function follow(pod: Pod) {
    const uid = uidOf(pod)
    if (isClosed) return
    for (const [position, { name }] of pod.spec.containers.entries()) {
      const state = pod.status?.containerStatuses?.find((status) => status.name === name)?.state
      const known = pods.get(uid)?.get(name)
      const hasBegun = state?.running ?? state?.terminated
      // A log that was read to its end is read again only if the container is still running.
      const isRead = known && (known.ended ?? (known.writer && !state?.running))
      if (!hasBegun || isRead) continue
      if (reading >= maxFollowed) return
      const followed = known ?? { stop: new AbortController() }
      pods.set(uid, (pods.get(uid) ?? new Map<string, Followed>()).set(name, followed))
      begin(pod, name, position, followed)
    }
  }

  const isFollowing = (uid: string): boolean => pods.has(uid)

  function forget(uid: string, container?: string) {
    const followed = pods.get(uid)
    for (const [name, { stop }] of followed ?? []) {
      if (container !== undefined && container !== name) continue
      stop.abort()
      followed?.delete(name)
    }
    if (followed?.size === 0) pods.delete(uid)
  }

  async function gone(uid: string): Promise<void> {
    const followed = [...(pods.get(uid)?.values() ?? [])]
    const cancel = clock.after(lastLinesTimeoutMs, () => followed.forEach(({ stop }) => stop.abort()))
    await Promise.all(followed.map(({ ended }) => ended))
    cancel()
    if (isClosed) return
    forget(uid)
    try {
      for (const { writer } of followed) writer?.end()
    } catch (error) {
      warn(
        `The last log lines of a deleted pod could not be archived: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  return {
    follow,
    isFollowing,
    finishDeleted(uid) {
      const known = finishing.get(uid) ?? gone(uid).finally(() => finishing.delete(uid))
      finishing.set(uid, known)
      return known
    },
    isFinishing: (uid) => finishing.has(uid),
    forget,
    get busy() {
      return finishing.size > 0 ? Promise.all(finishing.values()) : undefined
    },
    close() {
      isClosed = true
      for (const uid of [...pods.keys()]) forget(uid)
    },
  }
}
