import type { KubeClient } from './client'
import type { Clock } from './clock'
import { subjectAccessReviewType, tokenReviewType, type ResourceAttributes } from './core-types'
import { expiringCache } from './expiring-cache'
import { parseImpersonation } from './impersonation'
import type { UserInfo } from './user'

/** Why a request cannot be authenticated. Each API has its own messages and codes for it. */
export type AccessProblem = 'no token' | 'malformed header' | 'bad token' | 'no user' | 'may not impersonate'

export class AccessError extends Error {
  readonly problem: AccessProblem

  constructor(problem: AccessProblem) {
    super(problem)
    this.problem = problem
  }
}

export interface Access {
  /**
   * The owner of the token, or the user that they impersonate.
   * @throws AccessError, or ApiError if the API server cannot be reached
   */
  callerOf(headers: Headers): Promise<UserInfo>
  /** @throws ApiError if the API server cannot be reached */
  isAllowed(caller: UserInfo, attributes: ResourceAttributes): Promise<boolean>
}

interface AccessOptions {
  client: KubeClient
  clock: Clock
  /** How long responses of the API server are cached. */
  cacheMs: number
}

/** Makes no decisions itself: the API server checks tokens, impersonation and permissions. */
export function createAccess({ client, clock, cacheMs }: AccessOptions): Access {
  const tokens = expiringCache<UserInfo | undefined>(clock, cacheMs)
  const reviews = expiringCache<boolean>(clock, cacheMs)

  const ownerOf = (token: string) =>
    tokens(token, async () => {
      const status = await client.review(tokenReviewType, { token })
      if (!status?.authenticated || !status.user?.username) return undefined
      const { username, groups = [], uid, extra } = status.user
      return { name: username, groups, ...(uid && { uid }), ...(extra && { extra }) }
    })

  const isAllowed: Access['isAllowed'] = ({ name, groups, uid, extra }, resourceAttributes) => {
    const spec = { user: name, groups, uid, extra, resourceAttributes }
    return reviews(
      JSON.stringify(spec),
      async () => (await client.review(subjectAccessReviewType, spec))?.allowed === true,
    )
  }

  return {
    isAllowed,
    async callerOf(headers) {
      const header = headers.get('authorization')
      if (!header) throw new AccessError('no token')
      const [scheme, token, ...more] = header.split(' ')
      if (scheme?.toLowerCase() !== 'bearer' || !token || more.length > 0) throw new AccessError('malformed header')
      const sender = await ownerOf(token)
      if (!sender) throw new AccessError('bad token')
      const impersonation = parseImpersonation(headers)
      if (!impersonation) return sender
      const { user, required } = impersonation
      if (!user) throw new AccessError('no user')
      for (const attributes of required) {
        if (!(await isAllowed(sender, { verb: 'impersonate', ...attributes })))
          throw new AccessError('may not impersonate')
      }
      return user
    },
  }
}
