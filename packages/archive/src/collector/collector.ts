import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { Pod } from '@slipway/kube/core-types'
import { nextTurn, untilIdle } from '@slipway/kube/idle'
import { createOutageLog } from '@slipway/kube/outage-log'
import { uidOf } from '@slipway/kube/object'
import { ApiError, isNotFound } from '@slipway/kube/status'
import type { ArchivedKind } from '../kinds'
import type { ArchiveStore, ArchiveRecord, ArchivedName } from '../store/store'
import { archiveRecordOf, recordAnnotations } from './archive-record'
import { createFeed } from './feed'
import { createLogFollower } from './log-follower'
import { createWorkQueue } from './work-queue'

export interface Collector {
  /** Settles once all finished objects known to the collector are archived. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface CollectorOptions {
  client: KubeClient
  store: ArchiveStore
  kinds: ArchivedKind[]
  clock: Clock
  warn(message: string): void
}

/** The API server groups concurrent writes into one commit. */
const concurrency = 16

/**
 * Watches the kinds in the cluster and archives finished and deleted objects. A restart loses no state: the next list
 * finds again what is finished but not archived, or archived but not settled.
 */
export function createCollector({ client, store, kinds, clock, warn }: CollectorOptions): Collector {
  const outages = createOutageLog({ clock, log: warn })
  const queue = createWorkQueue({ clock, concurrency, warn })
  store.logs.dropStray()
  const follower = createLogFollower({ client, logs: store.logs, clock, warn })
  const feeds = kinds.map((kind) =>
    createFeed({
      ...{ kind, client, store, follower, clock, warn },
      keep: (object, isDeleted) => keep(archiveRecordOf(kind, object, { isDeleted, nowMs: clock.now(), kinds })),
      onGone: markDeleted,
      onState: (state) => outages.onState(kind.type.plural, state),
    }),
  )
  let arrived: ArchiveRecord[] = []
  let flushing: Promise<void> | undefined
  let isClosed = false
  let isSynced = false
  const synced = Promise.all(feeds.map((feed) => feed.synced)).then(() => {
    isSynced = true
    flush()
    queueAllWork()
  })

  /** Records from one turn of the event loop share one commit. */
  function keep(record: ArchiveRecord) {
    arrived.push(record)
    flushing ??= nextTurn().then(() => {
      flushing = undefined
      if (!isClosed) flush()
    })
  }

  function flush() {
    const batch = arrived
    arrived = []
    try {
      store.save(batch)
    } catch (error) {
      // For example a full disk. The next list finds lost records again if the objects still exist.
      warn(`${batch.length} objects could not be archived: ${error instanceof Error ? error.message : String(error)}`)
      return
    }
    if (!isSynced) return
    for (const { type, object, ownerUid } of batch) {
      const kind = kinds.find((each) => each.type === type)
      const archived = store.named(uidOf(object))
      if (kind && archived && !archived.isSettled) queueWork(kind, archived)
      else queueOwnerWork(ownerUid)
    }
  }

  function markDeleted(uids: string[]) {
    flush()
    store.markDeleted(uids, clock.now())
    // Their owners may have been waiting for them.
    if (isSynced) queueAllWork()
  }

  /** Completes the remaining work for an archived object. Thousands may be waiting, so only names are in memory. */
  function queueWork(kind: ArchivedKind, archived: ArchivedName) {
    if (isClosed || archived.isSettled || archived.isDeleted) return
    const key = `${archived.kind} ${archived.namespace}/${archived.name} ${archived.uid}`
    if (kind.hasLogs) queue.add(key, () => archiveLogs(archived))
    else if (kind.isRecord && !isWaitingForOwned(archived.uid)) queue.add(key, () => annotateAsStored(kind, archived))
  }

  function queueAllWork() {
    for (const kind of kinds) for (const archived of store.unsettled(kind.type)) queueWork(kind, archived)
  }

  const isWaitingForOwned = (uid: string): boolean =>
    feeds.some((feed) => feed.hasUnfinishedOwned(uid)) || store.hasUnsettledOwned(uid)

  /** An owner may have been waiting for the last object that it owns. */
  function queueOwnerWork(uid: string) {
    if (!uid || !isSynced) return
    const owner = store.named(uid)
    const kind = owner && kinds.find(({ type }) => type.kind === owner.kind && type.group === owner.group)
    if (owner && kind) queueWork(kind, owner)
  }

  function settle({ uid, ownerUid }: ArchivedName) {
    store.settle(uid)
    queueOwnerWork(ownerUid)
  }

  async function archiveLogs(archived: ArchivedName) {
    const { namespace, name, uid } = archived
    const pod = JSON.parse(store.get(uid)?.json ?? 'null') as Pod | null // Archived from the API as a pod.
    for (const [position, container] of (pod?.spec.containers ?? []).entries()) {
      try {
        const text = await client.log(name, { namespace, container: container.name })
        // Another pod may have the name by now; the store knows whether this pod was deleted.
        if (isClosed || follower.isFinishing(uid) || store.named(uid)?.isDeleted) return
        store.logs.save([{ podUid: uid, position, container: container.name, text }])
        follower.forget(uid, container.name)
      } catch (error) {
        // The pod and its logs were deleted. What was received of the logs remains.
        if (isNotFound(error)) {
          await follower.finishDeleted(uid)
          break
        }
        // The container never started and never will.
        if (!(error instanceof ApiError && error.code === 400)) throw error
      }
    }
    follower.forget(uid)
    if (!isClosed) settle(archived)
  }

  /** The watch then reports the annotated run, which is archived as settled. */
  async function annotateAsStored({ type }: ArchivedKind, archived: ArchivedName) {
    const { namespace, name, uid, resultUid } = archived
    const result = `${namespace}/results/${resultUid}`
    const annotations = {
      [recordAnnotations.result]: result,
      [recordAnnotations.record]: `${result}/records/${uid}`,
      [recordAnnotations.stored]: 'true',
    }
    try {
      // The uid prevents annotating another object of the same name.
      await client.patch(type, name, { metadata: { uid, annotations } }, { namespace, metadataOnly: true })
    } catch (error) {
      if (!isDeletedOrReplaced(error)) throw error
      if (!isClosed) settle(archived)
    }
  }

  return {
    async idle() {
      await synced
      await untilIdle(() => flushing ?? queue.busy ?? follower.busy)
    },
    async close() {
      for (const feed of feeds) feed.close()
      follower.close()
      if (isSynced) flush()
      isClosed = true
      await queue.close()
    },
  }
}

/** Deleted, or replaced by another object of the same name. */
const isDeletedOrReplaced = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.code === 409)
