import type { PluginConfig } from '@slipway/gateway/config'
import { join } from 'node:path'
import { Running } from './running'
import { assertConsoleIsBuilt, describe, type RunningSlipway } from './running-slipway'
import type { StartOptions } from './start'
import { superviseCluster, type SupervisorOptions } from './supervisor'

export interface SupervisedSlipway extends RunningSlipway {
  /** The process of the cluster, as it is now. */
  clusterPid(): number | undefined
  /** Rejects with a StartError when the cluster was not started again any more. */
  failed: Promise<never>
}

/**
 * Starts the cluster in a process of its own, and the sign-in provider and the gateway in this one: when the cluster
 * ends, sessions and pages stay, say so, and go on with the next one.
 * @throws StartError for what the person who starts it can put right
 */
export async function startSupervised(
  options: StartOptions & Pick<SupervisorOptions, 'stdout' | 'stderr'>,
): Promise<SupervisedSlipway> {
  assertConsoleIsBuilt(options)
  const { port, signInPort, assets, publicOrigins, log, ...services } = options
  const running = new Running()
  let closeStreams = () => {}
  try {
    // While the cluster starts on another core, what faces the browser is loaded.
    const [cluster, { startFront }, { openSignInStore }] = await Promise.all([
      superviseCluster({ ...services, onLost: () => closeStreams() }),
      import('./front'),
      import('./sign-in/store'),
    ])
    running.add(() => cluster.close())
    const { addresses, unavailable } = cluster
    const plugin = (url: string | undefined): PluginConfig | undefined =>
      url === undefined ? undefined : { url, token: () => cluster.readerToken() }
    const front = await startFront(
      { port, signInPort, assets, publicOrigins, log },
      {
        ...addresses,
        signInStore:
          options.data === undefined ? undefined : await openSignInStore({ path: join(options.data, 'sign-in.json') }),
        plugins: {
          kubeArchive: plugin(addresses.archive.kubeArchive),
          tektonResults: plugin(addresses.archive.tektonResults),
        },
        unavailable,
      },
    )
    running.add(() => front.close())
    closeStreams = front.closeStreams
    await cluster.begin(front.consoleUrl)
    const slipway = describe(front, addresses, () => running.close())
    return { ...slipway, clusterPid: cluster.pid, failed: cluster.failed }
  } catch (error) {
    await running.close()
    throw error
  }
}
