import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { checksum } from './checksum'

/** The last acknowledged commit of a database. */
export interface Acknowledged {
  /** Number of commits in the database. */
  commits: number
  /** The last revision; 0 in a database without revisions. */
  revision: number
}

/** The record of the last acknowledged commit. */
export interface AcknowledgedFile {
  /** Called when the commit is on disk, before its writers get their result. */
  write(acknowledged: Acknowledged): void
  close(): void
}

/**
 * The file next to a database that records the last acknowledged commit. It is written after each commit and never gets
 * ahead of it: not if the process is killed, since writes stay in the page cache, and not if power fails, since the
 * commit was on disk first. It may lag after a power failure: it is synced only once a second (docs/adr/0002-storage.md).
 */
export const acknowledgedPath = (path: string): string => `${path}-acknowledged`

/** Two alternating records, each in its own sector, so that a torn write leaves the other one intact. */
const slotBytes = 512
const syncEveryMs = 1_000

const formatSlot = ({ commits, revision }: Acknowledged): Buffer => {
  const text = `commits ${commits} revision ${revision}`
  return Buffer.from(`${text} checksum ${checksum(text)}`.padEnd(slotBytes - 1) + '\n')
}

function parseSlot(bytes: Buffer): Acknowledged | undefined {
  const match = /^(commits (\d+) revision (\d+)) checksum (\d+) *\n$/.exec(bytes.toString('latin1'))
  if (!match || checksum(match[1]) !== Number(match[4])) return undefined
  return { commits: Number(match[2]), revision: Number(match[3]) }
}

/** @returns `undefined` without a file, and `damaged` if neither of its records can be read */
export function readAcknowledged(path: string): Acknowledged | 'damaged' | undefined {
  const file = acknowledgedPath(path)
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const slots = [0, slotBytes].flatMap((start) => parseSlot(bytes.subarray(start, start + slotBytes)) ?? [])
  return slots.sort((a, b) => b.commits - a.commits)[0] ?? 'damaged'
}

/** Opens the record, or creates it with the given initial value. */
export function openAcknowledged(path: string, initial: Acknowledged): AcknowledgedFile {
  const file = acknowledgedPath(path)
  if (!existsSync(file)) create(file, initial)
  const descriptor = openSync(file, 'r+')
  let syncedMs = performance.now()
  let isClosed = false
  return {
    write(acknowledged) {
      writeSync(descriptor, formatSlot(acknowledged), 0, slotBytes, (acknowledged.commits % 2) * slotBytes)
      const nowMs = performance.now()
      if (nowMs - syncedMs < syncEveryMs) return
      syncedMs = nowMs
      fdatasyncSync(descriptor)
    },
    close() {
      if (isClosed) return
      isClosed = true
      fdatasyncSync(descriptor)
      closeSync(descriptor)
    },
  }
}

/** Creates the file atomically and durably. */
function create(file: string, initial: Acknowledged): void {
  const draft = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeSync(draft, Buffer.concat([formatSlot(initial), formatSlot(initial)]))
    fsyncSync(draft)
  } finally {
    closeSync(draft)
  }
  renameSync(`${file}.new`, file)
  syncFolder(dirname(file))
}

/** A new file name is durable once its folder is synced. Windows cannot sync folders and does not need to. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
