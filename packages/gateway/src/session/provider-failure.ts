import * as openid from 'openid-client'

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

/** Converts an error of `openid-client` or of the connection. */
export function toProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  if (error instanceof openid.AuthorizationResponseError) {
    return new ProviderFailure('refused', 'the provider refused the sign-in', { error: error.error, cause: error })
  }
  if (error instanceof openid.ResponseBodyError) {
    const kind = error.status >= 500 || error.status === 429 ? 'unreachable' : 'refused'
    return new ProviderFailure(kind, 'the provider refused a request', { error: error.error, cause: error })
  }
  if (error instanceof openid.WWWAuthenticateChallengeError && error.status === 401) {
    return new ProviderFailure('refused', 'the provider does not accept the client', {
      error: 'invalid_client',
      cause: error,
    })
  }
  if (error instanceof openid.ClientError && isUntrustedContent(error.code)) {
    return new ProviderFailure('untrusted', error.message, { cause: error })
  }
  return new ProviderFailure('unreachable', 'the provider cannot be reached', { cause: error })
}

const untrustedContentCodes = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_UNSUPPORTED_OPERATION',
])
const isUntrustedContent = (code: string | undefined): boolean => code !== undefined && untrustedContentCodes.has(code)
