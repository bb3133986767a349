import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { Pod } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import type { ListWatchState } from '@slipway/kube/list-watch-machine'
import { uidOf, type KubeList, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { parseLabelSelector } from '@slipway/kube/parse-selector'
import { formatLabelSelector, matchesRequirements } from '@slipway/kube/selector'
import type { ArchivedKind } from '../kinds'
import type { ArchiveStore } from '../store/store'
import { ownerUidOf } from './archive-record'
import type { LogFollower } from './log-follower'
import { effectsOf, type Effect } from './sighting'

/** The objects of one kind in the cluster. */
export interface Feed {
  /** Settles once all objects are known. */
  synced: Promise<void>
  /** Whether an object that this one owns has not finished. */
  hasUnfinishedOwned(uid: string): boolean
  close(): void
}

interface FeedOptions {
  kind: ArchivedKind
  client: KubeClient
  store: ArchiveStore
  follower: LogFollower
  clock: Clock
  /** Archives the object in this state. */
  keep(object: KubeObject, isDeleted: boolean): void
  /** The archived objects with these uids are no longer in the cluster. */
  onGone(uids: string[]): void
  onState(state: ListWatchState): void
  warn(message: string): void
}

/** Page size of lists; only one page is in memory at a time. */
const pageSize = 500

export function createFeed({ kind, client, store, follower, clock, keep, onGone, onState, warn }: FeedOptions): Feed {
  const { type, labels } = kind
  const requirements = labels && parseLabelSelector(formatLabelSelector(labels))
  /** The last state of unfinished objects, which is archived if they disappear. */
  const unfinished = new Map<string, KubeObject>()
  const unfinishedOf = new Map<string, Set<string>>()
  let isClosed = false

  function see(object: KubeObject, isDeleted: boolean) {
    const uid = uidOf(object)
    const effects = effectsOf({
      isDeleted,
      isFinished: kind.isFinished(object),
      isSelected: !requirements || matchesRequirements(object.metadata.labels, requirements),
      hasLogs: kind.hasLogs ?? false,
      isFollowed: follower.isFollowing(uid),
    })
    for (const effect of effects) carryOut(effect, object, isDeleted)
  }

  function carryOut(effect: Effect, object: KubeObject, isDeleted: boolean) {
    switch (effect) {
      case 'follow':
        return follower.follow(object as Pod) // The kind has logs, so it is a pod.
      case 'finishLogs':
        return void follower.finishDeleted(uidOf(object)).then(() => {
          if (!isClosed) see(object, true)
        })
      case 'remember':
        return remember(object)
      case 'forget':
        return forget(uidOf(object))
      case 'update':
        if (store.named(uidOf(object))) keep(object, isDeleted)
        return
      case 'archive':
        return keep(object, isDeleted)
    }
  }

  function remember(object: KubeObject) {
    const uid = uidOf(object)
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
    let metadata: KubeList['metadata'] = {}
    for await (const page of client.pages(type, { labels, limit: pageSize, signal })) {
      for (const object of page.items) {
        listed.add(uidOf(object))
        see(object, false)
      }
      metadata = page.metadata
    }
    signal.throwIfAborted()
    for (const [uid, object] of [...unfinished]) if (!listed.has(uid)) see(object, true)
    const gone = store.present(type).flatMap(({ uid }) => (listed.has(uid) ? [] : [uid]))
    if (gone.length > 0) {
      await Promise.all(gone.map((uid) => follower.finishDeleted(uid)))
      onGone(gone)
    }
    return { metadata, items: [] }
  }

  let live: { close(): void } | undefined
  const synced = new Promise<void>((resolve) => {
    live = listWatch<KubeObject>({
      list,
      openWatch: (resourceVersion, handlers) =>
        client.watch(type, { labels, resourceVersion, allowWatchBookmarks: true }, handlers),
      onList: () => resolve(),
      onEvents(events) {
        for (const event of events) {
          if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue
          see({ ...event.object, apiVersion: apiVersionOf(type), kind: type.kind }, event.type === 'DELETED')
        }
      },
      onState,
      flushMs: 0,
      clock,
      warn,
    })
  })
  return {
    synced,
    hasUnfinishedOwned: (uid) => unfinishedOf.has(uid),
    close() {
      isClosed = true
      live?.close()
    },
  }
}

const isWaiting = (object: KubeObject): boolean => ((object as Pod).status?.phase ?? 'Pending') === 'Pending' // The kind has logs, so it is a pod.
