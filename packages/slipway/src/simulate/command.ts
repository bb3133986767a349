import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { retryingFetch } from '@slipway/kube/retry-after'
import { ApiError } from '@slipway/kube/status'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { customResourceDefinitions, platformObjects } from '@slipway/model/platform-objects'
import { createScenario, scenarioOf } from '@slipway/simulator/create-scenario'
import { objectsOfPlatform } from '@slipway/simulator/platform-version'
import { createPodLogs } from '@slipway/simulator/pod-logs'
import { scenarioNames, scenarioSummaries, type ScenarioName } from '@slipway/simulator/scenario-names'
import { stringify } from 'yaml'
import { applyObjects } from '../apply'
import { StartError, toStartError } from '../start-error'
import { ownerOf, type Owner } from '../gateway/owner'
import type { FlagsOf } from '../flags'
import { host } from '../host'
import { openKubeconfig } from '../kubeconfig-access'
import { startGitHost, startSimulation } from '../simulation'
import { portFailure } from '../port-failure'
import { Running } from '../running'
import { terminalLog } from '../terminal-log'
import { emails } from '../users'
import { simulateOptions, type SimulateOptions } from './options'
import { missingPermissions, simulateRole } from './rights'
import { untilServed } from './served'

export interface RunningSimulation {
  gitHostUrl: string
  /** Scenario of the cluster; `undefined` if it only has existing objects. */
  scenario: ScenarioName | undefined
  close(): Promise<void>
}

interface Environment {
  env: NodeJS.ProcessEnv
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/** User agent in audit logs. */
export const userAgent = 'slipway-simulate'

/** The controllers work sequentially: one call without a response must not block them for a minute. */
const timeoutMs = 30_000

/**
 * Runs `slipway simulate`.
 * @returns `undefined` if only the role was requested
 * @throws StartError with a message that says what to change
 */
export async function simulateCommand(
  flags: FlagsOf<'simulate'>,
  environment: Environment,
): Promise<RunningSimulation | undefined> {
  const { env, stdout, stderr } = environment
  if (flags.isOn('print-role')) {
    stdout.write(stringify(simulateRole, { aliasDuplicateObjects: false }))
    return undefined
  }
  const options = simulateOptions(flags, env)
  const log = terminalLog(stderr, 'error')
  const owner = await ownerOf(options, env, log).catch((error: unknown) => {
    throw toStartError(error)
  })
  const running = new Running()
  try {
    const { fetch, close } = await openKubeconfig(options, { env, log, firstByteMs: timeoutMs })
    running.add(close)
    const client = createKubeClient({
      baseUrl: '',
      fetch: retryingFetch(fetch),
      probeUrl: '/version',
      timeoutMs,
      headers: { 'user-agent': userAgent },
    })
    const logs = createPodLogs(client)
    await assertUsable(client, owner)
    const print = (line: string) => void stdout.write(`${line}\n`)
    const scenario = await scenarioFor(client, options.scenario)

    print(`Installing the platform on ${owner.context} (${owner.server})`)
    const { gitPort, consoleUrl, speed, platform } = options
    await applyObjects(client, objectsOfPlatform(platform, platformObjects()))
    await untilServed(client, objectsOfPlatform(platform, customResourceDefinitions))

    const access = { client, close: () => {} }
    const gitHost = await startGitHost(access, client, { host, port: gitPort }).catch(
      portFailure(gitPort, '--git-port'),
    )
    running.add(() => gitHost.close())
    if (scenario) {
      print(`Creating the scenario ${scenario}, unless it exists`)
      await createScenario(scenario, {
        client,
        logs,
        users: emails,
        gitHostUrl: gitHost.url,
        consoleUrl,
        platform,
        now: Date.now,
      })
    }
    const simulation = startSimulation(access, { logs, speed, consoleUrl, platform, hasArchive: false })
    running.add(() => simulation.close())
    await simulation.synced
    stdout.write(readyText(options, owner, scenario, gitHost.url))
    return { gitHostUrl: gitHost.url, scenario, close: () => running.close() }
  } catch (error) {
    await running.close()
    throw error
  }
}

const maxNamedPermissions = 3

/** @throws StartError if the cluster does not respond, or the user of the kubeconfig lacks permissions */
async function assertUsable(client: KubeClient, { user, server }: Owner): Promise<void> {
  const missing = await missingPermissions(client, simulateRole).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new StartError(`The cluster at ${server} cannot be used: ${reason}`)
  })
  if (missing.length === 0) return
  const rest = missing.length - maxNamedPermissions
  const named = missing.slice(0, maxNamedPermissions).join(', ')
  throw new StartError(
    `${user} lacks permissions that the simulator needs (${named}${rest > 0 ? ` and ${rest} more` : ''}). ` +
      'Bind the ClusterRole that slipway simulate --print-role prints, or cluster-admin.',
  )
}

/**
 * The scenario of the cluster: an existing or requested one, or else `demo` unless the cluster has its own teams.
 * @throws StartError if the cluster has a different scenario than the requested one
 */
async function scenarioFor(
  client: KubeClient,
  requested: SimulateOptions['scenario'],
): Promise<ScenarioName | undefined> {
  const known = await scenarioOf(client)
  if (requested === 'none') return undefined
  if (known !== undefined) {
    if (requested === undefined || requested === known) return scenarioNames.find((each) => each === known)
    throw new StartError(
      `The cluster already has the scenario ${known}. Omit --scenario to continue it, or use another cluster.`,
    )
  }
  if (requested !== undefined) return requested
  const { items } = await client.list(namespaceType, { labels: { matchLabels: tenantLabels }, limit: 1 })
  return items.length === 0 ? 'demo' : undefined
}

const readyText = (
  { speed, consoleUrl, kubeconfig }: SimulateOptions,
  { context, server, user }: Owner,
  scenario: ScenarioName | undefined,
  gitHostUrl: string,
): string => `
The simulator is running.

  Cluster     ${context} (${server}), as ${user}
  Scenario    ${scenario ? `${scenario}: ${scenarioSummaries[scenario]}` : 'none: existing objects only'}
  Speed       ${speed === 1 ? 'real time' : `${speed} times as fast as real time`}
  Git host    ${gitHostUrl}
  Console     ${consoleUrl}, by slipway gateway --kubeconfig ${kubeconfig} --context ${context}

  Press Ctrl-C to stop. The next start continues.
`
