import type { ObjectMeta } from '@slipway/kube/object'
import { events } from '../builtin/events'
import { metadataOf } from '../registry/objects'
import { collectionOf } from '../registry/resource'
import { WriteConflict } from '../storage/storage'
import type { Controller, ControllerParts } from './controllers'

/** As long as a real server keeps events unless it is told otherwise (`--event-ttl`). */
const lifeMs = 3_600_000
/** Those that are written within this time go together, at its end: real servers share their leases likewise. */
const sharedMs = 60_000

/** Removes events an hour after they were last written, without looking at them again before. */
export function eventExpiry({ storage, clock }: Pick<ControllerParts, 'storage' | 'clock'>): Controller {
  const collection = collectionOf(events.type)
  /** Keys with the revisions that go, by the number of the minute at whose end they do. */
  const due = new Map<number, Map<string, number>>()
  let wake = () => {}
  let cancel: (() => void) | undefined

  for (const { key, value, revision } of storage.list(collection)) note(key, revision, metadataOf(value))

  function note(key: string, revision: number, metadata: ObjectMeta) {
    const minute = Math.ceil((lastWrittenMs(metadata) + lifeMs) / sharedMs)
    const known = due.get(minute)
    if (known) known.set(key, revision)
    else due.set(minute, new Map([[key, revision]]))
  }

  function wakeInTime() {
    if (cancel || due.size === 0) return
    const first = Math.min(...due.keys())
    cancel = clock.after(Math.max(0, first * sharedMs - clock.now()), () => {
      cancel = undefined
      wake()
    })
  }

  /** The revision is the one that was noted: what was written again lives on. */
  async function remove(key: string, revision: number) {
    const stored = storage.get(collection, key)
    if (stored?.revision !== revision) return
    await storage
      .write({ collection, key, expected: revision, type: 'delete', value: stored.value })
      .catch(unlessChanged)
  }

  return {
    observe({ collection: changed, type, key, revision }, metadata) {
      if (changed !== collection || type === 'deleted') return false
      note(key, revision, metadata())
      wakeInTime()
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
      wakeInTime()
    },
    onTime(given) {
      wake = given
      wakeInTime()
      return () => cancel?.()
    },
  }
}

/** Milliseconds since 1970, of the latest of its managers. */
function lastWrittenMs({ creationTimestamp = '', managedFields = [] }: ObjectMeta): number {
  const times = [creationTimestamp, ...managedFields.map(({ time = '' }) => time)].map((time) => Date.parse(time))
  return Math.max(...times.filter((time) => !Number.isNaN(time)), 0)
}

function unlessChanged(error: unknown) {
  if (!(error instanceof WriteConflict)) throw error
}
