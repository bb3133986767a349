import type { KubeObject } from '@slipway/kube/object'
import type { WatchEvent } from '@slipway/kube/watch-event'

/** Why a shelf is not up to date. */
export interface Stale {
  /** The last time at which it was known to be up to date, in milliseconds since 1970. */
  sinceMs: number
  why: string
  /** The cluster has rejected the list, and would again: nothing may be expected soon. */
  isRejected?: boolean
}

/**
 * Where a reader puts what it lists and watches: first a list, page by page, then the events since. After a gap, it
 * starts with a list again; until that is complete, windows show what was known before.
 */
export interface ShelfSink {
  beginList(): void
  addPage(objects: readonly KubeObject[]): void
  /** The list is complete: rows that were on none of its pages are removed. @param version of the list */
  endList(version: string): void
  /**
   * In order. ERROR events are ignored: the reader lists again.
   * @param seen the version up to which nothing is missing, if that is not the version of the last event: for a kind that
   *   is watched in several groups, the earliest of theirs
   */
  apply(events: readonly WatchEvent[], seen?: string): void
  /**
   * The source is out of reach, or cannot be read; `undefined` once it is followed again.
   * @param isRejected whether the cluster has rejected the list
   */
  setStale(why: string | undefined, isRejected?: boolean): void
}
