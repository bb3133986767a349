import type { KubeObject } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'

/** What has been read and the cluster has no more: kept by an archive, or only on this screen. */
const places = new WeakMap<object, 'archive' | 'nowhere'>()

export function markArchived<T extends object>(object: T): T {
  places.set(object, 'archive')
  return object
}

/** The same object, marked as one that was deleted while it was looked at: a copy, so that its row is drawn again. */
export function markDeleted<T extends object>(object: T): T {
  const copy = { ...object }
  places.set(copy, 'nowhere')
  return copy
}

/** Where the only copy of an object is; `undefined` for one of the cluster. */
export const originOf = (object: object): 'archive' | 'nowhere' | undefined => places.get(object)

/** Does the cluster not have it? So too while no archive can say whether it has it. */
export const isMissing = (error: Error | null): boolean => isNotFound(error) || isNotFound(error?.cause)

export const isArchived = (object: object): boolean => places.get(object) === 'archive'

/** An archive keeps the last that it saw: of an object that was being deleted then, and is gone now. */
export const isBeingDeleted = (object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined && originOf(object) === undefined
