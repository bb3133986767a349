import { HttpError } from '../http-error'
import type { Page } from './page'
import { ProviderFailure } from './provider-failure'

/** What a person is told when a sign-in has failed: never what the gateway or the provider said to each other. */
export function pageOfFailure(error: unknown, returnTo: string): Page {
  const link = { href: startPath(returnTo), text: 'Try again' }
  const failed = (code: number, text: string): Page => ({ code, title: 'Sign-in failed', text, link })
  if (error instanceof HttpError) return failed(error.code, error.message)
  if (!(error instanceof ProviderFailure)) return failed(500, 'The gateway failed to handle this sign-in.')
  switch (error.kind) {
    case 'unwelcome':
      return failed(403, error.message)
    case 'unreachable':
      return failed(503, 'The identity provider cannot be reached.')
    case 'untrusted':
      return failed(502, 'The answer of the identity provider could not be trusted.')
    default:
      return failed(...refusals(error.error))
  }
}

/** By the error codes of OAuth 2.0 and OpenID Connect. */
function refusals(error: string | undefined): [number, string] {
  switch (error) {
    case 'access_denied':
      return [403, 'The identity provider denied access, or you cancelled the sign-in.']
    case 'login_required':
    case 'interaction_required':
    case 'account_selection_required':
    case 'consent_required':
      return [403, 'The identity provider wants you to sign in there first.']
    case 'server_error':
    case 'temporarily_unavailable':
      return [503, 'The identity provider cannot sign anybody in at the moment.']
    case 'invalid_grant':
      return overText
    default:
      return [502, 'The identity provider does not accept this gateway. Only whoever runs it can put that right.']
  }
}

const overText: [number, string] = [
  400,
  'This sign-in is over: it took longer than ten minutes, was used before, or began in another browser.',
]

export const overPage = (): Page => ({
  code: overText[0],
  title: 'Sign-in failed',
  text: overText[1],
  link: { href: startPath('/'), text: 'Try again' },
})

/** The page opens the sign-in again when the time is up. */
export const busyPage = (waitS: number, returnTo: string): Page => ({
  code: 429,
  title: 'Many sign-ins at once',
  text: `More sign-ins were started than can be served. Yours starts by itself in ${waitS} ${waitS === 1 ? 'second' : 'seconds'}.`,
  link: { href: startPath(returnTo), text: 'Try again' },
})

export const startPath = (returnTo: string): string => `/oauth2/start?rd=${encodeURIComponent(returnTo)}`
