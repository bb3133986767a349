import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { checksum } from './checksum'

/** What the writers of a database know to be stored. */
export interface Acknowledged {
  /** How many commits the database had. */
  commits: number
  /** Its last revision; 0 in a database without revisions. */
  revision: number
}

/** The record of the last acknowledged commit. */
export interface AcknowledgedFile {
  /** After the commit is on the disk, and before its writers are answered. */
  write(acknowledged: Acknowledged): void
  close(): void
}

/**
 * The file beside a database that says how far it must reach. It is written after each commit, so it never leads: not
 * when the process is killed, since what was written stays in the memory of the system, and not when power fails, since
 * the commit was on the disk first. It may lag after a power cut: it is synced once a second only (docs/adr/0002-storage.md).
 */
export const acknowledgedPath = (path: string): string => `${path}-acknowledged`

/** Two records in turn, so that a torn write leaves the other one; each in a sector of its own. */
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

/** @returns `undefined` without a file, and `damaged` when neither of its records can be read */
export function readAcknowledged(path: string): Acknowledged | 'damaged' | undefined {
  const file = acknowledgedPath(path)
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const slots = [0, slotBytes].flatMap((start) => parseSlot(bytes.subarray(start, start + slotBytes)) ?? [])
  return slots.sort((a, b) => b.commits - a.commits)[0] ?? 'damaged'
}

/** Opens the record, which begins with what is given when there is none. */
export function openAcknowledged(path: string, begin: Acknowledged): AcknowledgedFile {
  const file = acknowledgedPath(path)
  if (!existsSync(file)) create(file, begin)
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

/** Whole or not at all, on the disk. */
function create(file: string, begin: Acknowledged): void {
  const draft = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeSync(draft, Buffer.concat([formatSlot(begin), formatSlot(begin)]))
    fsyncSync(draft)
  } finally {
    closeSync(draft)
  }
  renameSync(`${file}.new`, file)
  syncFolder(dirname(file))
}

/** A new name is on the disk once its folder is. Windows syncs no folders, and needs not. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
