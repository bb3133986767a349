import { checkAdmission, type Identity } from './identity'
import { ProviderFailure } from './provider-failure'
import type { OidcSettings } from './settings'

/** A user's claims as received from a provider. */
export type Claims = Record<string, unknown>

type ClaimSettings = Pick<
  OidcSettings,
  | 'userClaim'
  | 'groupsClaim'
  | 'keptGroups'
  | 'userPrefix'
  | 'groupPrefix'
  | 'allowUnverifiedEmail'
  | 'allowedSystemNames'
>

/** Whether a claim is missing that the user info endpoint may have. */
export const isIncomplete = (claims: Claims, { userClaim, groupsClaim, allowUnverifiedEmail }: ClaimSettings) =>
  claimAt(claims, userClaim) === undefined ||
  claimAt(claims, groupsClaim) === undefined ||
  (userClaim === 'email' && claims.email_verified === undefined && !allowUnverifiedEmail)

/**
 * The user's identity in the cluster.
 * @throws ProviderFailure `unwelcome`, with a message for the user
 */
export function identityFromClaims(
  claims: Claims,
  settings: ClaimSettings,
): { identity: Identity; droppedGroups: string[] } {
  const { userClaim, groupsClaim, keptGroups, userPrefix, groupPrefix, allowUnverifiedEmail, allowedSystemNames } =
    settings
  const rejected = (message: string) => new ProviderFailure('unwelcome', message)
  const name = claimAt(claims, userClaim)
  if (typeof name !== 'string' || name === '') {
    throw rejected(`The identity provider does not say who you are: the claim ${userClaim} is missing.`)
  }
  // Some providers write every claim as text.
  const isVerified = [true, 'true'].includes(claims.email_verified as boolean | string) || allowUnverifiedEmail
  if (userClaim === 'email' && !isVerified) {
    throw rejected('The identity provider has not verified your e-mail address.')
  }
  const groups = [claimAt(claims, groupsClaim) ?? []]
    .flat()
    .filter((group) => typeof group === 'string')
    .filter((group) => !keptGroups || keptGroups.some((pattern) => isMatch(group, pattern)))
  const admitted = checkAdmission(
    {
      user: `${userPrefix}${name}`,
      email: isVerified ? stringClaim(claims.email) : '',
      preferredUsername: stringClaim(claims.preferred_username) || stringClaim(claims.name),
      groups: groups.map((group) => `${groupPrefix}${group}`),
    },
    allowedSystemNames,
  )
  if ('error' in admitted) throw rejected(`You cannot sign in here: ${admitted.error}.`)
  return admitted
}

/** @param pattern a name, or the beginning of a name followed by `*` */
const isMatch = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

/** @param name of a claim, such as `https://example.com/groups`, or of a member of one, such as `realm_access.roles` */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, key) => {
    const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isMember ? (value as Claims)[key] : undefined
  }, claims)
}

const stringClaim = (claim: unknown): string => (typeof claim === 'string' ? claim : '')
