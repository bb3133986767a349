import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { Pod } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { createOutageLog } from '@slipway/kube/outage-log'
import { uidOf, type KubeList, type KubeObject } from '@slipway/kube/object'
import { queryString, resourcePath } from '@slipway/kube/path'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { matchesRequirements, parseLabelSelector, formatLabelSelector } from '@slipway/kube/selector'
import { ApiError, isNotFound } from '@slipway/kube/status'
import type { ArchivedKind } from '../kinds'
import type { ArchiveStore, ArchiveRecord, ArchivedName } from '../store/store'
import { createLogFollower } from './log-follower'
import { archiveRecordOf, ownerUidOf, recordAnnotations } from './archive-record'
import { createWorkQueue } from './work-queue'

export interface Collector {
  /** Settles once everything that is finished in the cluster is kept, as far as it can be seen from here. */
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

/** Lists in pages of this many, of which only one is held. */
const pageSize = 500
/** The API server has what is written at the same time in one commit. */
const concurrency = 16
/** Whoever writes a few annotations need not be told the rest of the object. */
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'

/**
 * Follows the kinds in the cluster and keeps what is finished or deleted. Nothing is remembered that a restart would
 * miss: what is finished and not kept, or kept and not settled, is found again by the next list.
 */
export function createCollector({ client, store, kinds, clock, warn }: CollectorOptions): Collector {
  const outages = createOutageLog({ clock, log: warn })
  const queue = createWorkQueue({ clock, concurrency, warn })
  store.logs.dropStray()
  const follower = createLogFollower({ client, logs: store.logs, clock, warn })
  /** Pods that have gone, of which the last words are still on their way. */
  const going = new Set<string>()
  const feeds = kinds.map(createFeed)
  let arrived: ArchiveRecord[] = []
  let isFlushing = false
  let isClosed = false
  let isSynced = false
  const synced = Promise.all(feeds.map((feed) => feed.synced)).then(() => {
    isSynced = true
    flush()
    attendAll()
  })

  /** What arrives in one turn of the event loop shares one commit. */
  function keep(keeping: ArchiveRecord) {
    arrived.push(keeping)
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
      // Such as a full disk. The next list brings what is lost here, if it is still there.
      warn(`${batch.length} objects could not be kept: ${error instanceof Error ? error.message : String(error)}`)
      return
    }
    if (!isSynced) return
    for (const { type, object, ownerUid } of batch) {
      const kind = kinds.find((each) => each.type === type)
      const kept = store.named(uidOf(object))
      if (kind && kept && !kept.isSettled) attend(kind, kept)
      else attendOwner(ownerUid)
    }
  }

  /** Does what is left to be done about a kept object. Thousands may wait, and are not held whole. */
  function attend(kind: ArchivedKind, kept: ArchivedName) {
    if (isClosed || kept.isSettled || kept.isDeleted) return
    const key = `${kept.kind} ${kept.namespace}/${kept.name} ${kept.uid}`
    if (kind.hasLogs) queue.add(key, () => keepLogs(kind, kept))
    else if (kind.isRecord && !isWaitingForOwned(kept.uid)) queue.add(key, () => tellStored(kind, kept))
  }

  function attendAll() {
    for (const kind of kinds) for (const kept of store.unsettled(kind.type)) attend(kind, kept)
  }

  const isWaitingForOwned = (uid: string): boolean =>
    feeds.some((feed) => feed.hasUnfinishedOwned(uid)) || store.hasUnsettledOwned(uid)

  /** An owner may have waited for the last thing it owns. */
  function attendOwner(uid: string) {
    if (!uid || !isSynced) return
    const owner = store.named(uid)
    const kind = owner && kinds.find(({ type }) => type.kind === owner.kind && type.group === owner.group)
    if (owner && kind) attend(kind, owner)
  }

  function settle({ uid, ownerUid }: ArchivedName) {
    store.settle(uid)
    attendOwner(ownerUid)
  }

  async function keepLogs({ type }: ArchivedKind, kept: ArchivedName) {
    const { namespace, name, uid } = kept
    const pod = JSON.parse(store.get(uid)?.json ?? 'null') as Pod | null // Kept from the API as a pod.
    for (const [position, container] of (pod?.spec.containers ?? []).entries()) {
      const path = resourcePath(type, { namespace, name, subresource: 'log' })
      try {
        const text = await client.text(`${path}${queryString({ container: container.name })}`)
        // Another pod may have got the name meanwhile; the store knows once its own has gone.
        if (isClosed || going.has(uid) || store.named(uid)?.isDeleted) return
        store.logs.save([{ podUid: uid, position, container: container.name, text }])
        follower.forget(uid, container.name)
      } catch (error) {
        // The pod has gone, and its logs with it. What was heard of them is left.
        if (isNotFound(error)) {
          await follower.gone(uid)
          break
        }
        // The container never began, and now it never will.
        if (!(error instanceof ApiError && error.code === 400)) throw error
      }
    }
    follower.forget(uid)
    if (!isClosed) settle(kept)
  }

  /** The run as it is then, which the watch tells, is kept as one that nothing is left to be done about. */
  async function tellStored({ type }: ArchivedKind, kept: ArchivedName) {
    const { namespace, name, uid, resultUid } = kept
    const result = `${namespace}/results/${resultUid}`
    const annotations = {
      [recordAnnotations.result]: result,
      [recordAnnotations.record]: `${result}/records/${uid}`,
      [recordAnnotations.stored]: 'true',
    }
    try {
      await client.request(resourcePath(type, { namespace, name }), {
        method: 'PATCH',
        headers: { accept: metadataOnly, 'content-type': 'application/merge-patch+json' },
        // With the uid, another object of the same name is not told.
        body: JSON.stringify({ apiVersion: apiVersionOf(type), kind: type.kind, metadata: { uid, annotations } }),
      })
    } catch (error) {
      if (!isGone(error)) throw error
      if (!isClosed) settle(kept)
    }
  }

  function createFeed(kind: ArchivedKind) {
    const { type, labels } = kind
    const requirements = labels && parseLabelSelector(formatLabelSelector(labels))
    /** The last state of what is there and not finished: kept as it is should it disappear. */
    const unfinished = new Map<string, KubeObject>()
    const unfinishedOf = new Map<string, Set<string>>()
    let markSynced = () => {}
    const isSyncedOnce = new Promise<void>((resolve) => (markSynced = resolve))

    function see(object: KubeObject, isDeleted: boolean) {
      const uid = uidOf(object)
      // With a selector, what no longer matches it is told as deleted, in its new state.
      const isOut = isDeleted && requirements && !matchesRequirements(object.metadata.labels, requirements)
      const isDone = isDeleted ? !isOut : kind.isFinished(object)
      if (kind.hasLogs && isDeleted && follower.isFollowing(uid)) {
        going.add(uid)
        void follower.gone(uid).then(() => {
          going.delete(uid)
          if (!isClosed) see(object, true)
        })
        return
      }
      if (kind.hasLogs && !isDone && !isDeleted) follower.follow(object as Pod) // Of a kind of pods.
      if (isDone || isOut) forget(uid)
      else remember(uid, object)
      if (isDone || (!isOut && store.named(uid)))
        keep(archiveRecordOf(kind, object, { isDeleted, nowMs: clock.now(), kinds }))
    }

    function remember(uid: string, object: KubeObject) {
      forget(uid)
      unfinished.set(uid, object)
      const owner = ownerUidOf(object)
      // A pod that has not begun when its run has ended never will, and has nothing to tell.
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
      for (let token: string | undefined = ''; token !== undefined;) {
        const page: KubeList = await client.list(type, { labels, limit: pageSize, continue: token, signal })
        for (const object of page.items) {
          listed.add(uidOf(object))
          see(object, false)
        }
        metadata = page.metadata
        token = page.metadata.continue || undefined
      }
      signal.throwIfAborted()
      for (const [uid, object] of [...unfinished]) if (!listed.has(uid)) see(object, true)
      const gone = store.present(type).filter(({ uid }) => !listed.has(uid))
      if (gone.length > 0) {
        await Promise.all(gone.map(({ uid }) => follower.gone(uid)))
        flush()
        store.markDeleted(
          gone.map(({ uid }) => uid),
          clock.now(),
        )
        // Their owners may have waited for them.
        if (isSynced) attendAll()
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
      // Events travel through a few turns of the event loop before anybody hears of them.
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

const isWaiting = (object: KubeObject): boolean => ((object as Pod).status?.phase ?? 'Pending') === 'Pending' // Of a kind of pods.

/** Gone, or replaced by another of its name. */
const isGone = (error: unknown): boolean => isNotFound(error) || (error instanceof ApiError && error.code === 409)
