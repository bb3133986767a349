import { listen } from '@slipway/apiserver/node/listen'
import { lazy } from '@slipway/apiserver/lazy'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import type { KubeClient } from '@slipway/kube/client'
import {
  configMapType,
  eventType,
  namespaceType,
  podType,
  roleBindingType,
  roleType,
  secretType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import { apiVersionOf, inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { formatLabelSelector } from '@slipway/kube/selector'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { componentGroupType } from '@slipway/model/builds/component-group'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import type { GroupLayout } from '@slipway/model/group-layout'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { createCluster, startCluster } from '@slipway/slipway/cluster'
import { emailOf, type UserName } from '@slipway/slipway/users'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { configureApi, type Socket } from '../src/api/client'
import { guardMasks } from './guarded-masks'
import { sessionCookie } from './session-cookie'

export const namespace = 'team-payments'

/** Faults that a test can inject between the console and the cluster. */
export interface Faults {
  /**
   * Responds to calls in place of the gateway, which still receives those for which `respond` returns `undefined`.
   * Returns a function that ends this. Paths have their query, such as `/api/k8s/api/v1/namespaces?limit=1`.
   */
  intercept(respond: (path: string, init: RequestInit) => Response | Promise<Response> | undefined): () => void
  /** Sends a call of the console to the gateway, for an interceptor that only delays it. */
  pass(path: string, init: RequestInit): Promise<Response>
  /** Breaks every open socket without a closing handshake: code 1006. */
  cutSockets(): void
  /** The gateway closes every open socket, as in a restart: code 1001. */
  endSockets(): void
  /** Open sockets stay open but receive nothing more; new ones work. */
  muteSockets(): void
  /** Whether new sockets fail to connect. */
  areSocketsBlocked: boolean
}

export interface Call {
  method: string
  path: string
  body: unknown
}

/** Whether a call is a dry run: a delete says so in its body, every other write in its query. */
export const isDryRun = ({ path, body }: Pick<Call, 'path' | 'body'>): boolean =>
  path.includes('dryRun=All') ||
  /"dryRun":\["All"\]/.test(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/** A short form that is the same for every verb: `DELETE name`, `DELETE name (dry run)`. */
export const writeLine = (call: Call, collection: RegExp): string =>
  `${call.method} ${call.path.replace(collection, '').replace(/\?.*$/, '')}${isDryRun(call) ? ' (dry run)' : ''}`

/** A review of the user's own permissions. */
export interface Review {
  kind: 'SelfSubjectAccessReview' | 'SelfSubjectRulesReview'
  spec: unknown
}

/** The reviews of permissions among some calls, sent separately or in batches. */
export const reviewsIn = (calls: readonly Call[], kind: Review['kind']): Review[] =>
  calls
    .filter(({ path }) => /\/(access-reviews|selfsubject\w+reviews)$/.test(path))
    // The console sends bodies of these types to these paths.
    .flatMap(({ body }) => (body as { items?: Review[] }).items ?? [body as Review])
    .filter((review) => review.kind === kind)

export interface TestCluster {
  /** A client that bypasses the console and the gateway, as the cluster administrator. */
  system: KubeClient
  /** Creates objects, with their status as a controller would write it. */
  put(objects: readonly KubeObject[]): Promise<void>
  faults: Faults
  /** Every call of the console, oldest first. */
  calls: Call[]
  /** Paths of the sockets that are open now. */
  openSockets(): string[]
  /** The URLs of the open sockets. */
  sockets(): URL[]
  /** How many sockets the console has tried to open. */
  attempts(): number
  /** URLs that the console tried to navigate to. */
  departures: string[]
}

export interface TestClusterOptions {
  /** The signed-in user; no user for `undefined`. */
  as: UserName | undefined
  /** Objects besides a namespace, in which each built-in user has the role of the same name. */
  objects?: KubeObject[]
  /** Archives and views, which a plain installation does not have, or a function that starts those that need the cluster. */
  /** The groups of the kinds of the product; `old` by default. */
  groups?: GroupLayout
  archives?: Archives | ((apiUrl: string, system: KubeClient) => Promise<Archives>)
}

export type Archives = Pick<GatewayConfig, 'kubeArchive' | 'tektonResults' | 'views'>

/** What every test starts with, installed once: the platform, and a team's namespace. */
const install = async (groups: GroupLayout) => {
  const storage = memoryStorage()
  const cluster = await startCluster({ storage, groups })
  for (const object of team()) await put(cluster.client('system'), object)
  await cluster.server.settled()
  await cluster.close()
  return { storage, credentials: cluster.credentials }
}
const installed = {
  old: lazy(() => install('old')),
  both: lazy(() => install('both')),
  new: lazy(() => install('new')),
}

/** A cluster with the platform behind a gateway, which the console uses as a signed-in user; closed with the test. */
export async function testCluster({
  as,
  objects = [],
  archives,
  groups = 'old',
}: TestClusterOptions): Promise<TestCluster> {
  const { storage, credentials } = await installed[groups]()
  const cluster = await createCluster({ storage: storage.copy(), credentials })
  const api = await listen(cluster.server, { host: '127.0.0.1', port: 0 })
  const system = cluster.client('system')
  const config: GatewayConfig = {
    host: '127.0.0.1',
    port: 0,
    kubernetes: {
      access: { url: api.url, token: cluster.credentials.tokens.gateway ?? '' },
      as: 'impersonate',
      namespaceSelector: formatLabelSelector({ matchLabels: tenantLabels }),
    },
    ...(typeof archives === 'function' ? await archives(api.url, system) : archives),
    // Off, since the clocks of tests run faster than the gateway's, whose heartbeats would arrive too late.
    limits: { heartbeatMs: Infinity },
    session: { keys: [Buffer.from(cluster.credentials.sessionKey, 'base64url')] },
    // Never called: sessions are started without signing in.
    signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'slipway' } },
  }
  const gateway = await createGateway(config)
  const url = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const putAll = async (all: readonly KubeObject[]) => {
    for (const object of all) await put(system, object)
  }
  await putAll(objects)

  const cookie = as && (await sessionCookie(config, emailOf(as)))
  const identity: Record<string, string> = cookie ? { cookie, origin: url } : { origin: url }
  const interceptors: Parameters<Faults['intercept']>[0][] = []
  const sockets = new Set<WebSocket>()
  const calls: Call[] = []
  let attemptCount = 0
  const departures: string[] = []
  const faults: Faults = {
    areSocketsBlocked: false,
    intercept(respond) {
      interceptors.unshift(respond)
      return () => void interceptors.splice(interceptors.indexOf(respond), 1)
    },
    // Adds the cookies and the origin, which a browser sends by itself.
    pass: (path, init) =>
      fetch(`${url}${path}`, { ...init, headers: { ...(init.headers as Record<string, string>), ...identity } }),
    cutSockets() {
      for (const socket of sockets) socket.terminate()
    },
    muteSockets() {
      for (const socket of sockets) socket.onmessage = null
    },
    endSockets: () => gateway.closeStreams(),
  }
  configureApi({
    baseUrl: url,
    navigate: (to) => void departures.push(to),
    async fetch(input, init = {}) {
      const path = String(input).slice(url.length)
      calls.push({ method: init.method ?? 'GET', path, body: init.body ? JSON.parse(String(init.body)) : undefined })
      for (const intercept of interceptors) {
        const response = intercept(path, init)
        if (response) return response
      }
      return faults.pass(path, init)
    },
    openSocket(address, protocol) {
      attemptCount++
      const target = faults.areSocketsBlocked ? address.replace(/:\d+\//, ':1/') : address
      const socket = new WebSocket(target, protocol, { headers: identity })
      sockets.add(socket)
      // A failed handshake also ends in `close`, as in a browser.
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
      // The same interface as a browser's, except for the types of its events.
      return socket as unknown as Socket
    },
  })
  guardMasks(system)
  onTestFinished(async () => {
    faults.cutSockets()
    await gateway.close()
    await api.close()
    await cluster.close()
  })
  const openAddresses = () =>
    [...sockets].filter(({ readyState }) => readyState === WebSocket.OPEN).map((socket) => new URL(socket.url))
  return {
    system,
    put: putAll,
    faults,
    calls,
    departures,
    openSockets: () => openAddresses().map(({ pathname }) => pathname),
    sockets: openAddresses,
    attempts: () => attemptCount,
  }
}

const types: ResourceType[] = [
  enterpriseContractPolicyType,
  namespaceType,
  configMapType,
  roleType,
  roleBindingType,
  secretType,
  serviceAccountType,
  secretType,
  applicationType,
  componentType,
  imageRepositoryType,
  nudgeConfigType,
  componentGroupType,
  integrationTestScenarioType,
  releasePlanType,
  releasePlanAdmissionType,
  releaseType,
  snapshotType,
  pipelineRunType,
  taskRunType,
  podType,
  eventType,
]

/** Creates an object, and then writes its status, if any, as a controller would. */
async function put(system: KubeClient, object: KubeObject & { status?: unknown }): Promise<void> {
  const declared = types.find(({ kind }) => kind === object.kind)
  // In the group that the object names, which is not the declared one for a kind that has moved.
  const type = declared && (inEachGroup(declared).find((each) => apiVersionOf(each) === object.apiVersion) ?? declared)
  if (!type) throw new Error(`Add the type of ${object.kind} to the harness.`)
  const created = await system.create(type, object)
  if (!object.status) return
  const { namespace, name } = created.metadata
  await system.request(resourcePath(type, { namespace, name, subresource: 'status' }), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...created, status: object.status }),
  })
}

const team = (): KubeObject[] => [
  aNamespace({ metadata: { name: namespace } }),
  // A pod is accepted only if its service account exists.
  aServiceAccount({ metadata: { name: 'build-pipeline-checkout-api', namespace } }),
  ...(['admin', 'maintainer', 'contributor'] as const).map((role) =>
    aRoleBinding({
      metadata: { name: `konflux-${role}-${role}-user-actions`, namespace },
      roleRef: { name: clusterRoleName(role) },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf(role) }],
    }),
  ),
]
