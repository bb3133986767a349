import type { UserInfo } from '../authorization/user'
import { issuer, type Authentication, type ServiceAccountTokens } from './service-account-tokens'

/** Whom tokens are for that name nobody else: this server. */
export const apiAudiences: readonly string[] = [issuer]

/** @param audiences those for one of which the token must be meant */
export type Authenticate = (token: string, audiences?: readonly string[]) => Promise<Authentication>

const unknownToken = 'invalid bearer token'

/** Knows the tokens that the host of this server knows, and those of service accounts. */
export function createAuthenticator(
  known: (token: string) => UserInfo | undefined | Promise<UserInfo | undefined>,
  tokens: ServiceAccountTokens,
): Authenticate {
  return async (token, audiences = apiAudiences) => {
    // Tokens of the host name no audience: they are for this server.
    const common = apiAudiences.filter((audience) => audiences.includes(audience))
    const user = common.length > 0 ? await known(token) : undefined
    if (user) return { user: withEverybody(user), audiences: common }
    const answer = await tokens.authenticate(token, audiences)
    if (!answer) return { error: unknownToken }
    if ('error' in answer) return { error: `[${unknownToken}, ${answer.error}]` }
    return { ...answer, user: withEverybody(answer.user) }
  }
}

/** Whoever has a name is authenticated, whatever the authenticator knows of groups. */
const withEverybody = (user: UserInfo): UserInfo =>
  user.groups.includes('system:authenticated') ? user : { ...user, groups: [...user.groups, 'system:authenticated'] }
