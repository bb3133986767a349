import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** https://sqlite.org/fileformat2.html#the_write_ahead_log */
const headerBytes = 32
const frameHeaderBytes = 24
const magicNumbers = [0x377f0682, 0x377f0683]

type Sums = readonly [number, number]

/**
 * Describes the damage of a write-ahead log, as far as the log itself shows it; `undefined` if there is none.
 *
 * SQLite reads a log up to the first invalid frame and silently drops the rest, since a power failure can tear the last
 * commit. But only the last one: a commit is synced before the next one is written. So if a commit after the invalid
 * frame is followed by another frame of the same log with a matching checksum chain, the invalid frame was once valid.
 * The header is synced before the first frame.
 */
export function findLogDamage(log: string): string | undefined {
  if (!existsSync(log)) return undefined
  const file = openSync(log, 'r')
  try {
    const { size } = fstatSync(file)
    const header = Buffer.alloc(headerBytes)
    if (size < headerBytes || readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined
    const magic = header.readUInt32BE(0)
    const isBigEndian = magic === magicNumbers[1]
    const isHeaderValid =
      magicNumbers.includes(magic) &&
      isEqual(computeSums(header.subarray(0, 24), [0, 0], isBigEndian), readSums(header, 24))
    // A log that was started but never synced may be all zeros.
    if (!isHeaderValid) return isAllZero(file, size) ? undefined : 'its header is damaged'
    return frameDamage(file, size, header, isBigEndian)
  } finally {
    closeSync(file)
  }
}

function frameDamage(file: number, size: number, header: Buffer, isBigEndian: boolean): string | undefined {
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8)
  const salts = header.subarray(16, 24)
  const frame = Buffer.alloc(frameBytes)
  let expected = readSums(header, 24)
  let firstBad: number | undefined
  let followsCommit = false
  for (let index = 0; headerBytes + (index + 1) * frameBytes <= size; index++) {
    if (readSync(file, frame, 0, frameBytes, headerBytes + index * frameBytes) < frameBytes) break
    const stored = readSums(frame, 16)
    const isOfThisLog = frame.subarray(8, 16).equals(salts)
    const head = computeSums(frame.subarray(0, 8), expected, isBigEndian)
    const follows = isOfThisLog && isEqual(computeSums(frame.subarray(frameHeaderBytes), head, isBigEndian), stored)
    if (follows && followsCommit && firstBad !== undefined) {
      return `frame ${firstBad + 1} is damaged, but later commits follow it`
    }
    if (!follows) firstBad ??= index
    followsCommit = isOfThisLog && frame.readUInt32BE(4) !== 0
    expected = stored
  }
  return undefined
}

const readSums = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
const isEqual = (a: Sums, b: Sums): boolean => a[0] === b[0] && a[1] === b[1]

function computeSums(bytes: Buffer, start: Sums, isBigEndian: boolean): Sums {
  let [a, b] = start
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}

function isAllZero(file: number, size: number): boolean {
  const chunk = Buffer.alloc(64 * 1024)
  for (let at = 0; at < size;) {
    const length = readSync(file, chunk, 0, chunk.length, at)
    if (length === 0) return true
    if (chunk.subarray(0, length).some((byte) => byte !== 0)) return false
    at += length
  }
  return true
}
