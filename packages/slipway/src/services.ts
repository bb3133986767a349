import { listen } from '@slipway/apiserver/node'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { StorageError } from '@slipway/apiserver/storage/storage'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { createScenario, scenarioOf } from '@slipway/simulator/create-scenario'
import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
import type { RunningArchive } from './archive'
import { startCluster } from './cluster'
import { completed, type Credentials } from './credentials'
import { describeFolderError, openDataFolder } from './data-folder'
import { StartError } from './start-error'
import { runAt } from './run-at'
import { host } from './host'
import { kubeconfig } from './kubeconfig'
import { simulatorAccessTo, startGitHost, startSimulation } from './simulation'
import type { ArchiveChoice } from './options'
import { portFailure } from './port-failure'
import { Running } from './running'
import type { SignInStore } from './sign-in/store'
import { emails } from './users'

export interface ServicesOptions {
  apiPort: number
  /** Port of the pages of the simulated git host. */
  gitPort: number
  /** Ports of the archive's two APIs; any free ones by default. */
  archivePorts?: ArchivePorts
  /** What the cluster begins with; without it, what is there already or else `demo`. */
  scenario?: ScenarioName
  /** Whether anything happens by itself. */
  simulator?: boolean
  /** How many times faster than in the real world. */
  speed?: number
  archive?: ArchiveChoice
  /** Whether the API port takes plain HTTP too, bearer tokens included. */
  plainHttp?: boolean
  /** Port of the API for the parts of the product alone; any free one by default. */
  privateApiPort?: number
  /** Folder where everything is kept; without it everything is kept in memory and ends with the product. */
  data?: string
  /** Begin with an empty data folder. */
  fresh?: boolean
}

export type ArchivePorts = Partial<Record<'kubeArchive' | 'tektonResults', number>>

/** Everything behind the gateway: the API server, the simulator with its git host, and the archive. */
export interface Services {
  /** URL of the API, over TLS. */
  apiUrl: string
  /** URL of the API for the parts of the product alone, over plain HTTP. */
  privateApiUrl: string
  gitHostUrl: string
  /** What the cluster has begun with; `undefined` if another version of this program has filled it. */
  scenario: ScenarioName | undefined
  /** Absent without a data folder. */
  kubeconfigPath: string | undefined
  credentials: Credentials
  signInStore: SignInStore | undefined
  archive: RunningArchive | undefined
  /**
   * Creates the scenario and lets things happen, once the gateway is there to lead people to them.
   * @param isFirst the gateway has just started, and looks for the archive
   */
  begin(at: { consoleUrl: string; isFirst: boolean }): Promise<void>
  close(): Promise<void>
}

/** @throws StartError for what the person who starts it can put right */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { apiPort, privateApiPort = 0, gitPort, archivePorts, plainHttp, data, fresh = false } = options
  const running = new Running()
  try {
    const folder = data === undefined ? undefined : await openDataFolder(data, { fresh })
    const storage = folder?.storage ?? memoryStorage()
    running.add(async () => storage.close())
    const credentials = folder?.credentials ?? completed({})
    const clock = runAt()
    const cluster = await startCluster({ storage, credentials, clock })
    running.add(() => cluster.close())
    const system = cluster.client('system')
    const scenario = await scenarioFor(system, options.scenario)

    const { certificate } = credentials
    const api = await listen(cluster.server, { host, port: apiPort, certificate, plainHttp }).catch(
      portFailure(apiPort, '--api-port'),
    )
    running.add(() => api.close())
    // The parts of this product need no TLS on a port that no other program knows.
    const privateApi = await listen(cluster.server, { host, port: privateApiPort })
    running.add(() => privateApi.close())
    const kubeconfigPath = await folder?.writeKubeconfig(kubeconfig(api.url, credentials))

    const simulator = await simulatorAccessTo(privateApi.url, system)
    running.add(async () => simulator.close())
    const gitHost = await startGitHost(simulator, system, { host, port: gitPort }).catch(
      portFailure(gitPort, '--git-port'),
    )
    running.add(() => gitHost.close())

    const archive = await archiveFor(options.archive ?? 'both', {
      path: folder?.archivePath ?? ':memory:',
      apiUrl: privateApi.url,
      ports: archivePorts,
      system,
    })
    if (archive) running.add(() => archive.close())

    return {
      apiUrl: api.url,
      privateApiUrl: privateApi.url,
      gitHostUrl: gitHost.url,
      scenario,
      kubeconfigPath,
      credentials,
      signInStore: folder?.signInStore,
      archive,
      async begin({ consoleUrl, isFirst }) {
        if (isFirst) await archive?.found()
        if (scenario) {
          await createScenario(scenario, {
            client: system,
            archive,
            users: emails,
            gitHostUrl: gitHost.url,
            consoleUrl,
            now: Date.now,
            inTime: clock.inTime,
          }).catch((error: unknown) => {
            throw dataFolderError(data, error)
          })
        }
        archive?.begin()
        if (options.simulator ?? true) {
          const hasArchive = archive !== undefined
          const simulation = startSimulation(simulator, { speed: options.speed ?? 1, consoleUrl, hasArchive })
          running.add(() => simulation.close())
        }
      },
      close: () => running.close(),
    }
  } catch (error) {
    await running.close()
    throw dataFolderError(data, error)
  }
}

/** An error of what is stored, with what a person can do about it; any other as it is. */
const dataFolderError = (data: string | undefined, error: unknown): unknown => {
  const isOfData = error instanceof StorageError || (error instanceof ApiError && error.code === 507)
  return data !== undefined && isOfData ? describeFolderError(data, error) : error
}

async function archiveFor(
  choice: ArchiveChoice,
  { path, ...parts }: { path: string; apiUrl: string; ports: ArchivePorts | undefined; system: KubeClient },
) {
  if (choice === 'none') return undefined
  // The archive has a database of its own, which is not loaded without need.
  const [{ openArchiveStore }, { startArchive }] = await Promise.all([
    import('@slipway/archive/store/store'),
    import('./archive'),
  ])
  return startArchive({ ...parts, choice, host, store: openArchiveStore(path) })
}

/**
 * What the cluster is to begin with; `undefined` leaves it as it is, since another version of this program has filled it.
 * @throws StartError when something else is there than what is asked for
 */
async function scenarioFor(system: KubeClient, wanted: ScenarioName | undefined): Promise<ScenarioName | undefined> {
  const known = await scenarioOf(system)
  if (known === undefined && (await hasNoTenants(system))) return wanted ?? 'demo'
  if (wanted !== undefined && wanted !== known) {
    const what = known === undefined ? 'was filled by an earlier version of Slipway' : `has the scenario ${known} in it`
    throw new StartError(
      `The data folder ${what}; start with --fresh to have ${wanted}, or choose another folder with --data.`,
    )
  }
  return scenarioNames.find((each) => each === known)
}

async function hasNoTenants(system: KubeClient): Promise<boolean> {
  const { items } = await system.list(namespaceType, { labels: { matchLabels: tenantLabels }, limit: 1 })
  return items.length === 0
}
