import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { ResourceAttributes } from '@slipway/kube/core-types'
import { expiringCache } from './expiring-cache'

/** Who asks, as the API server knows them. */
export interface Caller {
  name: string
  groups: string[]
  uid?: string
  extra?: Record<string, string[]>
}

/** Why nobody can be told from a request. Each face has its own words and codes for it. */
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
   * Whoever the token stands for, or whom they impersonate.
   * @throws AccessError, ApiError when the API server cannot be asked
   */
  callerOf(headers: Headers): Promise<Caller>
  /** @throws ApiError when the API server cannot be asked */
  mayAsk(caller: Caller, attributes: ResourceAttributes): Promise<boolean>
}

interface AccessOptions {
  client: KubeClient
  clock: Clock
  /** For how long an answer of the API server counts. */
  cacheMs: number
}

interface TokenReview {
  status?: {
    authenticated?: boolean
    user?: Omit<Caller, 'name' | 'groups'> & { username?: string; groups?: string[] }
  }
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const serviceAccountPattern = new RegExp(`^system:serviceaccount:(${label}):(${label}(?:\\.${label})*)$`)
const extraPrefix = 'impersonate-extra-'
const authentication = 'authentication.k8s.io'

/** Decides nothing itself: tokens, impersonation and access are the API server's to judge. */
export function createAccess({ client, clock, cacheMs }: AccessOptions): Access {
  const tokens = expiringCache<Caller | undefined>(clock, cacheMs)
  const reviews = expiringCache<boolean>(clock, cacheMs)

  const review = <A>(group: string, kind: string, plural: string, spec: object): Promise<A> =>
    client.request(`/apis/${group}/v1/${plural}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: `${group}/v1`, kind, spec }),
    })

  const ownerOf = (token: string) =>
    tokens(token, async () => {
      const { status } = await review<TokenReview>(authentication, 'TokenReview', 'tokenreviews', { token })
      if (!status?.authenticated || !status.user?.username) return undefined
      const { username, groups = [], uid, extra } = status.user
      return { name: username, groups, ...(uid && { uid }), ...(extra && { extra }) }
    })

  const mayAsk = ({ name, groups, uid, extra }: Caller, resourceAttributes: ResourceAttributes): Promise<boolean> => {
    const spec = { user: name, groups, uid, extra, resourceAttributes }
    return reviews(JSON.stringify(spec), async () => {
      const { status } = await review<{ status?: { allowed?: boolean } }>(
        'authorization.k8s.io',
        'SubjectAccessReview',
        'subjectaccessreviews',
        spec,
      )
      return status?.allowed === true
    })
  }

  return {
    mayAsk,
    async callerOf(headers) {
      const header = headers.get('authorization')
      if (!header) throw new AccessError('no token')
      const [scheme, token, ...more] = header.split(' ')
      if (scheme?.toLowerCase() !== 'bearer' || !token || more.length > 0) throw new AccessError('malformed header')
      const sender = await ownerOf(token)
      if (!sender) throw new AccessError('bad token')
      const wanted = impersonationOf(headers)
      if (!wanted) return sender
      for (const attributes of wanted.demands) {
        if (!(await mayAsk(sender, { verb: 'impersonate', ...attributes })))
          throw new AccessError('may not impersonate')
      }
      return wanted.caller
    },
  }
}

/**
 * Whom the headers name, and what one must be allowed for it. Source: k8s.io/apiserver, endpoints/filters/impersonation.go.
 * @throws AccessError for parts of a user without a user
 */
function impersonationOf(headers: Headers): { caller: Caller; demands: ResourceAttributes[] } | undefined {
  const name = headers.get('impersonate-user') ?? ''
  const given = listOf(headers, 'impersonate-group')
  const uid = headers.get('impersonate-uid') ?? ''
  const extra: Record<string, string[]> = {}
  headers.forEach((_, header) => {
    if (header.startsWith(extraPrefix)) extra[decoded(header.slice(extraPrefix.length))] = listOf(headers, header)
  })
  const extras = Object.entries(extra)
  if (!name) {
    if (given.length > 0 || uid || extras.length > 0) throw new AccessError('no user')
    return undefined
  }
  const [, namespace, account] = serviceAccountPattern.exec(name) ?? []
  const demands: ResourceAttributes[] = [
    account ? { resource: 'serviceaccounts', namespace, name: account } : { resource: 'users', name },
    ...given.map((group) => ({ resource: 'groups', name: group })),
    ...(uid ? [{ group: authentication, resource: 'uids', name: uid }] : []),
    ...extras.flatMap(([subresource, values]) =>
      values.map((value) => ({ group: authentication, resource: 'userextras', subresource, name: value })),
    ),
  ]
  const own = namespace ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : []
  const groups = given.length === 0 ? own : given
  const everybody = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'
  return {
    caller: {
      name,
      groups: groups.includes(everybody) ? groups : [...groups, everybody],
      ...(uid && { uid }),
      ...(extras.length > 0 && { extra }),
    },
    demands,
  }
}

/** Values of a header that may be repeated: `Headers` joins them with a comma and a space. */
const listOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(', ').filter((value) => value !== '')

/** What is not well encoded is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
