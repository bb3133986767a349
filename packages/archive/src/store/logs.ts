import { checksum } from '@slipway/sqlite/checksum'
import type { DatabaseFile } from '@slipway/sqlite/database-file'
import { damagedError } from '@slipway/sqlite/describe-error'

export interface ArchivedLog {
  podUid: string
  /** Position of the container in its pod. */
  position: number
  container: string
  text: string
}

/** A growing log. Little of it is buffered; buffered data is lost if the process ends. */
export interface LogWriter {
  add(bytes: Uint8Array): void
  /** Writes the rest of the log, which is now complete. */
  end(): void
}

/** Logs of the containers of pods. */
export interface LogStore {
  save(logs: ArchivedLog[]): void
  /** Replaces the archived log of the container at the first write. */
  writer(log: Omit<ArchivedLog, 'text'>): LogWriter
  /** Deletes logs of pods that were never archived. */
  dropStray(): void
  /** Containers of the pod with archived logs, in order. */
  containers(podUid: string): string[]
  /** The log in chunks; `undefined` if it is not archived. @param tailLines return only this many lines from the end */
  read(podUid: string, container: string, tailLines?: number): Iterable<Uint8Array> | undefined
}

const chunkBytes = 64 * 1024
const newline = 10

/** @param path path of the file, for messages */
export function createLogStore({ database, transaction }: DatabaseFile, path: string): LogStore {
  const remove = database.prepare('DELETE FROM logs WHERE pod = ? AND position = ?')
  const insert = database.prepare(
    'INSERT INTO logs (pod, position, container, sequence, bytes, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const containers = database.prepare('SELECT container FROM logs WHERE pod = ? AND sequence = 0 ORDER BY position')
  const positionOf = database.prepare('SELECT position FROM logs WHERE pod = ? AND container = ? LIMIT 1')
  const chunk = database.prepare(
    'SELECT container, bytes, checksum FROM logs WHERE pod = ? AND position = ? AND sequence = ?',
  )
  const lastOf = database.prepare('SELECT max(sequence) AS last FROM logs WHERE pod = ? AND position = ?')

  const dropStray = database.prepare(
    'DELETE FROM logs WHERE rowid IN (SELECT rowid FROM logs WHERE pod NOT IN (SELECT uid FROM objects))',
  )

  // One statement per chunk, so that no statement stays open for a slow reader.
  function chunkAt(podUid: string, position: number, sequence: number): Uint8Array | undefined {
    const row = chunk.get(podUid, position, sequence) as
      { container: string; bytes: Uint8Array; checksum: number } | undefined // As selected.
    if (row && row.checksum !== checksum(podUid, position, row.container, sequence, row.bytes)) {
      throw damagedError(path, [`chunk ${sequence} of the log of ${row.container} in pod ${podUid} is damaged`])
    }
    return row?.bytes
  }

  function insertChunk(podUid: string, position: number, container: string, sequence: number, bytes: Uint8Array) {
    const sum = checksum(podUid, position, container, sequence, bytes)
    insert.run(podUid, position, container, sequence, bytes, sum)
  }

  function* from(podUid: string, position: number, sequence: number, skipped: number): Generator<Uint8Array> {
    for (let at = sequence, bytes = chunkAt(podUid, position, at); bytes; bytes = chunkAt(podUid, position, ++at)) {
      yield at === sequence ? bytes.subarray(skipped) : bytes
    }
  }

  /** Where the last lines start. */
  function startOfTail(podUid: string, position: number, lines: number): { sequence: number; skipped: number } {
    const { last } = lastOf.get(podUid, position) as { last: number } // One row, since the log is archived.
    let left = lines
    for (let sequence = last; sequence >= 0; sequence--) {
      const bytes = chunkAt(podUid, position, sequence) ?? new Uint8Array()
      for (let at = bytes.length - 1; at >= 0; at--) {
        const endsTheLog = sequence === last && at === bytes.length - 1
        if (bytes[at] !== newline || endsTheLog) continue
        if (--left === 0) return { sequence, skipped: at + 1 }
      }
    }
    return { sequence: 0, skipped: 0 }
  }

  function writer({ podUid, position, container }: Omit<ArchivedLog, 'text'>): LogWriter {
    let sequence = 0
    let held: Uint8Array[] = []
    let heldBytes = 0
    const write = () => {
      transaction(() => {
        if (sequence === 0) remove.run(podUid, position)
        insertChunk(podUid, position, container, sequence, Buffer.concat(held))
      })
      // Only after a successful write: data that did not fit on the disk is written with the next data.
      sequence++
      held = []
      heldBytes = 0
    }
    return {
      add(bytes) {
        held.push(bytes)
        heldBytes += bytes.length
        if (heldBytes >= chunkBytes) write()
      },
      end() {
        if (heldBytes > 0 || sequence === 0) write()
      },
    }
  }

  function keepOne({ podUid, position, container, text }: ArchivedLog) {
    const bytes = Buffer.from(text)
    remove.run(podUid, position)
    for (let sequence = 0; sequence === 0 || sequence * chunkBytes < bytes.length; sequence++) {
      const part = bytes.subarray(sequence * chunkBytes, (sequence + 1) * chunkBytes)
      insertChunk(podUid, position, container, sequence, part)
    }
  }

  return {
    writer,
    dropStray: () => transaction(() => void dropStray.run()),
    save: (logs) => transaction(() => logs.forEach(keepOne)),
    containers: (podUid) =>
      (containers.all(podUid) as { container: string }[]) // As selected.
        .map(({ container }) => container),
    read(podUid, container, tailLines) {
      const found = positionOf.get(podUid, container) as { position: number } | undefined // As selected.
      if (!found) return undefined
      if (tailLines === undefined) return from(podUid, found.position, 0, 0)
      if (tailLines <= 0) return []
      const { sequence, skipped } = startOfTail(podUid, found.position, tailLines)
      return from(podUid, found.position, sequence, skipped)
    },
  }
}
