import { memoryLogs } from './memory-logs'
import {
  CompactedError,
  defaultHistoryBytes,
  defaultHistoryLength,
  findExcess,
  sumOf,
  WriteConflict,
  type Change,
  type ChangeRange,
  type ListRange,
  type Storage,
  type Stored,
} from './storage'

/** Each version of a key links to the previous one, so that a list can go back to an older revision. */
interface Version extends Stored {
  collection: string
  deleted: boolean
  previous: Version | undefined
}

interface Collection {
  /** The newest version of each key, deletions included until they are compacted. */
  newest: Map<string, Version>
  keys: string[]
}

export interface MemoryStorageOptions {
  /** How many changes are retained for watches. */
  historyLength?: number
  /** Maximum length of the texts of these changes. */
  historyBytes?: number
}

export interface MemoryStorage extends Storage {
  /** A storage of its own with the same objects and revision, as after compacting all changes. Logs are left out. */
  copy(): MemoryStorage
}

/** Storage that lasts as long as the process. */
export const memoryStorage = (options: MemoryStorageOptions = {}): MemoryStorage => storageWith(options, new Map(), 0)

/** @param collections become the storage's own */
function storageWith(
  options: MemoryStorageOptions,
  collections: Map<string, Collection>,
  initialRevision: number,
): MemoryStorage {
  const { historyLength = defaultHistoryLength, historyBytes = defaultHistoryBytes } = options
  const listeners = new Set<(change: Change) => void>()
  let log: Version[] = []
  /** Length of each text in the log. */
  const sizes: number[] = []
  let bytes = 0
  let revision = initialRevision
  let compacted = initialRevision

  const collectionNamed = (name: string): Collection => {
    let collection = collections.get(name)
    if (!collection) collections.set(name, (collection = { newest: new Map(), keys: [] }))
    return collection
  }

  function append(version: Version) {
    const { newest, keys } = collectionNamed(version.collection)
    if (!newest.has(version.key)) keys.splice(firstNotBelow(keys, version.key), 0, version.key)
    newest.set(version.key, version)
    log.push(version)
    sizes.push(version.value.length)
    bytes += version.value.length
    compact(findExcess(sizes, bytes, compacted, { historyLength, historyBytes }))
  }

  function compact(upTo: number) {
    if (upTo <= compacted) return
    compacted = Math.min(upTo, revision)
    const firstRetained = firstAfter(log, compacted)
    for (const version of log.slice(0, firstRetained)) {
      version.previous = undefined
      const collection = collections.get(version.collection)
      if (version.deleted && collection?.newest.get(version.key) === version) {
        collection.newest.delete(version.key)
        collection.keys.splice(firstNotBelow(collection.keys, version.key), 1)
      }
    }
    log = log.slice(firstRetained)
    bytes -= sumOf(sizes.splice(0, firstRetained))
  }

  function* range(name: string, { prefix = '', after = '', revision: at }: ListRange): Generator<Version> {
    if (at !== undefined && at < compacted) throw new CompactedError(at, compacted)
    const collection = collections.get(name)
    if (!collection) return
    const { keys, newest } = collection
    for (let index = firstNotBelow(keys, after > prefix ? after : prefix); index < keys.length; index++) {
      const key = keys[index] ?? ''
      if (!key.startsWith(prefix)) return
      if (key === after) continue
      let version = newest.get(key)
      while (version && at !== undefined && version.revision > at) version = version.previous
      if (version && !version.deleted) yield version
    }
  }

  return {
    revision: () => revision,
    compacted: () => compacted,
    get(collection, key) {
      const version = collections.get(collection)?.newest.get(key)
      return version && !version.deleted ? stored(version) : undefined
    },
    list(collection, options = {}) {
      const found: Stored[] = []
      for (const version of range(collection, options)) {
        if (found.length === options.limit) break
        found.push(stored(version))
      }
      return found
    },
    count(collection, options = {}) {
      let count = 0
      for (const _ of range(collection, options)) count++
      return count
    },
    collections: () =>
      [...collections]
        .filter(([, { newest }]) => [...newest.values()].some((version) => !version.deleted))
        .map(([name]) => name)
        .sort(),
    async write({ collection, key, expected, type, value }) {
      const current = collections.get(collection)?.newest.get(key)
      const actual = current && !current.deleted ? current.revision : undefined
      if (actual !== expected || (type === 'delete' && actual === undefined)) throw new WriteConflict(key, actual)
      revision++
      const version = { collection, key, revision, value, deleted: type === 'delete', previous: current }
      append(version)
      const change = changeOf(version)
      for (const listener of [...listeners]) listener(change)
      return change.revision
    },
    since(after, range = {}) {
      if (after < compacted) throw new CompactedError(after, compacted)
      const changes: Change[] = []
      let length = 0
      for (let index = firstAfter(log, after); index < log.length; index++) {
        const version = log[index]
        if (!version || !isInRange(version, range)) continue
        const { previous, ...change } = changeOf(version)
        changes.push(range.withoutPrevious || previous === undefined ? change : { ...change, previous })
        length += version.value.length
        if (length >= (range.sliceLength ?? Infinity)) return { changes, upTo: version.revision }
      }
      return { changes, upTo: revision }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    compact,
    logs: memoryLogs(),
    copy: () =>
      storageWith(options, new Map([...collections].map(([name, each]) => [name, currentOf(each)])), revision),
    close: () => listeners.clear(),
  }
}

/** The current objects of a collection, which later changes of either do not affect. */
function currentOf({ newest, keys }: Collection): Collection {
  const isPresent = (key: string) => newest.get(key)?.deleted === false
  const current = [...newest].filter(([key]) => isPresent(key))
  return {
    newest: new Map(current.map(([key, version]) => [key, { ...version, previous: undefined }])),
    keys: keys.filter(isPresent),
  }
}

const stored = ({ key, revision, value }: Version): Stored => ({ key, revision, value })

function changeOf({ collection, key, revision, value, deleted, previous }: Version): Change {
  const before = previous && !previous.deleted ? previous.value : undefined
  const type = deleted ? 'deleted' : before === undefined ? 'created' : 'updated'
  return { collection, key, revision, type, value, ...(before !== undefined && { previous: before }) }
}

const isInRange = (version: Version, { collection, key, prefix = '' }: ChangeRange): boolean =>
  (collection === undefined || version.collection === collection) &&
  (key === undefined || version.key === key) &&
  version.key.startsWith(prefix)

/** Index of the first element of a sorted array that is not below the boundary. */
function partition<T>(sorted: readonly T[], isBelow: (item: T) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    // In bounds: low <= middle < high <= length.
    if (isBelow(sorted[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}

const firstNotBelow = (keys: readonly string[], key: string): number => partition(keys, (item) => item < key)
const firstAfter = (log: readonly Version[], revision: number): number =>
  partition(log, (version) => version.revision <= revision)
