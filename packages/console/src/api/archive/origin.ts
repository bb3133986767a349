import type { KubeObject } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { type Run, startKey, startOf } from '@slipway/model/runs/tekton'

/** Marks objects that the cluster no longer has: read from an archive, or remembered only by this page. */
const origins = new WeakMap<object, 'archive' | 'deleted'>()

export function markArchived<T extends object>(object: T): T {
  origins.set(object, 'archive')
  return object
}

/** Marks an object as deleted while it was on screen. Returns a copy, so that its row re-renders. */
export function markDeleted<T extends object>(object: T): T {
  const copy = { ...object }
  origins.set(copy, 'deleted')
  return copy
}

/** Why the cluster does not have an object; `undefined` for an object in the cluster. */
export const originOf = (object: object): 'archive' | 'deleted' | undefined => origins.get(object)

/** Whether the cluster does not have an object, even if the archive could not say whether it does. */
export const isMissing = (error: Error | null): boolean => isNotFound(error) || isNotFound(error?.cause)

export const isArchived = (object: object): boolean => origins.get(object) === 'archive'

/** False for an archived object: its last version may have been about to be deleted, but now it is. */
export const isBeingDeleted = (object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined && originOf(object) === undefined

/** For newest start first: a pending run sorts as the newest, unless it was deleted and will never start. */
export const newestStart = (run: Run): string => (originOf(run) ? startOf(run) : startKey(run))
