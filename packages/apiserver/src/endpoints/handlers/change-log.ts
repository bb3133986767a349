import { CompactedError, type Change, type ChangeRange, type Storage } from '../../storage/storage'
import { createEntry, type ChangeEntry } from './change-entry'

export interface LogRange extends Pick<ChangeRange, 'collection' | 'prefix' | 'key' | 'withoutPrevious'> {
  collection: string
}

export interface LogSlice {
  /** Oldest first. */
  entries: Iterable<ChangeEntry>
  /** True if the entries are retained. Otherwise the next read from the same revision creates them again. */
  isRetained: boolean
  /** `entries` is complete up to this revision; the next slice starts after it. */
  upTo: number
}

/** The last changes, in memory, and older ones from the storage: one copy for all watches, which hold positions in it. */
export interface ChangeLog {
  /** Adds the newest change. */
  append(change: Change): ChangeEntry
  /** The first changes of a range after a revision. A slice takes a few milliseconds. @throws CompactedError */
  read(after: number, range: LogRange): LogSlice
  /** Revision of the newest change. */
  newest(): number
}

/** How many changes of the log a slice examines at most. */
const sliceEntries = 1_000
/** Length of the texts that a slice reads from the storage. */
const sliceLength = 128 * 1024

/** @param maxBytes approximate memory for changes; the newest one is retained whatever its size */
export function createChangeLog(storage: Storage, maxBytes: number): ChangeLog {
  /** Oldest first. */
  let entries: ChangeEntry[] = []
  let newest = storage.revision()
  /** All changes after this revision are in memory. */
  let start = newest
  /** Of all entries. */
  let bytes = 0

  function trim() {
    const compacted = storage.compacted()
    let count = 0
    for (const entry of entries) {
      const isNewest = count === entries.length - 1
      if (entry.revision > compacted && (bytes <= maxBytes || isNewest)) break
      bytes -= entry.bytes()
      start = entry.revision
      count++
    }
    // A new array, as a slice may still be read from this one.
    if (count > 0) entries = entries.slice(count)
    start = Math.max(start, compacted)
  }

  function* inRange(all: readonly ChangeEntry[], from: number, to: number, range: LogRange): Generator<ChangeEntry> {
    for (let index = from; index < to; index++) {
      const entry = all[index]
      if (entry && isInRange(entry, range)) yield entry
    }
  }

  const resized = (addedBytes: number) => {
    bytes += addedBytes
  }

  return {
    newest: () => newest,
    append(change) {
      const { collection, key, revision } = change
      const reload = () => {
        const [again] = storage.since(revision - 1, { collection, key, sliceLength: 1 }).changes
        if (!again) throw new Error(`revision ${revision} is missing from the storage`)
        return again
      }
      const entry = createEntry(change, reload, resized)
      entries.push(entry)
      newest = revision
      bytes += entry.bytes()
      trim()
      return entry
    },
    read(after, range) {
      if (after < storage.compacted()) throw new CompactedError(after, storage.compacted())
      if (after < start) {
        const { changes, upTo } = storage.since(after, { ...range, sliceLength })
        // The storage may already have changes that are about to be appended.
        const known = changes.filter(({ revision }) => revision <= newest)
        const read = known.map((change) => createEntry(change, () => change))
        return { entries: read, isRetained: false, upTo: Math.min(upTo, newest) }
      }
      const from = firstAfter(entries, after)
      const to = Math.min(entries.length, from + sliceEntries)
      const last = to < entries.length ? entries[to - 1] : undefined
      return { entries: inRange(entries, from, to, range), isRetained: true, upTo: last ? last.revision : newest }
    },
  }
}

export const isInRange = (entry: ChangeEntry, { collection, key, prefix = '' }: LogRange): boolean =>
  entry.collection === collection && (key === undefined ? entry.key.startsWith(prefix) : entry.key === key)

/** Index of the first entry after a revision. */
function firstAfter(entries: readonly ChangeEntry[], revision: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.revision ?? Infinity) <= revision) low = middle + 1
    else high = middle
  }
  return low
}
