/** Storage errors. This file depends neither on Node nor on SQLite: code that runs elsewhere handles the same errors. */

/** The storage cannot be used; the message names the file and the reason. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** Another process has the storage open. */
export class StorageInUseError extends StorageError {}

/** There is no space left on the disk. No part of the write was stored. */
export class StorageFullError extends StorageError {}

/** The stored data is not the data that was written. */
export class StorageDamagedError extends StorageError {
  /** One phrase for each thing that is wrong. */
  readonly problems: readonly string[]

  constructor(message: string, problems: readonly string[], options?: ErrorOptions) {
    super(message, options)
    this.problems = problems
  }
}
