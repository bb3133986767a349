import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '@slipway/apiserver/node'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { StorageError } from '@slipway/apiserver/storage/storage'
import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { formatLabelSelector } from '@slipway/kube/selector'
import { ApiError } from '@slipway/kube/status'
import { tenantLabels } from '@slipway/model/namespace'
import { createScenario, scenarioOf } from '@slipway/simulator/create-scenario'
import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
import { startCluster } from './cluster'
import { historicClock } from './historic-clock'
import { completed } from './credentials'
import { describeFolderError, openDataFolder } from './data-folder'
import { StartFailure } from './failure'
import { kubeconfig } from './kubeconfig'
import { portFailure } from './port-failure'
import { simulatorAccessTo, startGitHost, startSimulation } from './living'
import type { ArchiveChoice } from './options'
import { startSignInProvider } from './sign-in/provider'
import { describedUsers, emailOf } from './users'

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
  /** Of the pages of the simulated git host. */
  gitPort: number
  /** What the cluster begins with; without it, what is there already or else `demo`. */
  scenario?: ScenarioName
  /** Whether anything happens by itself. */
  simulator?: boolean
  /** How many times faster than in the real world. */
  speed?: number
  archive?: ArchiveChoice
  /** Whether the API port takes plain HTTP too, bearer tokens included. */
  plainHttp?: boolean
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
  /** Of the Kubernetes API, over TLS. */
  apiUrl: string
  /** Of the OpenID provider that signs people in. */
  signInUrl: string
  /** Of the pages of the simulated git host. */
  gitHostUrl: string
  /** What the cluster has begun with; `undefined` if another version of this program has filled it. */
  scenario: ScenarioName | undefined
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
  const { port, apiPort, signInPort, gitPort, data, fresh = false, assets, publicOrigins, log } = options
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
    const clock = historicClock()
    const cluster = await startCluster({ storage, credentials, clock })
    running.add(() => cluster.close())
    const system = cluster.client('system')
    const scenario = await scenarioFor(system, options.scenario)

    const { certificate } = credentials
    const { plainHttp } = options
    const api = await listen(cluster.server, { host, port: apiPort, certificate, plainHttp }).catch(
      portFailure(apiPort, '--api-port'),
    )
    running.add(() => api.close())
    // For the parts of this product alone: they need no TLS on a port of which no other program knows.
    const inside = await listen(cluster.server, { host, port: 0 })
    running.add(() => inside.close())
    const kubeconfigPath = await folder?.writeKubeconfig(kubeconfig(api.url, credentials))

    // Known once the gateway listens; nobody can be on the way back to it before.
    let origins = publicOrigins ?? []
    const signIn = await startSignInProvider({
      host,
      port: signInPort,
      users: describedUsers(scenario),
      clientId,
      secrets: credentials.signIn,
      store: folder?.signInStore,
      redirectOrigins: () => origins,
    }).catch(portFailure(signInPort, '--sign-in-port'))
    running.add(() => signIn.close())

    const simulator = await simulatorAccessTo(inside.url, system)
    running.add(async () => simulator.close())
    const gitHost = await startGitHost(simulator, system, { host, port: gitPort }).catch(
      portFailure(gitPort, '--git-port'),
    )
    running.add(() => gitHost.close())

    const archive = await archiveFor(options.archive ?? 'both', {
      path: folder?.archivePath ?? ':memory:',
      apiUrl: inside.url,
      system,
    })
    if (archive) running.add(() => archive.close())

    const gateway = await createGateway({
      host,
      port,
      publicOrigins,
      kubernetes: {
        access: { url: inside.url, token: credentials.tokens.gateway ?? '' },
        as: 'impersonate',
        namespaceSelector: formatLabelSelector({ matchLabels: tenantLabels }),
      },
      ...archive?.plugins,
      assets,
      log,
      session: { keys: [Buffer.from(credentials.sessionKey, 'base64url')] },
      signIn: { oidc: { issuer: signIn.issuer, clientId, clientSecret: credentials.signIn.clientSecret } },
    })
    running.add(() => gateway.close())
    const url = await gateway.listen({ host, port }).catch(portFailure(port, '--port'))
    origins = publicOrigins ?? [url, url.replace(host, 'localhost')]

    await archive?.found()
    const consoleUrl = publicOrigins?.[0] ?? url
    if (scenario) {
      await createScenario(scenario, {
        client: system,
        archive,
        users: {
          admin: emailOf('admin'),
          maintainer: emailOf('maintainer'),
          contributor: emailOf('contributor'),
          outsider: emailOf('outsider'),
        },
        gitHostUrl: gitHost.url,
        consoleUrl,
        now: Date.now,
        inTime: clock.inTime,
      })
    }
    archive?.begin()
    if (options.simulator ?? true) {
      const hasArchive = archive !== undefined
      const simulation = startSimulation(simulator, { speed: options.speed ?? 1, consoleUrl, hasArchive })
      running.add(() => simulation.close())
    }
    const urls = { url, apiUrl: api.url, signInUrl: signIn.issuer, gitHostUrl: gitHost.url }
    return { ...urls, scenario, kubeconfigPath, system, close: () => running.close() }
  } catch (error) {
    await running.close()
    const isOfData = error instanceof StorageError || (error instanceof ApiError && error.code === 507)
    throw data !== undefined && isOfData ? describeFolderError(data, error) : error
  }
}

async function archiveFor(
  choice: ArchiveChoice,
  { path, ...parts }: { path: string; apiUrl: string; system: KubeClient },
) {
  if (choice === 'none') return undefined
  // A database of its own, which who wants none does not load.
  const [{ openArchiveStore }, { startArchive }] = await Promise.all([
    import('@slipway/archive/store/store'),
    import('./archive'),
  ])
  return startArchive({ ...parts, choice, host, store: openArchiveStore(path) })
}

/**
 * What the cluster is to begin with; `undefined` leaves it as it is, since another version of this program has filled it.
 * @throws StartFailure when something else is there than what is asked for
 */
async function scenarioFor(system: KubeClient, wanted: ScenarioName | undefined): Promise<ScenarioName | undefined> {
  const known = await scenarioOf(system)
  if (known === undefined && (await hasNoTenants(system))) return wanted ?? 'demo'
  if (wanted !== undefined && wanted !== known) {
    const what = known === undefined ? 'was filled by an earlier version of Slipway' : `has the scenario ${known} in it`
    throw new StartFailure(
      `The data folder ${what}; start with --fresh to have ${wanted}, or choose another folder with --data.`,
    )
  }
  return scenarioNames.find((each) => each === known)
}

async function hasNoTenants(system: KubeClient): Promise<boolean> {
  const { items } = await system.list(namespaceType, { labels: { matchLabels: tenantLabels }, limit: 1 })
  return items.length === 0
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
