import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { createApiServer, type ApiServer } from '@slipway/apiserver/api-server'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { gatewayToken } from './gateway-under-test'

/** Namespace of the config map and the pod with the published text; the group `soakers` may do everything. */
export const namespace = 'soak'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** The embedded cluster behind a TCP proxy that counts connections, with a count of pending responses. */
export async function startCluster() {
  const storage = memoryStorage()
  const server: ApiServer = await createApiServer({
    storage,
    authenticate: (token) => (token === gatewayToken ? { name: 'gateway', groups: ['system:masters'] } : undefined),
  })
  const pendingResponses = new Set<Request>()
  const counted: ApiServer = {
    ...server,
    async fetch(request) {
      const end = () => void pendingResponses.delete(request)
      pendingResponses.add(request)
      request.signal.addEventListener('abort', end)
      const response = await server.fetch(request)
      if (!response.body) end()
      return new Response(response.body?.pipeThrough(new TransformStream({ flush: end })) ?? null, response)
    },
  }
  let listener: Listener = await listen(counted, { host: '127.0.0.1', port: 0 })
  const client = (): KubeClient =>
    createKubeClient({ baseUrl: listener.url, headers: { authorization: `Bearer ${gatewayToken}` } })
  const open = new Set<Socket>()
  const proxy: Server = createServer((socket) => {
    const inner = connect(listener.port, '127.0.0.1')
    open.add(socket)
    socket.pipe(inner).pipe(socket)
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
    socket.on('close', () => open.delete(socket))
  })
  const openProxy = (port: number) => new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  await openProxy(0)
  const { port } = proxy.address() as AddressInfo
  const inNamespace = { namespace }
  await client().create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await client().request(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'soakers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'soakers' }],
    }),
  })
  const published = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'published' }, data: { text: '' } }
  await client().create(configMapType, published, inNamespace)
  await client().request(`/api/v1/namespaces/${namespace}/pods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'published' },
      spec: { containers: [{ name: 'published', image: 'registry.example.com/published' }] },
    }),
  })
  return {
    url: `http://127.0.0.1:${port}`,
    /** Behind the TCP proxy. */
    innerUrl: () => listener.url,
    /** Open connections of the gateway. */
    connections: () => open.size,
    /** Destroys the connections of the gateway, as a cluster may at any time. */
    dropConnections() {
      for (const socket of open) socket.destroy()
    },
    /** Number of watches, followed logs and other responses that have not ended. */
    pendingResponses: () => pendingResponses.size,
    /** Publishes a text to every watch and every log. */
    async publish(text: string) {
      await client().request(`/api/v1/namespaces/${namespace}/configmaps/published`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ data: { text } }),
      })
      await client().request(`/api/v1/namespaces/${namespace}/pods/published/log`, {
        method: 'POST',
        body: `${text}\n`,
      })
    },
    /** Restarts the cluster; it is unreachable until `meanwhile` is done. */
    async restart(meanwhile: () => Promise<void>) {
      const closed = new Promise((resolve) => proxy.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
      await listener.close()
      listener = await listen(counted, { host: '127.0.0.1', port: 0 })
      await meanwhile()
      await openProxy(port)
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
      await listener.close()
      await server.close()
      storage.close()
    },
  }
}
