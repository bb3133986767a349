import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { StorageError } from '@slipway/apiserver/storage/storage'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import type { GroupLayout } from '@slipway/model/group-layout'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { createScenario, scenarioOf } from '@slipway/simulator/create-scenario'
import type { PlatformVersion } from '@slipway/simulator/platform-version'
import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
import type { RunningArchive } from './archive'
import { startCluster } from './cluster'
import { completeCredentials, type Credentials } from './credentials'
import { describeFolderError, openDataFolder } from './data-folder'
import { StartError } from './start-error'
import { runAt } from './run-at'
import { host } from './host'
import { kubeconfig } from './kubeconfig'
import { simulatorAccessTo, startGitHost, startSimulation } from './simulation'
import { type ArchiveChoice, defaultArchive } from './options'
import { portFailure } from './port-failure'
import { defaultRetention, type Retention } from './retention'
import { Running } from './running'
import type { SignInStore } from './sign-in/store'
import { emails } from './users'
import type { RunningViews } from './views'

export interface ServicesOptions {
  apiPort: number
  /** Port of the simulated git host. */
  gitPort: number
  /** Ports of the archive's two APIs; any free ports by default. */
  archivePorts?: ArchivePorts
  /** Initial content of the cluster; by default the existing content, or else `demo`. */
  scenario?: ScenarioName
  /** Whether to simulate activity. */
  simulator?: boolean
  /** How many times faster than real time to simulate. */
  speed?: number
  /** Which state of the platform's services is simulated; default: `current`. */
  platform?: PlatformVersion
  archive?: ArchiveChoice
  /** Whether to serve list views; `true` by default. */
  views?: boolean
  /** Port of the service for list views; any free port by default. */
  viewsPort?: number
  /** How much history is kept. */
  retention?: Retention
  /** Whether the API port also accepts plain HTTP, including bearer tokens. */
  plainHttp?: boolean
  /** API port for internal use by the product; any free port by default. */
  privateApiPort?: number
  /** Folder for all data; without it, data stays in memory and is lost at the end. */
  data?: string
  /** Start with an empty data folder. */
  fresh?: boolean
  /** The groups of the kinds of the product; `old` by default. Others are for tests: the simulator writes in the old one. */
  groups?: GroupLayout
}

export type ArchivePorts = Partial<Record<'kubeArchive' | 'tektonResults', number>>

/** Everything behind the gateway: the API server, the simulator with its git host, the archive and the list views. */
export interface Services {
  /** URL of the API, over TLS. */
  apiUrl: string
  /** URL of the API for internal use by the product, over plain HTTP. */
  privateApiUrl: string
  gitHostUrl: string
  /** Scenario of the cluster; `undefined` if another version of Slipway created it. */
  scenario: ScenarioName | undefined
  /** Absent without a data folder. */
  kubeconfigPath: string | undefined
  credentials: Credentials
  signInStore: SignInStore | undefined
  archive: RunningArchive | undefined
  views: RunningViews | undefined
  /** Creates the scenario and starts the simulation. Called once the gateway is running, since links lead to it. */
  begin(at: { consoleUrl: string }): Promise<void>
  close(): Promise<void>
}

/** @throws StartError for problems that the user can fix */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { apiPort, privateApiPort = 0, gitPort, archivePorts, plainHttp, data, fresh = false } = options
  const running = new Running()
  try {
    const folder = data === undefined ? undefined : await openDataFolder(data, { fresh })
    const storage = folder?.storage ?? memoryStorage()
    running.add(async () => storage.close())
    const credentials = folder?.credentials ?? completeCredentials({})
    const clock = runAt()
    const { retention = defaultRetention, speed = 1, platform } = options
    const eventTtlMs = (retention.eventMinutes * 60_000) / speed
    const cluster = await startCluster({ storage, credentials, clock, eventTtlMs, groups: options.groups, platform })
    running.add(() => cluster.close())
    const system = cluster.client('system')
    const scenario = await scenarioFor(system, options.scenario)

    const { certificate } = credentials
    const api = await listen(cluster.server, { host, port: apiPort, certificate, plainHttp }).catch(
      portFailure(apiPort, '--api-port'),
    )
    running.add(() => api.close())
    // The product's own parts need no TLS on a port that no other program knows.
    const privateApi = await listen(cluster.server, { host, port: privateApiPort })
    running.add(() => privateApi.close())
    const kubeconfigPath = await folder?.writeKubeconfig(kubeconfig(api.url, credentials))

    const simulator = await simulatorAccessTo(privateApi.url, system)
    running.add(async () => simulator.close())
    const gitHost = await startGitHost(simulator, system, { host, port: gitPort }).catch(
      portFailure(gitPort, '--git-port'),
    )
    running.add(() => gitHost.close())

    const archive = await archiveFor(options.archive ?? defaultArchive, {
      path: folder?.archivePath ?? ':memory:',
      apiUrl: privateApi.url,
      ports: archivePorts,
      system,
      maxDays: retention.archiveDays,
      maxMegabytes: retention.archiveMegabytes,
    })
    if (archive) running.add(() => archive.close())
    const views =
      (options.views ?? true)
        ? await import('./views').then(({ startViews }) =>
            startViews({ apiUrl: privateApi.url, system, host, port: options.viewsPort }),
          )
        : undefined
    if (views) running.add(() => views.close())

    return {
      apiUrl: api.url,
      privateApiUrl: privateApi.url,
      gitHostUrl: gitHost.url,
      scenario,
      kubeconfigPath,
      credentials,
      signInStore: folder?.signInStore,
      archive,
      views,
      async begin({ consoleUrl }) {
        if (scenario) {
          await createScenario(scenario, {
            client: system,
            archive,
            users: emails,
            gitHostUrl: gitHost.url,
            consoleUrl,
            platform,
            hasTour: true,
            now: Date.now,
            inTime: clock.inTime,
          }).catch((error: unknown) => {
            throw dataFolderError(data, error)
          })
        }
        archive?.begin()
        if (options.simulator ?? true) {
          const hasArchive = archive !== undefined
          const keepForMs = retention.keepHours * 3_600_000
          const simulation = startSimulation(simulator, { speed, consoleUrl, hasArchive, keepForMs, platform })
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

/** Adds what the user can do to an error of the data folder; returns other errors unchanged. */
const dataFolderError = (data: string | undefined, error: unknown): unknown => {
  const isStorageError = error instanceof StorageError || (error instanceof ApiError && error.code === 507)
  return data !== undefined && isStorageError ? describeFolderError(data, error) : error
}

async function archiveFor(
  choice: ArchiveChoice,
  {
    path,
    ...parts
  }: {
    path: string
    apiUrl: string
    ports: ArchivePorts | undefined
    system: KubeClient
    maxDays: number
    maxMegabytes: number
  },
) {
  if (choice === 'none') return undefined
  // The archive's database is loaded only if needed.
  const [{ openArchiveStore }, { startArchive }] = await Promise.all([
    import('@slipway/archive/store/store'),
    import('./archive'),
  ])
  return startArchive({ ...parts, choice, host, store: openArchiveStore(path) })
}

/**
 * The scenario of the cluster; `undefined` leaves it unchanged, since another version of Slipway created its content.
 * @throws StartError if the cluster contains a different scenario than the requested one
 */
async function scenarioFor(system: KubeClient, requested: ScenarioName | undefined): Promise<ScenarioName | undefined> {
  const known = await scenarioOf(system)
  if (known === undefined && (await hasNoTenants(system))) return requested ?? 'demo'
  if (requested !== undefined && requested !== known) {
    const what =
      known === undefined ? 'was filled by an earlier version of Slipway' : `already has the scenario ${known}`
    throw new StartError(
      `The data folder ${what}. Start with --fresh to create ${requested}, or choose another folder with --data.`,
    )
  }
  return scenarioNames.find((each) => each === known)
}

async function hasNoTenants(system: KubeClient): Promise<boolean> {
  const { items } = await system.list(namespaceType, { labels: { matchLabels: tenantLabels }, limit: 1 })
  return items.length === 0
}
