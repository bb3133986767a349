import { admission, type Identity } from './identity'
import { ProviderFailure } from './provider-failure'
import type { OidcSettings } from './settings'

/** What a provider says about a user, as it came. */
export type Claims = Record<string, unknown>

type ClaimSettings = Pick<
  OidcSettings,
  'userClaim' | 'groupsClaim' | 'userPrefix' | 'groupPrefix' | 'allowUnverifiedEmail' | 'allowedSystemNames'
>

/** Is something missing that the provider may tell elsewhere? */
export const isIncomplete = (claims: Claims, { userClaim, groupsClaim, allowUnverifiedEmail }: ClaimSettings) =>
  claims[userClaim] === undefined ||
  claims[groupsClaim] === undefined ||
  (userClaim === 'email' && claims.email_verified === undefined && !allowUnverifiedEmail)

/**
 * Who the user is in the cluster.
 * @throws ProviderFailure `unwelcome`, with words for the user
 */
export function identityOf(claims: Claims, settings: ClaimSettings): { identity: Identity; droppedGroups: string[] } {
  const { userClaim, groupsClaim, userPrefix, groupPrefix, allowUnverifiedEmail, allowedSystemNames } = settings
  const unwelcome = (problem: string) => new ProviderFailure('unwelcome', problem)
  const name = claims[userClaim]
  if (typeof name !== 'string' || name === '') {
    throw unwelcome(`The identity provider does not say who you are: there is no claim ${userClaim}.`)
  }
  const isVerified = claims.email_verified === true || allowUnverifiedEmail
  if (userClaim === 'email' && !isVerified) {
    throw unwelcome('The identity provider has not verified your e-mail address.')
  }
  const groups = [claims[groupsClaim] ?? []].flat().filter((group) => typeof group === 'string')
  const admitted = admission(
    {
      user: `${userPrefix}${name}`,
      email: isVerified ? textOf(claims.email) : '',
      preferredUsername: textOf(claims.preferred_username) || textOf(claims.name),
      groups: groups.map((group) => `${groupPrefix}${group}`),
    },
    allowedSystemNames,
  )
  if ('problem' in admitted) throw unwelcome(`You cannot sign in here: ${admitted.problem}.`)
  return admitted
}

const textOf = (claim: unknown): string => (typeof claim === 'string' ? claim : '')
