import type { Clock } from '@slipway/kube/clock'
import type { ShelfSink } from './shelf-sink'
import type { ViewKind } from './view-kind'

export interface ShelvesOptions {
  kinds: readonly ViewKind[]
  /** Lists and watches one kind in one namespace, until it is closed. */
  read(kind: ViewKind, namespace: string, sink: ShelfSink): { close(): void }
  clock: Clock
  /** Shelves are dropped beyond this, the least recently used first. */
  maxBytes: number
  /** How long a shelf stays after its last use, in milliseconds. */
  keepMs: number
}

/** The shelves of all users of a process: one for each kind and namespace that is in use. */
export interface Shelves {
  /** Estimated memory of all rows. */
  readonly bytes: number
  close(): void
}
