import type { LogChunk, LogStorage, LogStream } from '../storage/logs'
import type { LogOptions } from './log-options'

/** A place in a log: a byte of a chunk, or of the one that will follow. */
export interface LogPosition {
  sequence: number
  offset: number
}

export const logStart: LogPosition = { sequence: 1, offset: 0 }
/** How many chunks are in memory at a time. */
export const chunksAtOnce = 32
const newline = 0x0a

/** Where the last lines begin. A last line that is not ended yet counts as one. */
export function tailStart(logs: LogStorage, log: string, lines: number): LogPosition {
  let before: number | undefined
  let missing = lines
  let isAtEnd = true
  for (;;) {
    const chunks = logs.before(log, before, chunksAtOnce)
    if (chunks.length === 0) return logStart
    for (const { sequence, bytes } of chunks) {
      if (lines === 0) return { sequence, offset: bytes.length }
      before = sequence
      let at = bytes.length
      // The newline at the very end begins no line.
      if (isAtEnd && bytes[at - 1] === newline) at--
      isAtEnd = false
      while (at > 0 && (at = bytes.lastIndexOf(newline, at - 1)) >= 0) {
        if (--missing === 0) return { sequence, offset: at + 1 }
      }
    }
  }
}

export interface LineWriter {
  /** What of a chunk is to be seen. */
  take(chunk: LogChunk, offset: number): Uint8Array[]
  /** As much as was asked for has been given. */
  isFull(): boolean
}

const encoder = new TextEncoder()

/** As kubelets write times, with all nine digits. */
export const logTimestamp = (timeMs: number): string => new Date(timeMs).toISOString().replace('Z', '000000Z')

/** A line has the time of its first byte. Lines of both streams may be written in turns, each in several chunks. */
export function lineWriter(options: Pick<LogOptions, 'timestamps' | 'limitBytes' | 'sinceMs' | 'stream'>): LineWriter {
  const { timestamps, sinceMs = -Infinity, stream } = options
  let room = options.limitBytes ?? Infinity
  /** Whether the line that has begun is seen; absent at the beginning of a line. */
  const open: Partial<Record<LogStream, boolean>> = {}

  function* seen({ timeMs, bytes, stream: from }: LogChunk, offset: number): Generator<Uint8Array> {
    for (let at = offset; at < bytes.length;) {
      const found = bytes.indexOf(newline, at)
      const end = found < 0 ? bytes.length : found + 1
      const isBegin = open[from] === undefined
      const isSeen = open[from] ?? timeMs >= sinceMs
      if (isSeen && isBegin && timestamps) yield encoder.encode(`${logTimestamp(timeMs)} `)
      if (isSeen) yield bytes.subarray(at, end)
      open[from] = found < 0 ? isSeen : undefined
      at = end
    }
  }

  return {
    take(chunk, offset) {
      if (stream !== 'All' && chunk.stream !== stream) return []
      const isPlain = !timestamps && sinceMs === -Infinity
      const parts: Uint8Array[] = []
      for (const part of isPlain ? [chunk.bytes.subarray(offset)] : seen(chunk, offset)) {
        if (room <= 0) break
        parts.push(part.length > room ? part.subarray(0, room) : part)
        room -= part.length
      }
      return parts
    },
    isFull: () => room <= 0,
  }
}
