import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { Pod } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { createOutageLog } from '@slipway/kube/outage-log'
import { uidOf, type KubeList, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { matchesRequirements, parseLabelSelector, formatLabelSelector } from '@slipway/kube/selector'
import { ApiError, isNotFound } from '@slipway/kube/status'
import type { ArchivedKind } from '../kinds'
import type { ArchiveStore, ArchiveRecord, ArchivedName } from '../store/store'
import { createLogFollower } from './log-follower'
import { archiveRecordOf, ownerUidOf, recordAnnotations } from './archive-record'
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

/** Page size of lists; only one page is in memory at a time. */
const pageSize = 500
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
  /** Deleted pods whose last log lines are still arriving. */
  const closingPods = new Set<string>()
  const feeds = kinds.map(createFeed)
  let arrived: ArchiveRecord[] = []
  let isFlushing = false
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
    if (isFlushing) return
    isFlushing = true
    setImmediate(() => {
      if (!isClosed) flush()
    })
  }

  function flush() {
    isFlushing = false
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
        if (isClosed || closingPods.has(uid) || store.named(uid)?.isDeleted) return
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

  function createFeed(kind: ArchivedKind) {
    const { type, labels } = kind
    const requirements = labels && parseLabelSelector(formatLabelSelector(labels))
    /** The last state of unfinished objects, which is archived if they disappear. */
    const unfinished = new Map<string, KubeObject>()
    const unfinishedOf = new Map<string, Set<string>>()
    let markSynced = () => {}
    const isSyncedOnce = new Promise<void>((resolve) => (markSynced = resolve))

    function see(object: KubeObject, isDeleted: boolean) {
      const uid = uidOf(object)
      // With a selector, an object that no longer matches is reported as deleted, in its new state.
      const isOut = isDeleted && requirements && !matchesRequirements(object.metadata.labels, requirements)
      const isDone = isDeleted ? !isOut : kind.isFinished(object)
      if (kind.hasLogs && isDeleted && follower.isFollowing(uid)) {
        closingPods.add(uid)
        void follower.finishDeleted(uid).then(() => {
          closingPods.delete(uid)
          if (!isClosed) see(object, true)
        })
        return
      }
      if (kind.hasLogs && !isDone && !isDeleted) follower.follow(object as Pod) // The kind has logs, so it is a pod.
      if (isDone || isOut) forget(uid)
      else remember(uid, object)
      if (isDone || (!isOut && store.named(uid)))
        keep(archiveRecordOf(kind, object, { isDeleted, nowMs: clock.now(), kinds }))
    }

    function remember(uid: string, object: KubeObject) {
      forget(uid)
      unfinished.set(uid, object)
      const owner = ownerUidOf(object)
      // A pod that has not started when its run ends never will, and has no logs.
      if (owner && !(kind.hasLogs && isWaiting(object)))
        unfinishedOf.set(owner, (unfinishedOf.get(owner) ?? new Set()).add(uid))
    }

    function forget(uid: string) {
      const known = unfinished.get(uid)
      if (!known) return
      unfinished.delete(uid)
      const owner = ownerUidOf(known)
      const siblings = unfinishedOf.get(owner)
      siblings?.delete(uid)
      if (siblings?.size === 0) unfinishedOf.delete(owner)
    }

    async function list(signal: AbortSignal): Promise<KubeList> {
      const listed = new Set<string>()
      let metadata: KubeList['metadata'] | undefined
      for await (const page of client.pages(type, { labels, limit: pageSize, signal })) {
        for (const object of page.items) {
          listed.add(uidOf(object))
          see(object, false)
        }
        metadata = page.metadata
      }
      signal.throwIfAborted()
      for (const [uid, object] of [...unfinished]) if (!listed.has(uid)) see(object, true)
      const gone = store.present(type).filter(({ uid }) => !listed.has(uid))
      if (gone.length > 0) {
        await Promise.all(gone.map(({ uid }) => follower.finishDeleted(uid)))
        flush()
        store.markDeleted(
          gone.map(({ uid }) => uid),
          clock.now(),
        )
        // Their owners may have been waiting for them.
        if (isSynced) queueAllWork()
      }
      return { metadata: metadata ?? {}, items: [] }
    }

    const live = listWatch<KubeObject>({
      list,
      openWatch: (resourceVersion, handlers) =>
        client.watch(type, { labels, resourceVersion, allowWatchBookmarks: true }, handlers),
      onList: () => markSynced(),
      onEvents(events) {
        for (const event of events) {
          if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue
          see({ ...event.object, apiVersion: apiVersionOf(type), kind: type.kind }, event.type === 'DELETED')
        }
      },
      onState: (state) => outages.onState(type.plural, state),
      flushMs: 0,
      clock,
      warn,
    })
    return {
      synced: isSyncedOnce,
      hasUnfinishedOwned: (uid: string) => unfinishedOf.has(uid),
      close: () => live.close(),
    }
  }

  return {
    async idle() {
      await synced
      // Events take a few turns of the event loop to arrive.
      for (let quietTurns = 0; quietTurns < 4 && !isClosed; quietTurns++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (isFlushing || queue.isBusy || follower.isBusy) quietTurns = -1
      }
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

const isWaiting = (object: KubeObject): boolean => ((object as Pod).status?.phase ?? 'Pending') === 'Pending' // The kind has logs, so it is a pod.

/** Deleted, or replaced by another object of the same name. */
const isDeletedOrReplaced = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.code === 409)
