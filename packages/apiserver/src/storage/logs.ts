/**
 * What containers write: bytes at the end of a log, kept apart from objects, since they have no versions, are never
 * changed, and would push everything else out of what a watch can replay.
 */

export type LogStream = 'Stdout' | 'Stderr'

export interface LogChunk {
  /** Rises within a log; the first is 1. */
  sequence: number
  /** When it was written, in milliseconds since 1970. */
  timeMs: number
  stream: LogStream
  /** At most `logChunkBytes`. */
  bytes: Uint8Array
}

/** So that who reads some chunks knows how much that is at most. */
export const logChunkBytes = 16 * 1024

/** Reads answer at once; writes answer when they are durable. */
export interface LogStorage {
  /** Adds to the end of a log, in as many chunks as it takes; all of them or none. */
  append(log: string, entry: Omit<LogChunk, 'sequence'>): Promise<void>
  /** The chunks after that one, oldest first. */
  after(log: string, sequence: number, limit: number): LogChunk[]
  /** The chunks before that one, newest first; from the end without one. */
  before(log: string, sequence: number | undefined, limit: number): LogChunk[]
  /** Names of the logs that hold anything and start with this. */
  names(prefix: string): string[]
  remove(log: string): void
  /** Calls `listener` with the name of each log that grew, after that is durable. */
  subscribe(listener: (log: string) => void): () => void
}

/** The pieces of one entry; a view each, nothing is copied. */
export function* piecesOf({ bytes, ...rest }: Omit<LogChunk, 'sequence'>): Generator<Omit<LogChunk, 'sequence'>> {
  for (let at = 0; at < bytes.length; at += logChunkBytes) {
    yield { ...rest, bytes: bytes.subarray(at, at + logChunkBytes) }
  }
}
