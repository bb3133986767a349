import { contentExpiry } from '@slipway/model/secrets/secret-content'
import { tokenExpiry } from '@slipway/model/secrets/token-expiry'
import { formatZonedDate } from '../../lib/dates'
import { contentOf, type SecretInput } from './secret-form'

/** Why a password does not work any more, as far as it says so itself. */
export const expiredText = (password: string | undefined, nowMs: number): string | undefined =>
  warningOf(password ? tokenExpiry(password) : undefined, nowMs)

/** Why a token among all that the user entered does not work any more, as far as it says so itself. */
export const expiredContentText = (values: SecretInput, nowMs: number): string | undefined =>
  warningOf(contentExpiry(contentOf(values)), nowMs)

const warningOf = (expiry: Date | undefined, nowMs: number): string | undefined =>
  expiry && expiry.getTime() <= nowMs ? `This token expired on ${formatZonedDate(expiry)}.` : undefined
