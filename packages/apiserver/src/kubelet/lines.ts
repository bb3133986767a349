import type { LogChunk, LogStorage, LogStream } from '../storage/logs'
import type { LogOptions } from '../builtin/pod-log-options'

/** A position in a log: a byte in a chunk, or in the chunk that will follow. */
export interface LogPosition {
  sequence: number
  offset: number
}

export const logStart: LogPosition = { sequence: 1, offset: 0 }
/** Maximum number of chunks in memory. */
export const chunksAtOnce = 32
const newline = 0x0a

/** Start of the last lines. An unterminated last line counts as a line. */
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
      // The newline at the very end does not start a line.
      if (isAtEnd && bytes[at - 1] === newline) at--
      isAtEnd = false
      while (at > 0 && (at = bytes.lastIndexOf(newline, at - 1)) >= 0) {
        if (--missing === 0) return { sequence, offset: at + 1 }
      }
    }
  }
}

export interface LineWriter {
  /** The visible parts of a chunk. */
  take(chunk: LogChunk, offset: number): Uint8Array[]
  /** True once the requested number of bytes has been returned. */
  isFull(): boolean
}

const encoder = new TextEncoder()

/** The format of kubelets, with nine fractional digits. */
export const logTimestamp = (timeMs: number): string => new Date(timeMs).toISOString().replace('Z', '000000Z')

/** A line has the time of its first byte. Lines of both streams may be interleaved, each split over several chunks. */
export function lineWriter(options: Pick<LogOptions, 'timestamps' | 'limitBytes' | 'sinceMs' | 'stream'>): LineWriter {
  const { timestamps, sinceMs = -Infinity, stream } = options
  let room = options.limitBytes ?? Infinity
  /** Whether the current line of a stream is visible; absent at the start of a line. */
  const open: Partial<Record<LogStream, boolean>> = {}

  function* visibleParts({ timeMs, bytes, stream: from }: LogChunk, offset: number): Generator<Uint8Array> {
    for (let at = offset; at < bytes.length;) {
      const found = bytes.indexOf(newline, at)
      const end = found < 0 ? bytes.length : found + 1
      const isLineStart = open[from] === undefined
      const isVisible = open[from] ?? timeMs >= sinceMs
      if (isVisible && isLineStart && timestamps) yield encoder.encode(`${logTimestamp(timeMs)} `)
      if (isVisible) yield bytes.subarray(at, end)
      open[from] = found < 0 ? isVisible : undefined
      at = end
    }
  }

  return {
    take(chunk, offset) {
      if (stream !== 'All' && chunk.stream !== stream) return []
      const isPlain = !timestamps && sinceMs === -Infinity
      const parts: Uint8Array[] = []
      for (const part of isPlain ? [chunk.bytes.subarray(offset)] : visibleParts(chunk, offset)) {
        if (room <= 0) break
        parts.push(part.length > room ? part.subarray(0, room) : part)
        room -= part.length
      }
      return parts
    },
    isFull: () => room <= 0,
  }
}
