/**
 * Container output: bytes appended to a log. Logs are stored apart from objects because they have no versions, never
 * change once written, and would push everything else out of the watch history.
 */

export type LogStream = 'Stdout' | 'Stderr'

export interface LogChunk {
  /** Increases within a log; the first is 1. */
  sequence: number
  /** When it was written, in milliseconds since 1970. */
  timeMs: number
  stream: LogStream
  /** At most `logChunkBytes`. */
  bytes: Uint8Array
}

/** Bounds the memory that reading a number of chunks can take. */
export const logChunkBytes = 16 * 1024

/** Reads are synchronous; writes resolve when they are durable. */
export interface LogStorage {
  /** Appends to a log, in as many chunks as needed; all of them or none. */
  append(log: string, entry: Omit<LogChunk, 'sequence'>): Promise<void>
  /** The chunks after `sequence`, oldest first. */
  after(log: string, sequence: number, limit: number): LogChunk[]
  /** The chunks before `sequence`, newest first; from the end of the log if `sequence` is undefined. */
  before(log: string, sequence: number | undefined, limit: number): LogChunk[]
  /** Names of the non-empty logs that start with `prefix`. */
  names(prefix: string): string[]
  remove(log: string): void
  /** Calls `listener` with the name of each log that grew, after that is durable. */
  subscribe(listener: (log: string) => void): () => void
}

/** Splits an entry into chunks. Each is a view; nothing is copied. */
export function* splitEntry({ bytes, ...rest }: Omit<LogChunk, 'sequence'>): Generator<Omit<LogChunk, 'sequence'>> {
  for (let at = 0; at < bytes.length; at += logChunkBytes) {
    yield { ...rest, bytes: bytes.subarray(at, at + logChunkBytes) }
  }
}
