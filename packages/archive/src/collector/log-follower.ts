import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { podType, type Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { queryString, resourcePath } from '@slipway/kube/path'
import { ApiError } from '@slipway/kube/status'
import { StorageError } from '@slipway/sqlite/errors'
import type { LogStore, LogWriter } from '../store/logs'

/**
 * Reads along what running pods say. Who asks for the log of a pod that has gone asks too late, and pods go before they
 * end: those of tasks that are cancelled or run out of time are deleted as they run.
 */
export interface LogFollower {
  /** Reads what has begun in the pod and is not read yet; to be told of each of its states until it ends. */
  follow(pod: Pod): void
  /** Is something known of this pod that is nowhere else? */
  isFollowing(uid: string): boolean
  /** The pod has gone, or its logs have: settles once all that was heard is kept. */
  gone(uid: string): Promise<void>
  /** The log of this container is kept whole; without one, those of all. */
  forget(uid: string, container?: string): void
  /** Is somebody waiting for the end of what a pod said? */
  readonly isBusy: boolean
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
  /** Pending while it is read. */
  ended?: Promise<void>
}

/** Each takes a connection. What runs beside so many others is read when it has ended. */
const mostFollowed = 500
const retryMs = 5_000
/** The server ends the log of a pod that has gone; if it does not, nobody waits longer than this. */
const lastWordsMs = 10_000

export function createLogFollower({ client, logs, clock, warn }: Options): LogFollower {
  const pods = new Map<string, Map<string, Followed>>()
  let reading = 0
  let waiting = 0
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
    const path = resourcePath(podType, { namespace: namespaceOf(pod), name: nameOf(pod), subresource: 'log' })
    const stream = await client.stream(`${path}${queryString({ container, follow: true })}`, { signal })
    const reader = stream.getReader()
    const cancel = () => void reader.cancel().catch(() => {})
    if (signal.aborted) return cancel()
    // A client that works within the process may not listen to the signal once it has its answer.
    signal.addEventListener('abort', cancel)
    // Each reading begins at the beginning. What was read before counts until this one has something to say.
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
    // It has not begun after all, or has gone: its next state, which is on its way, tells.
    if (error instanceof ApiError && [400, 404].includes(error.code)) return
    if (error instanceof ApiError && [401, 403].includes(error.code)) {
      warn(`The log of ${container} in ${namespaceOf(pod) ?? ''}/${nameOf(pod)} cannot be followed: ${error.message}`)
      return
    }
    if (error instanceof StorageError) {
      warn(`The log of ${container} in ${namespaceOf(pod) ?? ''}/${nameOf(pod)} cannot be kept: ${error.message}`)
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
      // What has been read to its end is read again only if it turns out to go on.
      const isRead = known && (known.ended ?? (known.writer && !state?.running))
      if (!hasBegun || isRead) continue
      if (reading >= mostFollowed) return
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
    waiting++
    const cancel = clock.after(lastWordsMs, () => followed.forEach(({ stop }) => stop.abort()))
    await Promise.all(followed.map(({ ended }) => ended))
    cancel()
    waiting--
    if (isClosed) return
    forget(uid)
    try {
      for (const { writer } of followed) writer?.end()
    } catch (error) {
      warn(
        `What a pod said before it went could not be kept: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  return {
    follow,
    isFollowing,
    gone,
    forget,
    get isBusy() {
      return waiting > 0
    },
    close() {
      isClosed = true
      for (const uid of [...pods.keys()]) forget(uid)
    },
  }
}
