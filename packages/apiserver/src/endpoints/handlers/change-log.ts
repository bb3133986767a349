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

/** The retained changes of one kind. */
interface Collection {
  all: Series
  byKey: Map<string, Series>
}

/** @param maxBytes approximate memory for changes; the newest one is retained whatever its size */
export function createChangeLog(storage: Storage, maxBytes: number): ChangeLog {
  const log = createSeries()
  const collections = new Map<string, Collection>()
  let newest = storage.revision()
  /** All changes after this revision are in memory. */
  let start = newest
  /** Of all entries. */
  let bytes = 0

  function trim() {
    const compacted = storage.compacted()
    for (let oldest = log.oldest(); oldest; oldest = log.oldest()) {
      const isNewest = oldest.revision === newest
      if (oldest.revision > compacted && (bytes <= maxBytes || isNewest)) break
      bytes -= oldest.bytes()
      start = oldest.revision
      drop(oldest)
    }
    start = Math.max(start, compacted)
  }

  /** Drops the oldest entry, which is the oldest of its kind and of its object as well. */
  function drop({ collection, key }: ChangeEntry) {
    log.shift()
    const found = collections.get(collection)
    const ofKey = found?.byKey.get(key)
    found?.all.shift()
    ofKey?.shift()
    if (!ofKey?.oldest()) found?.byKey.delete(key)
    if (!found?.all.oldest()) collections.delete(collection)
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
      let found = collections.get(collection)
      if (!found) collections.set(collection, (found = { all: createSeries(), byKey: new Map() }))
      let ofKey = found.byKey.get(key)
      if (!ofKey) found.byKey.set(key, (ofKey = createSeries()))
      log.newest()?.dropPrevious()
      const entry = createEntry(change, reload, { before: ofKey.newest(), onResize: resized })
      for (const series of [log, found.all, ofKey]) series.push(entry)
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
      const found = collections.get(range.collection)
      const series = range.key === undefined ? found?.all : found?.byKey.get(range.key)
      const { entries = [], last } = series?.after(after, sliceEntries) ?? {}
      return { entries: inRange(entries, range), isRetained: true, upTo: last ?? newest }
    },
  }
}

/** Entries, oldest first, of which the oldest are dropped. */
interface Series {
  oldest(): ChangeEntry | undefined
  newest(): ChangeEntry | undefined
  push(entry: ChangeEntry): void
  /** Drops the oldest entry. */
  shift(): void
  /** The first entries after a revision, and the revision of the last of them if more follow. */
  after(revision: number, limit: number): { entries: Iterable<ChangeEntry>; last: number | undefined }
}

function createSeries(): Series {
  /** Those before `first` are dropped, and removed together once they are the greater part. */
  let entries: (ChangeEntry | undefined)[] = []
  let first = 0

  /** Index of the first entry after a revision. */
  function firstAfter(revision: number): number {
    let low = first
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((entries[middle]?.revision ?? Infinity) <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    oldest: () => entries[first],
    newest: () => entries.at(-1),
    push: (entry) => void entries.push(entry),
    shift() {
      entries[first++] = undefined
      if (first * 2 < entries.length) return
      // A new array, as a slice may still be read from this one.
      entries = entries.slice(first)
      first = 0
    },
    after(revision, limit) {
      const from = firstAfter(revision)
      const to = Math.min(entries.length, from + limit)
      return { entries: present(entries, from, to), last: to < entries.length ? entries[to - 1]?.revision : undefined }
    },
  }
}

function* present(entries: readonly (ChangeEntry | undefined)[], from: number, to: number): Generator<ChangeEntry> {
  for (let index = from; index < to; index++) {
    const entry = entries[index]
    if (entry) yield entry
  }
}

function* inRange(entries: Iterable<ChangeEntry>, range: LogRange): Generator<ChangeEntry> {
  for (const entry of entries) if (isInRange(entry, range)) yield entry
}

export const isInRange = (entry: ChangeEntry, { collection, key, prefix = '' }: LogRange): boolean =>
  entry.collection === collection && (key === undefined ? entry.key.startsWith(prefix) : entry.key === key)
