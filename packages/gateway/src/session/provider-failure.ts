/**
 * Why the identity provider could not sign the user in.
 * - `unreachable`: it does not respond now; nothing is known about the user
 * - `refused`: it refused, with an OAuth error
 * - `ended`: it no longer vouches for the user
 * - `untrusted`: its response failed a check
 * - `unwelcome`: it identified the user, but the gateway does not accept that name
 */
export type FailureKind = 'unreachable' | 'refused' | 'ended' | 'untrusted' | 'unwelcome'

/** The message is for the log; only the message of `unwelcome` is shown to users. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind
  /** The OAuth error code, such as `access_denied`. */
  readonly error: string | undefined

  constructor(kind: FailureKind, message: string, { error, cause }: { error?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.error = error
  }
}

/** The messages of an error and its causes, for the log; they never contain a token. */
export function causeChain(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error && messages.length < 5; each = each.cause) messages.push(each.message)
  return messages.join(': ')
}
