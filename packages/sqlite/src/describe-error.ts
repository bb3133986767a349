import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { listProblems, StorageDamagedError, StorageError, StorageFullError, StorageInUseError } from './errors'

/** SQLite's result codes: https://sqlite.org/rescode.html */
export const resultCodes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
}

/** Converts a database error to one that names the file and the reason; other errors are returned unchanged. */
export function describeError(path: string, error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error
  const options = { cause: error }
  if (isDamage(error)) return damagedError(path, [error.message], options)
  switch (resultCode(error)) {
    case resultCodes.busy:
      return new StorageInUseError(
        `The data folder is already in use: ${path} is open in another process. Stop that process first.`,
        options,
      )
    case resultCodes.full:
      return fullError(path, options)
    case resultCodes.ioError:
      // Also if files next to the database cannot grow; SQLite does not report the reason.
      if (isDiskFull(path)) return fullError(path, options)
      return new StorageError(`The disk with ${path} cannot be read or written (${error.message}).`, options)
    case resultCodes.readOnly:
      return new StorageError(`${path} cannot be written (${error.message}).`, options)
    case resultCodes.cantOpen:
      return new StorageError(
        `${path} cannot be opened (${error.message}). Check that its folder exists and is writable.`,
        options,
      )
  }
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? fullError(path, options) : error
}

export const damagedError = (path: string, problems: readonly string[], options?: ErrorOptions): StorageDamagedError =>
  new StorageDamagedError(`The data in ${path} is damaged: ${listProblems(problems)}.`, problems, options)

const fullError = (path: string, options?: ErrorOptions): StorageFullError =>
  new StorageFullError(`There is no space left on the disk to write ${path}. Free some space and try again.`, options)

/** SQLite cannot start with less: its index of the log takes 32 KB. */
const minFreeBytes = 64 * 1024

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < minFreeBytes
  } catch {
    return false
  }
}

/** Whether SQLite could read the file but its content is invalid. */
export const isDamage = (error: unknown): boolean =>
  [resultCodes.corrupt, resultCodes.notADatabase].includes(resultCode(error)) ||
  extendedCode(error) === shortRead ||
  (error as { code?: unknown } | undefined)?.code === tooLargeNumber

/** Primary result code, or 0 if there is none; it is the lowest byte of an extended code. */
export const resultCode = (error: unknown): number => extendedCode(error) & 0xff

/** Error code of the driver; only damage can cause numbers that JavaScript cannot represent. */
const tooLargeNumber = 'ERR_OUT_OF_RANGE'
/** The file is shorter than its number of pages. */
const shortRead = 522

function extendedCode(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode : 0
}
