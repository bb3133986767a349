import type { UserInfo } from '@slipway/kube/user'
import { issuer, type Authentication, type ServiceAccountTokens } from './service-account-tokens'

/** The audience of tokens that name no other: this server. */
export const apiAudiences: readonly string[] = [issuer]

/** @param audiences the token must be intended for at least one of them */
export type Authenticate = (token: string, audiences?: readonly string[]) => Promise<Authentication>

const unknownToken = 'invalid bearer token'

/** Authenticates the tokens known to the host process and those of service accounts. */
export function createAuthenticator(
  known: (token: string) => UserInfo | undefined | Promise<UserInfo | undefined>,
  tokens: ServiceAccountTokens,
): Authenticate {
  return async (token, audiences = apiAudiences) => {
    // Tokens of the host name no audience; they are intended for this server.
    const common = apiAudiences.filter((audience) => audiences.includes(audience))
    const user = common.length > 0 ? await known(token) : undefined
    if (user) return { user: withAuthenticatedGroup(user), audiences: common }
    const result = await tokens.authenticate(token, audiences)
    if (!result) return { error: unknownToken }
    if ('error' in result) return { error: `[${unknownToken}, ${result.error}]` }
    return { ...result, user: withAuthenticatedGroup(result.user) }
  }
}

/** Every named user is authenticated, even if the authenticator does not list the group. */
const withAuthenticatedGroup = (user: UserInfo): UserInfo =>
  user.groups.includes('system:authenticated') ? user : { ...user, groups: [...user.groups, 'system:authenticated'] }
