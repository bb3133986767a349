import { uidOf, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { archiveRecordOf } from './collector/archive-record'
import type { ArchivedKind } from './kinds'
import type { ArchiveStore } from './store/store'

/** A complete object from before the archive existed, with its uid, creation time and owners. */
export interface PastObject {
  object: KubeObject
  deletedMs: number
  /** For a pod: the logs of its containers, in order. */
  logs?: Record<string, string>
}

/**
 * Saves objects that were deleted from the cluster, as an archive of these kinds would have archived them.
 * @throws Error for an object of another kind
 */
export function saveHistory(store: ArchiveStore, kinds: ArchivedKind[], history: PastObject[]): void {
  store.save(
    history.map(({ object, deletedMs }) => {
      const kind = kinds.find(({ type }) => type.kind === object.kind && apiVersionOf(type) === object.apiVersion)
      if (!kind) throw new Error(`The archive does not support ${object.apiVersion ?? ''} ${object.kind ?? ''}.`)
      return archiveRecordOf(kind, object, { isDeleted: true, nowMs: deletedMs, kinds })
    }),
  )
  store.logs.save(
    history.flatMap(({ object, logs = {} }) =>
      Object.entries(logs).map(([container, text], position) => ({ podUid: uidOf(object), position, container, text })),
    ),
  )
}
