import type { ObjectMeta } from '@slipway/kube/object'
import { events } from '../builtin/events'
import { metadataOf } from '../registry/objects'
import { collectionOf } from '../resource'
import { WriteConflict } from '../storage/storage'
import type { Controller, ControllerParts } from './controllers'

/** The real server's default (`--event-ttl`). */
const defaultTtlMs = 3_600_000
/** Events written within this period expire together at its end; real servers share etcd leases in the same way. */
const sharedMs = 60_000

/** Removes events some time after their last write, an hour by default, without rescanning them. */
export function eventExpiry(
  { storage, clock }: Pick<ControllerParts, 'storage' | 'clock'>,
  ttlMs = defaultTtlMs,
): Controller {
  const collection = collectionOf(events.type)
  /** Keys and revisions that expire, by the minute at whose end they do. */
  const due = new Map<number, Map<string, number>>()
  let wake = () => {}
  let cancel: (() => void) | undefined

  for (const { key, value, revision } of storage.list(collection)) record(key, revision, metadataOf(value))

  function record(key: string, revision: number, metadata: ObjectMeta) {
    const minute = Math.ceil((lastWrittenMs(metadata) + ttlMs) / sharedMs)
    const known = due.get(minute)
    if (known) known.set(key, revision)
    else due.set(minute, new Map([[key, revision]]))
  }

  function scheduleNext() {
    if (cancel || due.size === 0) return
    const first = Math.min(...due.keys())
    cancel = clock.after(Math.max(0, first * sharedMs - clock.now()), () => {
      cancel = undefined
      wake()
    })
  }

  /** Removes the recorded revision only: an event that was written again stays. */
  async function remove(key: string, revision: number) {
    const stored = storage.get(collection, key)
    if (stored?.revision !== revision) return
    await storage
      .write({ collection, key, expected: revision, type: 'delete', value: stored.value })
      .catch(ignoreConflict)
  }

  return {
    observe({ collection: changed, type, key, revision }, metadata) {
      if (changed !== collection || type === 'deleted') return false
      record(key, revision, metadata())
      scheduleNext()
      return false
    },
    async reconcile() {
      const now = Math.floor(clock.now() / sharedMs)
      for (const [minute, keys] of due) {
        if (minute > now) continue
        for (const [key, revision] of keys) {
          await remove(key, revision)
          keys.delete(key)
        }
        due.delete(minute)
      }
      scheduleNext()
    },
    onTime(listener) {
      wake = listener
      scheduleNext()
      return () => cancel?.()
    },
  }
}

/** Time of the last write by any manager, in milliseconds since 1970. */
function lastWrittenMs({ creationTimestamp = '', managedFields = [] }: ObjectMeta): number {
  const times = [creationTimestamp, ...managedFields.map(({ time = '' }) => time)].map((time) => Date.parse(time))
  return Math.max(...times.filter((time) => !Number.isNaN(time)), 0)
}

function ignoreConflict(error: unknown) {
  if (!(error instanceof WriteConflict)) throw error
}
