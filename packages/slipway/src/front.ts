import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import type { PluginSetting } from '@slipway/gateway/plugins/plugin-kinds'
import type { PluginConfig } from '@slipway/gateway/upstreams/settings'
import { formatLabelSelector } from '@slipway/kube/selector'
import { tenantLabels } from '@slipway/model/platform/namespace'
import type { ScenarioName } from '@slipway/simulator/scenario-names'
import type { Credentials } from './credentials'
import { version } from './flags'
import { host } from './host'
import { portFailure } from './port-failure'
import { Running } from './running'
import { startSignInProvider } from './sign-in/provider'
import type { SignInStore } from './sign-in/store'
import { describedUsers } from './users'

/** Client ID of the gateway at the sign-in provider. */
const clientId = 'slipway'

export interface FrontOptions {
  port: number
  signInPort: number
  assets?: string
  /** How long a page waits for its content; by default it is sent without. */
  renderMs?: number
  publicOrigins?: string[]
  log?: GatewayConfig['log']
}

/** What the front needs to know about the cluster behind it. */
export interface ClusterView {
  privateApiUrl: string
  scenario: ScenarioName | undefined
  credentials: Pick<Credentials, 'tokens' | 'sessionKey' | 'signIn'>
  signInStore?: SignInStore
  plugins?: Partial<Record<PluginSetting, PluginConfig>>
  /** Human-readable reason why the cluster does not respond; `undefined` while it does. */
  unavailable?: () => string | undefined
}

export interface Front {
  url: string
  /** URL of the console in browsers. */
  consoleUrl: string
  signInUrl: string
  /** Ends every open watch and log stream, so that clients notice. */
  closeStreams(): void
  close(): Promise<void>
}

/** Starts the parts that face the browser: the sign-in provider, and the gateway with the console. @throws StartError */
export async function startFront(
  { port, signInPort, assets, renderMs, publicOrigins, log }: FrontOptions,
  { privateApiUrl, scenario, credentials, signInStore, plugins, unavailable }: ClusterView,
): Promise<Front> {
  const running = new Running()
  try {
    // Known once the gateway listens; no browser can return to it earlier.
    let origins = publicOrigins ?? []
    const signIn = await startSignInProvider({
      host,
      port: signInPort,
      users: describedUsers(scenario),
      clientId,
      secrets: credentials.signIn,
      store: signInStore,
      redirectOrigins: () => origins,
    }).catch(portFailure(signInPort, '--sign-in-port'))
    running.add(() => signIn.close())

    const gateway = await createGateway({
      version: version(),
      host,
      port,
      publicOrigins,
      kubernetes: {
        access: { url: privateApiUrl, token: credentials.tokens.gateway ?? '' },
        as: 'impersonate',
        namespaceSelector: formatLabelSelector({ matchLabels: tenantLabels }),
        unavailable,
      },
      ...plugins,
      assets,
      renderMs,
      log,
      session: { keys: [Buffer.from(credentials.sessionKey, 'base64url')] },
      signIn: { oidc: { issuer: signIn.issuer, clientId, clientSecret: credentials.signIn.clientSecret } },
    })
    running.add(() => gateway.close())
    const url = await gateway.listen({ host, port }).catch(portFailure(port, '--port'))
    // Before the cluster gets busy and responds late.
    await gateway.pluginsProbed()
    origins = publicOrigins ?? [url, url.replace(host, 'localhost')]
    return {
      url,
      consoleUrl: publicOrigins?.[0] ?? url,
      signInUrl: signIn.issuer,
      closeStreams: () => gateway.closeStreams(),
      close: () => running.close(),
    }
  } catch (error) {
    await running.close()
    throw error
  }
}
