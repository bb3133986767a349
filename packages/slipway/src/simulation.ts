import { listen, type Listener } from '@slipway/apiserver/node/listen'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { ignoreMissing } from '@slipway/kube/status'
import { allControllers } from '@slipway/simulator/controllers'
import { createGitHost } from '@slipway/simulator/git-host/git-host'
import { addressAnnotation, gitHostNamespace } from '@slipway/simulator/git-host/store'
import type { PlatformVersion } from '@slipway/simulator/platform-version'
import type { PodLogs } from '@slipway/simulator/pod-logs'
import { simulatorRules } from '@slipway/simulator/roles'
import { createSimulator } from '@slipway/simulator/simulator'
import { accountObjects } from './account-objects'
import { applyObjects } from './apply'
import { clientWith, serviceAccountToken } from './service-account'
import { partLog } from './terminal-log'

const account = { namespace: 'slipway-simulator', name: 'simulator' }

/** A client for the simulator, over the network and with its own account, as in any cluster. */
export interface SimulatorCredentials {
  client: KubeClient
  close(): void
}

export async function simulatorAccessTo(apiUrl: string, system: KubeClient): Promise<SimulatorCredentials> {
  await applyObjects(system, accountObjects(account, 'slipway-simulator', simulatorRules))
  const token = await serviceAccountToken({ system, ...account })
  return { client: clientWith(apiUrl, token), close: () => token.close() }
}

/** Starts the simulated git host, to which the links of builds lead from then on. */
export async function startGitHost(
  { client }: SimulatorCredentials,
  system: KubeClient,
  at: { host: string; port: number },
): Promise<Listener> {
  // Known once it listens; no request arrives earlier.
  let origins: string[] = []
  const listener = await listen({ fetch: createGitHost({ client, now: Date.now, origins: () => origins }) }, at)
  origins = [listener.url, `http://localhost:${listener.port}`]
  await publishAddress(system, listener.url)
  return listener
}

async function publishAddress(system: KubeClient, address: string): Promise<void> {
  const annotations = { [addressAnnotation]: address }
  const known = await system.get(namespaceType, gitHostNamespace).catch(ignoreMissing)
  if (!known) return void (await system.create(namespaceType, { metadata: { name: gitHostNamespace, annotations } }))
  await system.patch(namespaceType, gitHostNamespace, { metadata: { annotations } })
}

interface SimulationOptions {
  logs?: PodLogs
  speed: number
  /** URL of the console. */
  consoleUrl: string
  hasArchive: boolean
  /** Default: `current`. */
  platform?: PlatformVersion
  /** How long finished runs and snapshots are kept, in simulated time; default: 3 hours. */
  keepForMs?: number
}

/** Starts simulated activity. */
export const startSimulation = ({ client }: SimulatorCredentials, { speed, logs, ...options }: SimulationOptions) =>
  createSimulator({ client, controllers: allControllers(options), speed, logs, warn: partLog('simulator') })
