/** Storage errors. This file depends neither on Node nor on SQLite: code that runs elsewhere handles the same errors. */

/** The storage cannot be used; the message names the file and the reason. */
export class StorageError extends Error {
  override name = 'StorageError'

  /** For clients, which must not learn the path. */
  get clientMessage(): string {
    return 'The store cannot be read or written.'
  }
}

/** Another process has the storage open. */
export class StorageInUseError extends StorageError {}

/** A newer version of the program wrote the storage, which this version does not touch. */
export class StorageTooNewError extends StorageError {}

/** There is no space left on the disk. No part of the write was stored. */
export class StorageFullError extends StorageError {
  override get clientMessage(): string {
    return 'There is no space left on the disk of the server. Free some space and try again.'
  }
}

/** The stored data is not the data that was written. */
export class StorageDamagedError extends StorageError {
  /** One phrase for each thing that is wrong. */
  readonly problems: readonly string[]

  constructor(message: string, problems: readonly string[], options?: ErrorOptions) {
    super(message, options)
    this.problems = problems
  }

  override get clientMessage(): string {
    return `The data in the store is damaged: ${listProblems(this.problems)}.`
  }
}

/** A message shows at most this many problems; the error contains all of them. */
const maxShownProblems = 3

export function listProblems(problems: readonly string[]): string {
  const more = problems.length - maxShownProblems
  return problems.slice(0, maxShownProblems).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** What to tell a client about an error. */
export const clientMessageOf = (error: unknown): string =>
  error instanceof StorageError ? error.clientMessage : error instanceof Error ? error.message : String(error)

/** What to print for an error: storage errors say what is wrong and where, others need their stack. */
export const printableError = (error: unknown): unknown => (error instanceof StorageError ? error.message : error)
