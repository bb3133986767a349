import { checksum } from '@slipway/sqlite/checksum'
import type { DatabaseFile } from '@slipway/sqlite/database-file'
import { damagedError } from '@slipway/sqlite/describe-error'
import { splitEntry, type LogChunk, type LogStorage, type LogStream } from './logs'
import { StorageError } from './storage'

interface Pending {
  log: string
  entry: Omit<LogChunk, 'sequence'>
  resolve(): void
  reject(error: unknown): void
}

interface Row {
  log: string
  sequence: number
  time: number
  stream: LogStream
  bytes: Uint8Array
  checksum: number
}

export interface SqliteLogs {
  logs: LogStorage
  /** Flushes pending writes. Nothing may be written afterwards. */
  close(): void
}

/** Logs in the same file as the objects. @param path of the file, for messages */
export function sqliteLogs({ database, transaction, describe }: DatabaseFile, path: string): SqliteLogs {
  const insert = database.prepare(
    'INSERT INTO logs (log, sequence, time, stream, bytes, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const last = database.prepare('SELECT max(sequence) AS sequence FROM logs WHERE log = ?')
  const after = database.prepare('SELECT * FROM logs WHERE log = ? AND sequence > ? ORDER BY sequence LIMIT ?')
  const before = database.prepare('SELECT * FROM logs WHERE log = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?')
  const names = database.prepare('SELECT DISTINCT log FROM logs WHERE log >= ? AND log < ? ORDER BY log')
  const remove = database.prepare('DELETE FROM logs WHERE log = ?')
  const listeners = new Set<(log: string) => void>()
  let pending: Pending[] = []
  let isClosed = false

  /** Entries that arrive together share one commit. */
  function flush() {
    const batch = pending
    pending = []
    if (batch.length === 0) return
    try {
      transaction(() => batch.forEach(insertEntry))
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    for (const { log } of batch) for (const listener of [...listeners]) listener(log)
    for (const { resolve } of batch) resolve()
  }

  function insertEntry({ log, entry }: Pending) {
    let { sequence } = last.get(log) as { sequence: number | null } // An aggregate always returns one row.
    for (const { timeMs, stream, bytes } of splitEntry(entry)) {
      sequence = (sequence ?? 0) + 1
      insert.run(log, sequence, timeMs, stream, bytes, checksum(log, sequence, timeMs, stream, bytes))
    }
  }

  /** As with objects, damage makes the read fail. */
  function read<T>(query: () => T): T {
    try {
      return query()
    } catch (error) {
      throw describe(error)
    }
  }

  function chunkOf(row: unknown): LogChunk {
    const { log, sequence, time, stream, bytes, checksum: sum } = row as Row // The columns of the table.
    if (sum !== checksum(log, sequence, time, stream, bytes)) {
      throw damagedError(path, [`chunk ${sequence} of the log ${log} is damaged`])
    }
    return { sequence, timeMs: time, stream, bytes }
  }

  const logs: LogStorage = {
    append: (log, entry) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StorageError('The storage is closed.'))
        if (pending.length === 0) setImmediate(() => isClosed || flush())
        pending.push({ log, entry, resolve, reject })
      }),
    after: (log, sequence, limit) => read(() => after.all(log, sequence, limit).map(chunkOf)),
    before: (log, sequence, limit) =>
      read(() => before.all(log, sequence ?? Number.MAX_SAFE_INTEGER, limit).map(chunkOf)),
    names: (prefix) =>
      (names.all(prefix, `${prefix}\u{10ffff}`) as { log: string }[]) // The selected column.
        .map(({ log }) => log),
    remove: (log) => transaction(() => void remove.run(log)),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return {
    logs,
    close() {
      flush()
      isClosed = true
      listeners.clear()
    },
  }
}
