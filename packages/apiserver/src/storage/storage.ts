import type { LogStorage } from './logs'

export { StorageDamagedError, StorageError, StorageFullError, StorageInUseError } from '@slipway/sqlite/errors'

/** What the API server needs of a place to keep objects: versions of texts under keys, and what changed since when. */

/** One object as it is kept. Keys are ordered by their UTF-16 code units within a collection. */
export interface Stored {
  key: string
  /** Of the write that made this version. */
  revision: number
  value: string
}

export interface Change {
  collection: string
  key: string
  revision: number
  type: 'created' | 'updated' | 'deleted'
  /** The new text; of a deletion, what was given with it. */
  value: string
  /** The text before; absent for `created`. */
  previous?: string
}

export interface Write {
  collection: string
  key: string
  /** Revision that the key must have now; `undefined`: the key must not exist. */
  expected: number | undefined
  /** A deletion leaves `value` to those who watch: the last state. */
  type: 'put' | 'delete'
  value: string
}

export interface ListRange {
  /** Only keys that start with this. */
  prefix?: string
  /** Only keys after this one. */
  after?: string
  /** At most this many. */
  limit?: number
  /** The state at this revision; now, when absent. */
  revision?: number
}

/**
 * Reads answer at once, so that a read followed by `subscribe` in the same turn misses nothing; writes answer when they
 * are durable. Revisions are shared by all collections and rise strictly; the first is 1.
 */
export interface Storage {
  /** Revision of the last write. */
  revision(): number
  /** Changes up to this revision are forgotten: neither `list` nor `since` can go back to before it. */
  compacted(): number
  get(collection: string, key: string): Stored | undefined
  /** In key order. @throws CompactedError */
  list(collection: string, range?: ListRange): Stored[]
  count(collection: string, range?: Omit<ListRange, 'limit'>): number
  /** Names of the collections that hold anything. */
  collections(): string[]
  /** Revision of the write. @throws WriteConflict when the key is not at `expected` */
  write(write: Write): Promise<number>
  /** Changes after a revision, oldest first. @throws CompactedError */
  since(revision: number, collection?: string): Change[]
  /** Calls `listener` for every write after it is durable, in order, before the writer is answered. */
  subscribe(listener: (change: Change) => void): () => void
  /** Forgets what was before `revision`. */
  compact(revision: number): void
  readonly logs: LogStorage
  close(): void
}

export class WriteConflict extends Error {
  /** Revision that the key has; `undefined` when it does not exist. */
  readonly actual: number | undefined
  constructor(key: string, actual: number | undefined) {
    super(`${key} is at revision ${actual ?? 'none'}`)
    this.name = 'WriteConflict'
    this.actual = actual
  }
}

export class CompactedError extends Error {
  readonly compacted: number
  constructor(revision: number, compacted: number) {
    super(`revision ${revision} is older than the oldest kept one, ${compacted}`)
    this.name = 'CompactedError'
    this.compacted = compacted
  }
}

/** How many changes are kept for those who watch, unless told otherwise. */
export const defaultHistoryLength = 10_000
