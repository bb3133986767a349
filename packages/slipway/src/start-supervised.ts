import { join } from 'node:path'
import type { PluginConfig } from '@slipway/gateway/upstreams/settings'
import type { ScenarioName } from '@slipway/simulator/scenario-names'
import type { ReaderTokens } from './cluster-messages'
import { Running } from './running'
import { assertConsoleIsBuilt, describe, type RunningSlipway } from './running-slipway'
import type { StartOptions } from './start'
import type { StartProgress } from './start-progress'
import { superviseCluster, type SupervisorOptions } from './supervisor'

export interface SupervisedSlipway extends RunningSlipway {
  /** Pid of the current cluster process. */
  clusterPid(): number | undefined
  /** Rejects with a StartError once the supervisor stops restarting the cluster. */
  failed: Promise<never>
}

/**
 * Starts the cluster in a separate process, and the sign-in provider and the gateway in this one. If the cluster stops,
 * sessions and pages survive, show that, and continue with the restarted cluster.
 * @throws StartError for problems that the user can fix
 */
export async function startSupervised(
  options: StartOptions & Pick<SupervisorOptions, 'stdout' | 'stderr'> & { progress: StartProgress },
): Promise<SupervisedSlipway> {
  assertConsoleIsBuilt(options)
  const { port, signInPort, assets, renderMs, publicOrigins, log, progress, ...services } = options
  const running = new Running()
  let closeStreams = () => {}
  try {
    // Load the browser-facing parts while the cluster starts on another core.
    const [cluster, { startFront }, { openSignInStore }] = await progress.step('Starting the cluster', () =>
      Promise.all([
        superviseCluster({ ...services, onLost: () => closeStreams() }),
        import('./front'),
        import('./sign-in/store'),
      ]),
    )
    running.add(() => cluster.close())
    const { addresses, unavailable } = cluster
    const plugin = (service: keyof ReaderTokens, url: string | undefined): PluginConfig | undefined =>
      url === undefined ? undefined : { url, token: () => cluster.readerToken(service) }
    const signInStore =
      options.data === undefined ? undefined : await openSignInStore({ path: join(options.data, 'sign-in.json') })
    const plugins = {
      kubeArchive: plugin('archive', addresses.archive.kubeArchive),
      tektonResults: plugin('archive', addresses.archive.tektonResults),
      views: plugin('views', addresses.views),
    }
    const front = await progress.step('Starting sign-in and the console', () =>
      startFront(
        { port, signInPort, assets, renderMs, publicOrigins, log },
        { ...addresses, signInStore, plugins, unavailable },
      ),
    )
    running.add(() => front.close())
    closeStreams = front.closeStreams
    await progress.step(contentStep(addresses.scenario), () => cluster.begin(front.consoleUrl))
    const slipway = describe(front, addresses, () => running.close())
    return { ...slipway, clusterPid: cluster.pid, failed: cluster.failed }
  } catch (error) {
    await running.close()
    throw error
  }
}

const contentStep = (scenario: ScenarioName | undefined): string =>
  scenario ? `Preparing the scenario ${scenario}` : 'Opening the content of the cluster'
