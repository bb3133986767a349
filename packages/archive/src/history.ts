import { uidOf, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { archiveRecordOf } from './collector/archive-record'
import type { ArchivedKind } from './kinds'
import type { ArchiveStore } from './store/store'

/** An object of a time before the archive, whole: with its uid, its creation and its owners. */
export interface PastObject {
  object: KubeObject
  deletedMs: number
  /** Of a pod, what its containers have written, in their order. */
  logs?: Record<string, string>
}

/**
 * Puts into a store what an archive of these kinds would have kept of objects that have gone from the cluster since.
 * @throws Error for an object of no kind of these
 */
export function saveHistory(store: ArchiveStore, kinds: ArchivedKind[], history: PastObject[]): void {
  store.save(
    history.map(({ object, deletedMs }) => {
      const kind = kinds.find(({ type }) => type.kind === object.kind && apiVersionOf(type) === object.apiVersion)
      if (!kind) throw new Error(`The archive keeps no ${object.apiVersion ?? ''} ${object.kind ?? ''}.`)
      return archiveRecordOf(kind, object, { isDeleted: true, nowMs: deletedMs, kinds })
    }),
  )
  store.logs.save(
    history.flatMap(({ object, logs = {} }) =>
      Object.entries(logs).map(([container, text], position) => ({ podUid: uidOf(object), position, container, text })),
    ),
  )
}
