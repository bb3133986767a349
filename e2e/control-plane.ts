import { createKubeClient } from '@slipway/kube/client'
import { retryingFetch } from '@slipway/kube/retry-after'
import { customResourceDefinitions, platformObjects } from '@slipway/model/platform-objects'
import { createPodLogs } from '@slipway/simulator/pod-logs'
import { applyObjects } from '@slipway/slipway/apply'
import { completeCredentials } from '@slipway/slipway/credentials'
import { startFront, type FrontOptions } from '@slipway/slipway/front'
import { gatewayAccess } from '@slipway/slipway/gateway-access'
import { host } from '@slipway/slipway/host'
import { startGitHost, startSimulation } from '@slipway/slipway/simulation'
import { Running } from '@slipway/slipway/running'
import { untilServed } from '@slipway/slipway/simulate/served'
import type { RunningSlipway, StartOptions } from '@slipway/slipway/start'
import { startViews } from '@slipway/slipway/views'
import { users } from '@slipway/slipway/users'

/** The control plane started by `npm run test:cluster`; `undefined` if journeys use the embedded one. */
export function controlPlane() {
  const {
    CONTROL_PLANE_URL: url,
    CONTROL_PLANE_TOKEN: token,
    CONTROL_PLANE_GATEWAY_TOKEN: gatewayToken,
    NODE_EXTRA_CA_CERTS: caPath,
  } = process.env
  return url && token && gatewayToken && caPath ? { url, token, gatewayToken, caPath } : undefined
}

type ControlPlane = NonNullable<ReturnType<typeof controlPlane>>

/** A kubeconfig with a context for each built-in user, whom the administrator of the control plane impersonates. */
export const kubeconfigFor = ({ url, token, caPath }: ControlPlane): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'control-plane', cluster: { server: url, 'certificate-authority': caPath } }],
    users: users.map(({ name, email }) => ({ name, user: { token, as: email } })),
    contexts: users.map(({ name }) => ({ name, context: { cluster: 'control-plane', user: name } })),
  })

/**
 * Starts what `startSlipway` starts, with a real API server instead of the embedded one. The platform is installed
 * there, and the gateway has its own account, with which it impersonates users.
 */
export async function startOnControlPlane(
  { url, token, gatewayToken }: ControlPlane,
  {
    simulator,
    speed = 1,
    views: hasViews,
    ...options
  }: Pick<StartOptions, 'simulator' | 'speed' | 'views' | keyof FrontOptions>,
): Promise<RunningSlipway> {
  const running = new Running()
  const headers = { authorization: `Bearer ${token}` }
  const system = createKubeClient({ baseUrl: url, headers, fetch: retryingFetch(fetch) })
  await applyObjects(system, [...platformObjects(), ...gatewayAccess])
  await untilServed(system, customResourceDefinitions)
  const { sessionKey, signIn } = completeCredentials({})
  const credentials = { tokens: { gateway: gatewayToken }, sessionKey, signIn }
  const views = hasViews ? await startViews({ apiUrl: url, system, host }) : undefined
  if (views) running.add(() => views.close())
  const plugins = { views: views?.plugin }
  const front = await startFront(options, { privateApiUrl: url, scenario: 'empty', credentials, plugins })
  running.add(() => front.close())
  const access = { client: system, close: () => {} }
  const gitHost = await startGitHost(access, system, { host, port: 0 })
  running.add(() => gitHost.close())
  if (simulator) {
    const { consoleUrl } = front
    const simulation = startSimulation(access, { logs: createPodLogs(system), speed, consoleUrl, hasArchive: false })
    running.add(() => simulation.close())
    await simulation.synced
  }
  return {
    url: front.url,
    apiUrl: url,
    signInUrl: front.signInUrl,
    gitHostUrl: gitHost.url,
    scenario: 'empty',
    kubeconfigPath: undefined,
    system,
    close: () => running.close(),
  }
}
