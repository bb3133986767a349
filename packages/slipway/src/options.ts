import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { scenarioNames, scenarioSummaries, type ScenarioName } from '@slipway/simulator/scenario-names'
import { StartError } from './start-error'

export interface Options {
  port: number
  apiPort: number
  signInPort: number
  gitPort: number
  /** Initial content of the cluster; by default the existing content, or else `demo`. */
  scenario?: ScenarioName
  /** How many times faster than real time to simulate. */
  speed: number
  /** Whether to simulate activity. */
  simulator: boolean
  archive: ArchiveChoice
  /** Whether the port of the Kubernetes API also accepts plain HTTP, including bearer tokens. */
  plainHttp: boolean
  /** Origins of the console in browsers, if it is behind a proxy. */
  publicOrigins?: string[]
  /** Absolute path of the data folder. */
  data: string
  fresh: boolean
  help: boolean
}

/** Which APIs of the archive to serve. */
const archiveChoices = ['none', 'kubearchive', 'results', 'both'] as const
export type ArchiveChoice = (typeof archiveChoices)[number]

export const help = `Usage: npm start -- [options]

  --port <number>           port of the console (SLIPWAY_PORT, 8080)
  --api-port <number>       port of the Kubernetes API (SLIPWAY_API_PORT, 8081)
  --sign-in-port <number>   port of the sign-in page (SLIPWAY_SIGN_IN_PORT, 8082)
  --git-port <number>       port of the simulated git host (SLIPWAY_GIT_PORT, 8083)
  --scenario <name>         initial content of an empty data folder (SLIPWAY_SCENARIO, demo); large
                            takes a while to create:
${scenarioNames.map((name) => `                              ${name.padEnd(8)}${scenarioSummaries[name]}`).join('\n')}
  --simulator <on|off>      whether to simulate builds, tests and releases (SLIPWAY_SIMULATOR, on)
  --speed <number>          how many times faster than real time to simulate (SLIPWAY_SPEED, 1)
  --archive <name>          archive backends for deleted objects: none, kubearchive, results or both
                            (SLIPWAY_ARCHIVE, both)
  --plain-http <on|off>     whether the Kubernetes API also accepts plain HTTP, which sends tokens
                            unencrypted (SLIPWAY_PLAIN_HTTP, off)
  --public-origin <origin>  URL of the console in browsers, if behind a proxy; may be repeated
  --data <folder>           folder for all data (SLIPWAY_DATA, .slipway)
  --fresh                   start with an empty data folder
  --help                    show this help

Other commands: gateway (serves the console for your own cluster), simulate (runs the simulator on your own
cluster), doctor (checks a data folder and salvages a damaged one). Each has a --help.
`

/**
 * Parses the options. A flag takes precedence over its environment variable; port 0 means any free port.
 * @throws StartError for invalid options
 */
export function parseOptions(argv: string[], env: Environment, folder: string): Options {
  const flags = flagsOf(argv)
  const port = portOf('--port', flags.port, 'SLIPWAY_PORT', env, 8080)
  const apiPort = portOf('--api-port', flags['api-port'], 'SLIPWAY_API_PORT', env, 8081)
  const signInPort = portOf('--sign-in-port', flags['sign-in-port'], 'SLIPWAY_SIGN_IN_PORT', env, 8082)
  const gitPort = portOf('--git-port', flags['git-port'], 'SLIPWAY_GIT_PORT', env, 8083)
  assertDistinctPorts([
    { what: 'The console', flag: '--port', port },
    { what: 'the Kubernetes API', flag: '--api-port', port: apiPort },
    { what: 'the sign-in page', flag: '--sign-in-port', port: signInPort },
    { what: 'the git host', flag: '--git-port', port: gitPort },
  ])
  const data = flags.data ?? (env.SLIPWAY_DATA || '.slipway')
  if (!data) throw new StartError('--data requires a folder.')
  return {
    port,
    apiPort,
    signInPort,
    gitPort,
    scenario: choiceOf('--scenario', flags.scenario, 'SLIPWAY_SCENARIO', env, scenarioNames),
    speed: speedOf(flags.speed, env),
    simulator: choiceOf('--simulator', flags.simulator, 'SLIPWAY_SIMULATOR', env, ['on', 'off']) !== 'off',
    archive: choiceOf('--archive', flags.archive, 'SLIPWAY_ARCHIVE', env, archiveChoices) ?? 'both',
    plainHttp: choiceOf('--plain-http', flags['plain-http'], 'SLIPWAY_PLAIN_HTTP', env, ['on', 'off']) === 'on',
    publicOrigins: flags['public-origin']?.map(originOf),
    data: resolve(folder, data),
    fresh: flags.fresh ?? false,
    help: flags.help ?? false,
  }
}

function flagsOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        'api-port': { type: 'string' },
        'sign-in-port': { type: 'string' },
        'git-port': { type: 'string' },
        scenario: { type: 'string' },
        speed: { type: 'string' },
        simulator: { type: 'string' },
        archive: { type: 'string' },
        'plain-http': { type: 'string' },
        'public-origin': { type: 'string', multiple: true },
        data: { type: 'string' },
        fresh: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw flagFailure(error, '--help')
  }
}

/** Error for flags that `parseArgs` rejects. Its first sentence names the flag; the rest does not apply here. */
export function flagFailure(error: unknown, help: string): StartError {
  const reason = error instanceof Error ? error.message.split(/\.\s|\n/)[0] : String(error)
  return new StartError(`${reason?.replace(/\.$/, '')}. See ${help} for all options.`)
}

function assertDistinctPorts(listeners: { what: string; flag: string; port: number }[]) {
  for (const [index, one] of listeners.entries()) {
    const other = listeners.slice(index + 1).find(({ port }) => port === one.port && port !== 0)
    if (!other) continue
    const what = `${one.what.replace(/^t/, 'T')} and ${other.what}`
    throw new StartError(
      `${what} cannot both listen on port ${one.port}. Choose another port with ${one.flag} or ${other.flag}.`,
    )
  }
}

function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : undefined
  if (origin === text) return origin
  throw new StartError(`--public-origin must be an origin such as http://localhost:8080, not "${text}".`)
}

export type Environment = Record<string, string | undefined>

/** @returns `undefined` if neither the flag nor the variable is set */
export function choiceOf<T extends string>(
  flag: string,
  value: string | undefined,
  variable: string,
  env: Environment,
  choices: readonly T[],
): T | undefined {
  const [source, text] = value === undefined ? [variable, env[variable]] : [flag, value]
  if (value === undefined && !text) return undefined
  const choice = choices.find((each) => each === text)
  if (choice) return choice
  throw new StartError(`${source} must be one of ${choices.join(', ')}, not "${text}".`)
}

/** At a higher speed, timers would no longer fire in a realistic order. */
const maxSpeed = 1_000

export function speedOf(value: string | undefined, env: Environment): number {
  const [source, text] = value === undefined ? ['SLIPWAY_SPEED', env.SLIPWAY_SPEED] : ['--speed', value]
  if (value === undefined && !text) return 1
  const speed = Number(text)
  if (/^\d+(\.\d+)?$/.test(text ?? '') && speed > 0 && speed <= maxSpeed) return speed
  throw new StartError(`${source} must be a number above 0 and at most ${maxSpeed}, not "${text}".`)
}

export function portOf(
  flag: string,
  value: string | undefined,
  variable: string,
  env: Environment,
  fallback: number,
): number {
  const [source, text] = value === undefined ? [variable, env[variable]] : [flag, value]
  if (value === undefined && !text) return fallback
  const port = Number(text)
  if (!/^\d+$/.test(text ?? '') || port > 65_535) {
    throw new StartError(`${source} must be a port number from 0 to 65535, not "${text}".`)
  }
  return port
}
