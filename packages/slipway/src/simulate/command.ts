import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { retryingFetch } from '@slipway/kube/retry-after'
import { ApiError } from '@slipway/kube/status'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { customResourceDefinitions, platformObjects } from '@slipway/model/platform/platform'
import { createScenario, scenarioOf } from '@slipway/simulator/create-scenario'
import { createPodLogs } from '@slipway/simulator/pod-logs'
import { scenarioNames, scenarioSummaries, type ScenarioName } from '@slipway/simulator/scenario-names'
import { stringify } from 'yaml'
import { applyObjects } from '../apply'
import { StartError } from '../start-error'
import { ownerOf, type Owner } from '../gateway/owner'
import { host } from '../host'
import { openKubeconfig } from '../kubeconfig-access'
import { startGitHost, startSimulation } from '../simulation'
import { portFailure } from '../port-failure'
import { Running } from '../running'
import { terminalLog } from '../terminal-log'
import { emails } from '../users'
import { simulateHelp, simulateOptions, type SimulateOptions } from './options'
import { missingRights, simulateRole } from './rights'
import { untilServed } from './served'

export interface RunningSimulation {
  gitHostUrl: string
  /** What the cluster has begun with; `undefined` for what was there before. */
  scenario: ScenarioName | undefined
  close(): Promise<void>
}

interface Surroundings {
  env: NodeJS.ProcessEnv
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/** As audit logs name it. */
export const userAgent = 'slipway-simulate'

/** One call without an answer must not hold up the controllers, which work one step after another, for a minute. */
const timeoutMs = 30_000

/**
 * Runs `slipway simulate`.
 * @returns nothing when only help or the role was asked for
 * @throws StartError with one sentence that says what to change
 */
export async function simulateCommand(args: string[], around: Surroundings): Promise<RunningSimulation | undefined> {
  const { env, stdout, stderr } = around
  const options = simulateOptions(args, env)
  if (options === 'help' || options === 'print role') {
    stdout.write(options === 'help' ? simulateHelp : stringify(simulateRole, { aliasDuplicateObjects: false }))
    return undefined
  }
  const log = terminalLog(stderr, 'error')
  const owner = await ownerOf(options, env, log).catch(toStartError)
  const running = new Running()
  try {
    const { kubernetes, close } = await openKubeconfig(options, { env, log, firstByteMs: timeoutMs })
    running.add(close)
    const client = createKubeClient({
      baseUrl: '',
      fetch: retryingFetch(kubernetes.fetch),
      probeUrl: '/version',
      timeoutMs,
      headers: { 'user-agent': userAgent },
    })
    const logs = createPodLogs(client)
    await assertUsable(client, owner)
    const say = (line: string) => void stdout.write(`${line}\n`)
    const scenario = await scenarioFor(client, options.scenario)

    say(`Installing the platform on ${owner.context} (${owner.server})`)
    await applyObjects(client, platformObjects())
    await untilServed(client, customResourceDefinitions)

    const { gitPort, consoleUrl, speed } = options
    const access = { client, close: () => {} }
    const gitHost = await startGitHost(access, client, { host, port: gitPort }).catch(
      portFailure(gitPort, '--git-port'),
    )
    running.add(() => gitHost.close())
    if (scenario) {
      say(`Creating the scenario ${scenario}, unless it is there`)
      await createScenario(scenario, {
        client,
        logs,
        users: emails,
        gitHostUrl: gitHost.url,
        consoleUrl,
        now: Date.now,
      })
    }
    const simulation = startSimulation(access, { logs, speed, consoleUrl, hasArchive: false })
    running.add(() => simulation.close())
    await simulation.synced
    stdout.write(readyText(options, owner, scenario, gitHost.url))
    return { gitHostUrl: gitHost.url, scenario, close: () => running.close() }
  } catch (error) {
    await running.close()
    throw error
  }
}

/** A kubeconfig is refused in one sentence, by an error without a name of its own. */
function toStartError(error: unknown): never {
  if (!(error instanceof Error) || error instanceof StartError || error.name !== 'Error') throw error
  const message = error.message.replaceAll('kubernetes.access kubeconfig', '--kubeconfig')
  throw new StartError(`${message.charAt(0).toUpperCase()}${message.slice(1)}`, { cause: error })
}

const namedRights = 3

/** @throws StartError when the cluster does not answer, or the owner of the kubeconfig may not do what is needed */
async function assertUsable(client: KubeClient, { user, server }: Owner): Promise<void> {
  const missing = await missingRights(client, simulateRole).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new StartError(`The cluster at ${server} cannot be used: ${reason}`)
  })
  if (missing.length === 0) return
  const rest = missing.length - namedRights
  const named = missing.slice(0, namedRights).join(', ')
  throw new StartError(
    `${user} may not do what the simulator does (${named}${rest > 0 ? ` and ${rest} more` : ''}); ` +
      'bind them to the ClusterRole that slipway simulate --print-role prints, or to cluster-admin.',
  )
}

/**
 * What the cluster is to have: what it was given before or what is asked for, else `demo` unless it has teams of its own.
 * @throws StartError when something else was created than what is asked for
 */
async function scenarioFor(client: KubeClient, wanted: SimulateOptions['scenario']): Promise<ScenarioName | undefined> {
  const known = await scenarioOf(client)
  if (wanted === 'none') return undefined
  if (known !== undefined) {
    if (wanted === undefined || wanted === known) return scenarioNames.find((each) => each === known)
    throw new StartError(
      `The cluster has the scenario ${known} in it; leave --scenario out to continue it, or use another cluster.`,
    )
  }
  if (wanted !== undefined) return wanted
  const { items } = await client.list(namespaceType, { labels: { matchLabels: tenantLabels }, limit: 1 })
  return items.length === 0 ? 'demo' : undefined
}

const readyText = (
  { speed, consoleUrl, kubeconfig }: SimulateOptions,
  { context, server, user }: Owner,
  scenario: ScenarioName | undefined,
  gitHostUrl: string,
): string => `
The simulator is at work.

  Cluster     ${context} (${server}), as ${user}
  Scenario    ${scenario ? `${scenario}: ${scenarioSummaries[scenario]}` : 'none: what is there already'}
  Speed       ${speed === 1 ? 'as in the real world' : `${speed} times as fast as in the real world`}
  Git host    ${gitHostUrl}
  Console     ${consoleUrl}, by slipway gateway --kubeconfig ${kubeconfig} --context ${context}

  Ctrl-C stops it; the next start continues.
`
