import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '@slipway/apiserver/node'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import type { KubeClient } from '@slipway/kube/client'
import { formatLabelSelector } from '@slipway/kube/selector'
import { tenantLabels } from '@slipway/model/namespace'
import { startCluster } from './cluster'
import { completed } from './credentials'
import { openDataFolder } from './data-folder'
import { StartFailure } from './failure'
import { kubeconfig } from './kubeconfig'
import { portFailure } from './port-failure'
import { createDemo } from './scenarios/demo'
import { startSignInProvider } from './sign-in/provider'
import { users } from './users'

/** Nothing here has a password, so nothing listens for other machines. */
const host = '127.0.0.1'

/** By this name the sign-in provider knows the gateway. */
const clientId = 'slipway'

export interface StartOptions {
  /** 0 takes any free port. */
  port: number
  apiPort: number
  /** Of the OpenID provider that signs the built-in users in. */
  signInPort: number
  /** Where everything is kept; without it everything is kept in memory and ends with the product. */
  data?: string
  /** Begin with an empty data folder. */
  fresh?: boolean
  /** Folder of the built console; without it only the API and sign-in are served. */
  assets?: string
  /** By which browsers reach the gateway, when something stands before it. */
  publicOrigins?: string[]
  /** Of the gateway; without it nothing is logged. */
  log?: GatewayConfig['log']
}

export interface RunningSlipway {
  /** Of the console. */
  url: string
  /** Of the Kubernetes API, which speaks TLS on the same port. */
  apiUrl: string
  /** Of the OpenID provider that signs people in. */
  signInUrl: string
  /** Absent without a data folder. */
  kubeconfigPath: string | undefined
  /** Calls as the cluster administrator. */
  system: KubeClient
  close(): Promise<void>
}

/**
 * Starts the API server, what belongs on it, the sign-in provider, and the gateway with the console.
 * @throws StartFailure for what the person who starts it can put right
 */
export async function startSlipway(options: StartOptions): Promise<RunningSlipway> {
  const { port, apiPort, signInPort, data, fresh = false, assets, publicOrigins, log } = options
  if (assets && !existsSync(join(assets, 'index.html'))) {
    throw new StartFailure(
      `The console is not built: there is no index.html in ${assets}; run npm start, which builds it.`,
    )
  }
  const running = new Running()
  try {
    const folder = data === undefined ? undefined : await openDataFolder(data, { fresh })
    const storage = folder?.storage ?? memoryStorage()
    running.add(async () => storage.close())
    const credentials = folder?.credentials ?? completed({})
    const cluster = await startCluster({ storage, credentials })
    running.add(() => cluster.close())
    const system = cluster.client('system')
    await createDemo(system, new Date())

    const { certificate } = credentials
    const api = await listen(cluster.server, { host, port: apiPort, certificate }).catch(
      portFailure(apiPort, '--api-port'),
    )
    running.add(() => api.close())
    const kubeconfigPath = await folder?.writeKubeconfig(kubeconfig(api.url, credentials))

    // Known once the gateway listens; nobody can be on the way back to it before.
    let origins = publicOrigins ?? []
    const signIn = await startSignInProvider({
      host,
      port: signInPort,
      users,
      clientId,
      secrets: credentials.signIn,
      store: folder?.signInStore,
      redirectOrigins: () => origins,
    }).catch(portFailure(signInPort, '--sign-in-port'))
    running.add(() => signIn.close())

    const gateway = await createGateway({
      host,
      port,
      publicOrigins,
      kubernetes: {
        access: { url: api.url, token: credentials.tokens.gateway ?? '' },
        as: 'impersonate',
        namespaceSelector: formatLabelSelector({ matchLabels: tenantLabels }),
      },
      assets,
      log,
      session: { keys: [Buffer.from(credentials.sessionKey, 'base64url')] },
      signIn: { oidc: { issuer: signIn.issuer, clientId, clientSecret: credentials.signIn.clientSecret } },
    })
    running.add(() => gateway.close())
    const url = await gateway.listen({ host, port }).catch(portFailure(port, '--port'))
    origins = publicOrigins ?? [url, url.replace(host, 'localhost')]
    return { url, apiUrl: api.url, signInUrl: signIn.issuer, kubeconfigPath, system, close: () => running.close() }
  } catch (error) {
    await running.close()
    throw error
  }
}

/** What was started, to be stopped in the opposite order. */
class Running {
  private readonly parts: (() => Promise<void>)[] = []

  add(close: () => Promise<void>): void {
    this.parts.unshift(close)
  }

  async close(): Promise<void> {
    for (const close of this.parts.splice(0)) await close()
  }
}
