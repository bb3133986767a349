import { HttpError } from '@slipway/connect/http-error'
import type { Page } from './page'
import { ProviderFailure } from './provider-failure'

/** The page for a failed sign-in. It never shows the messages between the gateway and the provider. */
export function failurePage(error: unknown, returnTo: string): Page {
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
      return failed(502, 'The response of the identity provider could not be trusted.')
    default:
      return failed(...providerError(error.error))
  }
}

/** Status and text for the error codes of OAuth 2.0 and OpenID Connect. */
function providerError(error: string | undefined): [number, string] {
  switch (error) {
    case 'access_denied':
      return [403, 'The identity provider denied access, or you cancelled the sign-in.']
    case 'login_required':
    case 'interaction_required':
    case 'account_selection_required':
    case 'consent_required':
      return [403, 'You need to sign in at the identity provider first.']
    case 'server_error':
    case 'temporarily_unavailable':
      return [503, 'The identity provider cannot sign you in at the moment.']
    case 'invalid_grant':
      return expired
    default:
      return [
        502,
        'The identity provider does not accept this gateway. Ask your administrator to fix its configuration.',
      ]
  }
}

const expired: [number, string] = [
  400,
  'This sign-in has expired: it took longer than ten minutes, was already used, or was started in another browser.',
]

export const expiredPage = (): Page => ({
  code: expired[0],
  title: 'Sign-in failed',
  text: expired[1],
  link: { href: startPath('/'), text: 'Try again' },
})

/** The page restarts the sign-in when the time is up. */
export const busyPage = (waitS: number, returnTo: string): Page => ({
  code: 429,
  title: 'Too many sign-ins',
  text: `Too many users are signing in at the same time. Your sign-in starts automatically in ${waitS} ${waitS === 1 ? 'second' : 'seconds'}.`,
  link: { href: startPath(returnTo), text: 'Try again' },
})

export const startPath = (returnTo: string): string => `/oauth2/start?rd=${encodeURIComponent(returnTo)}`
