import type { KubeObject } from '@slipway/kube/object'
import type { WatchEvent } from '@slipway/kube/watch-event'

/** Why a shelf is not up to date. */
export interface Stale {
  /** The last time at which it was known to be up to date, in milliseconds since 1970. */
  sinceMs: number
  why: string
  /** The code with which the cluster has rejected the list, and would again: nothing may be expected soon. */
  rejectedWith?: number
  /** It is read again at intervals, since more lists are shown than can be watched. */
  isPolled?: boolean
}

export type StaleReason = Pick<Stale, 'rejectedWith' | 'isPolled'>

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
  /** The source is out of reach, cannot be read, or is not watched; `undefined` once it is followed again. */
  setStale(why: string | undefined, reason?: StaleReason): void
}
