import { createApiServer } from '@slipway/apiserver/api-server'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import {
  clusterRoleBindingType,
  clusterRoleType,
  eventType,
  namespaceType,
  roleBindingType,
  roleType,
  serviceAccountType,
  subjectAccessReviewType,
  type PolicyRule,
  type ResourceAttributes,
  type Subject,
} from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { UserInfo } from '@slipway/kube/user'
import { createServedTypes } from '../src/host/served-types'
import { viewsRules } from '../src/host/permissions'
import { createUserRights, type UserRights } from '../src/host/user-rights'

/** Two kinds that every API server has. */
export const viewTypes: readonly ResourceType[] = [eventType, serviceAccountType]

export interface SentReview {
  user: string
  groups: string[]
  resourceAttributes: ResourceAttributes
}

/** How a test changes what the service gets from the API server. */
export interface Interference {
  /** Responds instead of the API server; `undefined` to let it respond. */
  respond?(request: Request): Response | Promise<Response | undefined> | undefined
  /** Decides a review like a further authorizer; `undefined` to leave it to RBAC. */
  authorize?(review: SentReview): object | undefined
}

export interface AuthorizationWorld {
  /** Calls as the cluster administrator. */
  admin: KubeClient
  /** Calls as the service, with exactly the rights of its account. */
  service: KubeClient
  interference: Interference
  /** The reviews that the service has sent. */
  reviews: SentReview[]
  /** Method and path of every call of the service. */
  calls: string[]
  /** The watches that are open, by path: what cuts them. */
  watches: Map<string, () => void>
  createNamespace(name: string): Promise<void>
  openRights(clock?: Clock): UserRights
  close(): Promise<void>
}

const serviceToken = 'views'
const serviceUser = 'system:serviceaccount:slipway:views'
/** The user of the token `gateway` of the embedded API server, who has no rights by default. */
export const gatewayUser = 'system:serviceaccount:slipway:gateway'

/** Where the objects of tests are. */
export interface ApiAccess {
  admin: KubeClient
  /** Sends a request as the service. */
  fetchAsService(request: Request): Promise<Response>
  baseUrl: string
  serviceUser: string
  close(): Promise<void>
}

/** The embedded API server. */
export async function embeddedAccess(): Promise<ApiAccess> {
  const users: Record<string, UserInfo> = {
    admin: { name: 'system:admin', groups: ['system:masters'] },
    gateway: { name: gatewayUser, groups: ['system:authenticated'] },
    [serviceToken]: { name: serviceUser, groups: ['system:serviceaccounts', 'system:authenticated'] },
  }
  const server = await createApiServer({ storage: memoryStorage(), authenticate: (token) => users[token] })
  const baseUrl = 'http://cluster.test'
  const send = (token: string, request: Request) => {
    request.headers.set('authorization', `Bearer ${token}`)
    return server.fetch(request)
  }
  const admin = createKubeClient({ baseUrl, fetch: (input, init) => send('admin', new Request(input, init)) })
  return {
    admin,
    baseUrl,
    serviceUser,
    fetchAsService: (request) => send(serviceToken, request),
    close: () => server.close(),
  }
}

export async function startWorld(access: ApiAccess, roleName = 'slipway-views'): Promise<AuthorizationWorld> {
  const { admin, baseUrl } = access
  const reviews: SentReview[] = []
  const calls: string[] = []
  const watches = new Map<string, () => void>()
  const interference: Interference = {}

  async function fetchAsService(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const { pathname, searchParams } = new URL(request.url)
    calls.push(`${request.method} ${pathname}`)
    const isReview = pathname === resourcePath(subjectAccessReviewType)
    const decided = isReview ? await decide(request.clone()) : undefined
    const response = decided ?? (await interference.respond?.(request)) ?? (await access.fetchAsService(request))
    return searchParams.has('watch') && response.ok ? watched(pathname, request.signal, response) : response
  }

  /** The response to a watch, which a test can cut. */
  function watched(path: string, signal: AbortSignal, response: Response): Response {
    const cut = new AbortController()
    watches.set(path, () => cut.abort(new Error('The connection was cut.')))
    signal.addEventListener('abort', () => watches.delete(path))
    const through = new TransformStream<Uint8Array, Uint8Array>()
    // A watch has a body. That it is cut, or ended by the service, is no error of the test.
    response.body?.pipeTo(through.writable, { signal: cut.signal }).catch(() => watches.delete(path))
    return new Response(through.readable, response)
  }

  async function decide(request: Request): Promise<Response | undefined> {
    // The service sent it.
    const { spec } = (await request.json()) as { spec: SentReview }
    reviews.push(spec)
    const status = interference.authorize?.(spec)
    return status && Response.json({ kind: 'SubjectAccessReview', spec, status }, { status: 201 })
  }

  const service = createKubeClient({ baseUrl, fetch: fetchAsService, timeoutMs: 15_000 })
  const rules = viewsRules(viewTypes.map((type) => ({ type })))
  await admin.create(clusterRoleType, { metadata: { name: roleName }, rules })
  await admin.create(clusterRoleBindingType, {
    metadata: { name: roleName },
    roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: roleName },
    subjects: [{ kind: 'User', apiGroup: clusterRoleType.group, name: access.serviceUser }],
  })
  const opened: UserRights[] = []
  return {
    admin,
    service,
    interference,
    reviews,
    calls,
    watches,
    createNamespace: async (name) => void (await admin.create(namespaceType, { metadata: { name } })),
    openRights(clock = systemClock) {
      const servedTypes = createServedTypes(service, clock)
      const rights = createUserRights({ client: service, servedTypes, clock, warn: () => {} })
      opened.push(rights)
      return rights
    },
    async close() {
      for (const rights of opened) rights.close()
      await admin.delete(clusterRoleBindingType, roleName)
      await admin.delete(clusterRoleType, roleName)
      await access.close()
    },
  }
}

/** The rule of a user who may read a kind, by default with what a view needs. */
export const ruleFor = ({ group, plural }: ResourceType, verbs = ['list', 'watch']): PolicyRule => ({
  apiGroups: [group],
  resources: [plural],
  verbs,
})

export const userSubject = (name: string): Subject => ({ kind: 'User', apiGroup: roleType.group, name })
export const groupSubject = (name: string): Subject => ({ kind: 'Group', apiGroup: roleType.group, name })

export const roleRef = (kind: 'Role' | 'ClusterRole', name: string) => ({ apiGroup: roleType.group, kind, name })

export { clusterRoleBindingType, clusterRoleType, roleBindingType, roleType }
