import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageDamagedError, StorageError, StorageFullError, StorageInUseError } from './errors'

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

/** The error as one that names the file and the reason; one of another origin is returned as it is. */
export function describeError(path: string, error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error
  const options = { cause: error }
  if (isDamage(error)) return damagedError(path, [error.message], options)
  switch (resultCode(error)) {
    case resultCodes.busy:
      return new StorageInUseError(
        `data folder already in use: ${path} is open in another process. Stop it first.`,
        options,
      )
    case resultCodes.full:
      return fullError(path, options)
    case resultCodes.ioError:
      // Files beside the database cannot grow either, and SQLite does not say why.
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

/** At most this many problems are part of a message; all are part of the error. */
const shownProblems = 3

export function damagedError(path: string, problems: readonly string[], options?: ErrorOptions): StorageDamagedError {
  const more = problems.length - shownProblems
  const shown = problems.slice(0, shownProblems).join('; ') + (more > 0 ? `; and ${more} more` : '')
  return new StorageDamagedError(`The data in ${path} is damaged: ${shown}.`, problems, options)
}

const fullError = (path: string, options?: ErrorOptions): StorageFullError =>
  new StorageFullError(`There is no space left on the disk to write ${path}. Free some space and try again.`, options)

/** Less than what SQLite needs to begin: its index of the log takes 32 KB. */
const leastFreeBytes = 64 * 1024

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < leastFreeBytes
  } catch {
    return false
  }
}

/** SQLite could read the file, and what is in it makes no sense. */
export const isDamage = (error: unknown): boolean =>
  [resultCodes.corrupt, resultCodes.notADatabase].includes(resultCode(error)) ||
  extendedCode(error) === shortRead ||
  (error as { code?: unknown } | undefined)?.code === tooLargeNumber

/** Primary result code, 0 for none; the extended ones carry it in their lowest byte. */
export const resultCode = (error: unknown): number => extendedCode(error) & 0xff

/** The driver's; nothing writes numbers that JavaScript cannot represent. */
const tooLargeNumber = 'ERR_OUT_OF_RANGE'
/** The file ends before a page that belongs to it. */
const shortRead = 522

function extendedCode(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode : 0
}
