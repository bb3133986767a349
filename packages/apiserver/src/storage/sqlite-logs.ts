import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { piecesOf, type LogChunk, type LogStorage, type LogStream } from './logs'
import { StorageError } from './storage'

/** In the file of the objects, whose owner locks it. A file from before logs were kept gets the table when it is opened. */
const schema = `
  CREATE TABLE IF NOT EXISTS logs (
    log TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    time INTEGER NOT NULL,
    stream TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (log, sequence)
  );
`

interface Pending {
  log: string
  entry: Omit<LogChunk, 'sequence'>
  resolve(): void
  reject(error: unknown): void
}

export interface SqliteLogs {
  logs: LogStorage
  /** Writes what was not yet written; nothing may be written after. */
  close(): void
}

/** @param explain makes of an error of SQLite one that tells what to do */
export function sqliteLogs(database: DatabaseSyncInstance, explain: (error: unknown) => unknown): SqliteLogs {
  database.exec(schema)
  const insert = database.prepare('INSERT INTO logs (log, sequence, time, stream, bytes) VALUES (?, ?, ?, ?, ?)')
  const last = database.prepare('SELECT max(sequence) AS sequence FROM logs WHERE log = ?')
  const after = database.prepare('SELECT * FROM logs WHERE log = ? AND sequence > ? ORDER BY sequence LIMIT ?')
  const before = database.prepare('SELECT * FROM logs WHERE log = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?')
  const names = database.prepare('SELECT DISTINCT log FROM logs WHERE log >= ? AND log < ? ORDER BY log')
  const remove = database.prepare('DELETE FROM logs WHERE log = ?')
  const listeners = new Set<(log: string) => void>()
  let pending: Pending[] = []
  let isClosed = false

  /** What arrives together shares one commit. */
  function flush() {
    const batch = pending
    pending = []
    if (batch.length === 0) return
    try {
      database.exec('BEGIN IMMEDIATE')
      for (const { log, entry } of batch) {
        let { sequence } = last.get(log) as { sequence: number | null } // One row, always.
        for (const { timeMs, stream, bytes } of piecesOf(entry)) {
          insert.run(log, (sequence = (sequence ?? 0) + 1), timeMs, stream, bytes)
        }
      }
      database.exec('COMMIT')
    } catch (error) {
      try {
        database.exec('ROLLBACK')
      } catch {
        // SQLite rolls back by itself after some failures.
      }
      for (const { reject } of batch) reject(explain(error))
      return
    }
    for (const { log } of batch) for (const listener of [...listeners]) listener(log)
    for (const { resolve } of batch) resolve()
  }

  const logs: LogStorage = {
    append: (log, entry) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StorageError('The storage is closed.'))
        if (pending.length === 0) setImmediate(() => isClosed || flush())
        pending.push({ log, entry, resolve, reject })
      }),
    after: (log, sequence, limit) => after.all(log, sequence, limit).map(chunkOf),
    before: (log, sequence, limit) => before.all(log, sequence ?? Number.MAX_SAFE_INTEGER, limit).map(chunkOf),
    names: (prefix) =>
      (names.all(prefix, `${prefix}\u{10ffff}`) as { log: string }[]) // As selected.
        .map(({ log }) => log),
    remove: (log) => void remove.run(log),
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

function chunkOf(row: unknown): LogChunk {
  const { sequence, time, stream, bytes } = row as {
    sequence: number
    time: number
    stream: LogStream
    bytes: Uint8Array
  } // As the table has them.
  return { sequence, timeMs: time, stream, bytes }
}
