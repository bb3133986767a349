/**
 * Why the identity provider brought nobody in.
 * - `unreachable`: it cannot be asked now; nothing is known about the user
 * - `refused`: it said no, with an error of OAuth
 * - `ended`: it no longer vouches for the user
 * - `untrusted`: what it said failed a check
 * - `unwelcome`: it said who it is, and the gateway does not take that name
 */
export type FailureKind = 'unreachable' | 'refused' | 'ended' | 'untrusted' | 'unwelcome'

/** Its message is for the log; only that of an unwelcome user is for people. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind
  /** The error of OAuth, such as `access_denied`. */
  readonly error: string | undefined

  constructor(kind: FailureKind, message: string, { error, cause }: { error?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.error = error
  }
}
