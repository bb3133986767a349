import { randomUUID } from 'node:crypto'
import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { namespaceType, roleBindingType, serviceAccountType } from '@slipway/kube/core-types'
import type { ResourceType } from '@slipway/kube/resource-type'
import { formatLabelSelector } from '@slipway/kube/selector'
import { ApiError } from '@slipway/kube/status'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { platformObjects } from '@slipway/model/platform-objects'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { applyObjects } from '@slipway/slipway/apply'
import { startCluster } from '@slipway/slipway/cluster'
import { completeCredentials } from '@slipway/slipway/credentials'
import { gatewayAccess } from '@slipway/slipway/gateway-access'
import { emailOf } from '@slipway/slipway/users'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { configureApi } from '../../src/api/client'
import { sessionCookie } from '../session-cookie'

/** An API server with the platform and a gateway in front of it. */
export interface TestServer {
  /** Calls as the cluster administrator. */
  system: KubeClient
  /** Creates a namespace for a test, in which the console's user is an admin; returns its name. */
  newNamespace(): Promise<string>
  /** Sends the console's calls to this server, as the user `admin`. */
  connectConsole(): void
  /** Deletes the namespaces, and stops the servers that were started here. */
  close(): Promise<void>
}

/**
 * The embedded API server, and the real one of `npm run test:cluster`.
 * @param types kinds that must be served before a test begins
 */
export async function openServers(types: readonly ResourceType[]): Promise<TestServer[]> {
  const cluster = await startCluster({ storage: memoryStorage() })
  const api = await listen(cluster.server, { host: '127.0.0.1', port: 0 })
  const { tokens } = cluster.credentials
  const embedded = await openServer({ url: api.url, token: tokens.system ?? '', gatewayToken: tokens.gateway ?? '' })
  const real = await openRealServer(types)
  const closeEmbedded = async () => {
    await embedded.close()
    await api.close()
    await cluster.close()
  }
  return [{ ...embedded, close: closeEmbedded }, real]
}

/** The real API server alone. Kinds that it has already stay as they are. */
export async function openRealServer(types: readonly ResourceType[]): Promise<TestServer> {
  const real = await openServer({
    url: clusterSetting('CONTROL_PLANE_URL'),
    token: clusterSetting('CONTROL_PLANE_TOKEN'),
    gatewayToken: clusterSetting('CONTROL_PLANE_GATEWAY_TOKEN'),
  })
  await installPlatform(real.system, types)
  return real
}

async function installPlatform(system: KubeClient, types: readonly ResourceType[]): Promise<void> {
  await applyObjects(system, [...platformObjects(), ...gatewayAccess])
  for (const type of types) await untilReadable(() => system.list(type, { limit: 1 }))
}

/** Repeats a read that fails until a controller of the server has done its work: with 404, and for a new kind with 429. */
async function untilReadable(read: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await read())
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 429)) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

interface Connection {
  url: string
  /** Token of a cluster administrator. */
  token: string
  gatewayToken: string
}

async function openServer({ url, token, gatewayToken }: Connection): Promise<TestServer> {
  const system = createKubeClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` }, fetch })
  const config: GatewayConfig = {
    host: '127.0.0.1',
    port: 0,
    kubernetes: {
      access: { url, token: gatewayToken },
      as: 'impersonate',
      namespaceSelector: formatLabelSelector({ matchLabels: tenantLabels }),
    },
    session: { keys: [Buffer.from(completeCredentials({}).sessionKey, 'base64url')] },
    // Never called: sessions are started without signing in.
    signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'slipway' } },
  }
  const gateway = await createGateway(config)
  const origin = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const cookie = await sessionCookie(config, emailOf('admin'))
  const namespaces: string[] = []
  return {
    system,
    async newNamespace() {
      const namespace = `writes-${randomUUID().slice(0, 8)}`
      namespaces.push(namespace)
      await system.create(namespaceType, aNamespace({ metadata: { name: namespace } }))
      await system.create(
        roleBindingType,
        aRoleBinding({
          metadata: { name: 'konflux-admin', namespace },
          roleRef: { name: clusterRoleName('admin') },
          subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('admin') }],
        }),
      )
      // A controller creates it a moment later. A test that compares contents must not see it appear.
      await untilReadable(() => system.get(serviceAccountType, 'default', { namespace }))
      return namespace
    },
    connectConsole: () =>
      configureApi({
        baseUrl: origin,
        fetch: (input, init = {}) =>
          fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), cookie, origin } }),
      }),
    async close() {
      for (const namespace of namespaces) await system.delete(namespaceType, namespace)
      await gateway.close()
    },
  }
}
