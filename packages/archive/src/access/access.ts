import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { ResourceAttributes } from '@slipway/kube/core-types'
import { expiringCache } from './expiring-cache'

/** The caller as the API server identifies them. */
export interface Caller {
  name: string
  groups: string[]
  uid?: string
  extra?: Record<string, string[]>
}

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
  callerOf(headers: Headers): Promise<Caller>
  /** @throws ApiError if the API server cannot be reached */
  isAllowed(caller: Caller, attributes: ResourceAttributes): Promise<boolean>
}

interface AccessOptions {
  client: KubeClient
  clock: Clock
  /** How long responses of the API server are cached. */
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

/** Makes no decisions itself: the API server checks tokens, impersonation and permissions. */
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

  const isAllowed = (
    { name, groups, uid, extra }: Caller,
    resourceAttributes: ResourceAttributes,
  ): Promise<boolean> => {
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
    isAllowed,
    async callerOf(headers) {
      const header = headers.get('authorization')
      if (!header) throw new AccessError('no token')
      const [scheme, token, ...more] = header.split(' ')
      if (scheme?.toLowerCase() !== 'bearer' || !token || more.length > 0) throw new AccessError('malformed header')
      const sender = await ownerOf(token)
      if (!sender) throw new AccessError('bad token')
      const wanted = impersonationOf(headers)
      if (!wanted) return sender
      for (const attributes of wanted.required) {
        if (!(await isAllowed(sender, { verb: 'impersonate', ...attributes })))
          throw new AccessError('may not impersonate')
      }
      return wanted.caller
    },
  }
}

/**
 * The user that the headers impersonate, and the required permissions. Source: k8s.io/apiserver,
 * endpoints/filters/impersonation.go.
 * @throws AccessError for impersonation headers without a user
 */
function impersonationOf(headers: Headers): { caller: Caller; required: ResourceAttributes[] } | undefined {
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
  const required: ResourceAttributes[] = [
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
    required,
  }
}

/** Values of a repeatable header, which `Headers` joins with a comma and a space. */
const listOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(', ').filter((value) => value !== '')

/** Text with invalid encoding is returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
