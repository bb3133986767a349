import type { LogStorage } from './logs'

export {
  printableError,
  StorageDamagedError,
  StorageError,
  StorageFullError,
  StorageInUseError,
  StorageTooNewError,
} from '@slipway/sqlite/errors'

/** What the API server needs from a store: versioned strings under keys, and the changes since a revision. */

/** One object as stored. Keys within a collection are ordered by their UTF-16 code units. */
export interface Stored {
  key: string
  /** Revision of the write that created this version. */
  revision: number
  value: string
}

export interface Change {
  collection: string
  key: string
  revision: number
  type: 'created' | 'updated' | 'deleted'
  /** The new text; for a deletion, the text passed with it. */
  value: string
  /** The text before the change; absent for `created`, and if it was not asked for. */
  previous?: string
}

export interface Write {
  collection: string
  key: string
  /** Revision that the key must have; `undefined` if the key must not exist. */
  expected: number | undefined
  /** For a deletion, `value` is the last state, as watches report it. */
  type: 'put' | 'delete'
  value: string
}

export interface ListRange {
  /** Only keys with this prefix. */
  prefix?: string
  /** Only keys after this one. */
  after?: string
  /** At most this many. */
  limit?: number
  /** The state at this revision; the current state if absent. */
  revision?: number
}

export interface ChangeRange {
  /** Only this collection; every collection if absent. */
  collection?: string
  /** Only keys with this prefix. */
  prefix?: string
  /** Only this key. */
  key?: string
  /** Without the text before each change, which takes as long to read as the new one. */
  withoutPrevious?: boolean
  /** Reads only a slice: little more than this many UTF-16 code units of text. */
  sliceLength?: number
}

export interface ChangeSlice {
  /** Oldest first. */
  changes: Change[]
  /** `changes` is complete up to this revision; the next slice starts after it. */
  upTo: number
}

/**
 * Reads are synchronous, so that a read followed by `subscribe` in the same turn misses nothing; writes resolve when
 * they are durable. Revisions are shared by all collections and strictly increasing; the first is 1.
 */
export interface Storage {
  /** Revision of the last write. */
  revision(): number
  /** Changes up to this revision are discarded: neither `list` nor `since` can go back before it. */
  compacted(): number
  get(collection: string, key: string): Stored | undefined
  /** In key order. @throws CompactedError */
  list(collection: string, range?: ListRange): Stored[]
  count(collection: string, range?: Omit<ListRange, 'limit'>): number
  /** Names of the non-empty collections. */
  collections(): string[]
  /** Returns the revision of the write. @throws WriteConflict if the key is not at `expected` */
  write(write: Write): Promise<number>
  /** Changes after a revision: all of them, unless the range asks for a slice. @throws CompactedError */
  since(revision: number, range?: ChangeRange): ChangeSlice
  /** Calls `listener` for every write, in order, once it is durable and before `write` resolves. */
  subscribe(listener: (change: Change) => void): () => void
  /** Discards the history before `revision`. */
  compact(revision: number): void
  readonly logs: LogStorage
  close(): void
}

export class WriteConflict extends Error {
  /** Current revision of the key; `undefined` if it does not exist. */
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
    super(`revision ${revision} is older than the oldest retained one, ${compacted}`)
    this.name = 'CompactedError'
    this.compacted = compacted
  }
}

/** How many changes are retained for watches by default. */
export const defaultHistoryLength = 10_000

/** Size of the texts of these changes: as much as 10,000 objects of 27 KB. */
export const defaultHistoryBytes = 256 * 1024 * 1024

/**
 * The revision up to which the history exceeds its limits; `compacted` if it does not. The newest change is always
 * retained. Allows 10% more than the limits, so that not every write compacts.
 * @param sizes bytes of each retained change, from the one after `compacted` on
 * @param bytes sum of the sizes
 */
export function findExcess(
  sizes: readonly number[],
  bytes: number,
  compacted: number,
  { historyLength, historyBytes }: { historyLength: number; historyBytes: number },
): number {
  if (sizes.length <= historyLength * 1.1 && bytes <= historyBytes * 1.1) return compacted
  let count = 0
  for (let retained = bytes; count < sizes.length - 1; count++) {
    if (sizes.length - count <= historyLength && retained <= historyBytes) break
    retained -= sizes[count] ?? 0
  }
  return compacted + count
}

export const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)
