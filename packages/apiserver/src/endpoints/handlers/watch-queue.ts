import { type ChangeEntry, type Line, type Reported } from './change-entry'
import { isAdjacent, joinAdjacent } from './encoded-lines'
import { isInRange, type ChangeLog, type LogRange } from './change-log'

/** What a watch has yet to send: some initial lines, and a position in the change log. */
export interface WatchQueue {
  /** True if the change, the newest one, concerns this watch. */
  add(entry: ChangeEntry): boolean
  /** Adds a bookmark after the changes up to this revision. */
  addBookmark(revision: number): void
  /** Changes that were added but not taken. */
  lag(): number
  /**
   * Removes and encodes the first lines; `undefined` if there are none. Returns no bytes, with more to follow, after it
   * has examined many changes in vain: other work goes first.
   */
  take(): Uint8Array | undefined
  /** Nothing after this revision is reported. */
  end(revision: number): void
  /** Removes everything. */
  clear(): void
}

export interface WatchQueueParts {
  log: ChangeLog
  reported: Reported
  range: LogRange
  lines: Line[]
  /** Changes after this revision follow the lines. */
  position: number
  bookmarkLine: (revision: number) => string
  /** Called if the changes cannot be read. Returns the last line, if there is one. */
  fail: (error: unknown) => string | undefined
}

/** Approximate maximum size of a chunk. */
const chunkBytes = 256 * 1024
/** A shared line of this size is not copied to be sent together with others. */
const largeLineBytes = 16 * 1024
/** How many changes a chunk examines at most if each may have to be parsed. */
const chunkChanges = 10
const encoder = new TextEncoder()
const noBytes = new Uint8Array()

export function createWatchQueue(parts: WatchQueueParts): WatchQueue {
  const { log, reported, range, bookmarkLine } = parts
  const maxExamined = reported.represent || !reported.selection.isByMetadata ? chunkChanges : Infinity
  let { lines, position } = parts
  const openedAt = log.newest()
  /** True if no change after `position` concerns the watch, however old that is. */
  let isUpToDate = position >= openedAt
  let lastRevision = Infinity
  let bookmarks: number[] = []
  let lag = 0

  function clear() {
    lines = []
    bookmarks = []
    isUpToDate = true
    lag = 0
  }

  function takeChanges(chunk: Chunk): void {
    const { entries, isRetained, upTo } = log.read(position, range)
    let examined = 0
    for (const entry of entries) {
      if (entry.revision > lastRevision) break
      while (bookmarks[0] !== undefined && bookmarks[0] < entry.revision)
        chunk.add(bookmarkLine(bookmarks.shift() ?? 0))
      const event = entry.eventFor(reported)
      if (event) {
        const line = entry.encode(reported, event)
        if (isRetained && !chunk.hasRoomFor(line)) return
        chunk.add(line)
        if (entry.revision > openedAt) lag--
      }
      position = entry.revision
      if (isRetained && ++examined === maxExamined) return
    }
    position = upTo
    isUpToDate = position >= Math.min(log.newest(), lastRevision)
  }

  function take(): Uint8Array | undefined {
    const chunk = createChunk()
    let count = 0
    for (; count < lines.length && chunk.hasRoomFor(lines[count] ?? ''); count++) chunk.add(lines[count] ?? '')
    if (count > 0) {
      lines = lines.slice(count)
      return chunk.bytes()
    }
    try {
      if (!isUpToDate) takeChanges(chunk)
    } catch (error) {
      clear()
      const line = parts.fail(error)
      if (line) chunk.add(line)
    }
    if (isUpToDate) for (const revision of bookmarks.splice(0)) chunk.add(bookmarkLine(revision))
    return chunk.bytes() ?? (isUpToDate ? undefined : noBytes)
  }

  return {
    take,
    clear,
    add(entry) {
      if (!isInRange(entry, range) || !entry.eventFor(reported)) return false
      if (isUpToDate) position = entry.revision - 1
      isUpToDate = false
      lag++
      return true
    },
    addBookmark: (revision) => void bookmarks.push(revision),
    lag: () => lag,
    end(revision) {
      lastRevision = revision
    },
  }
}

interface Chunk {
  hasRoomFor(line: Line): boolean
  add(line: Line): void
  /** `undefined` without lines; shared lines are returned as they are if that takes no other ones. */
  bytes(): Uint8Array | undefined
}

function createChunk(): Chunk {
  const lines: Uint8Array[] = []
  let length = 0
  let hasLarge = false
  let isOnePiece = true
  const isLarge = (line: Line) => typeof line !== 'string' && line.length >= largeLineBytes
  const isNext = (line: Line) => {
    const last = lines.at(-1)
    return !last || (typeof line !== 'string' && isAdjacent(last, line))
  }
  return {
    hasRoomFor: (line) =>
      lines.length === 0 || (length < chunkBytes && ((isOnePiece && isNext(line)) || (!isLarge(line) && !hasLarge))),
    add(line) {
      isOnePiece &&= isNext(line)
      lines.push(typeof line === 'string' ? encoder.encode(line) : line)
      length += line.length
      hasLarge ||= isLarge(line)
    },
    bytes() {
      const pieces = joinAdjacent(lines)
      if (pieces.length <= 1) return pieces[0]
      const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
      let at = 0
      for (const piece of pieces) {
        joined.set(piece, at)
        at += piece.length
      }
      return joined
    },
  }
}
