import { parseArgs } from 'node:util'
import { scenarioNames, scenarioSummaries, type ScenarioName } from '@slipway/simulator/scenario-names'
import { StartError } from '../start-error'
import { choiceOf, flagFailure, portOf, speedOf, type Environment } from '../options'

export interface SimulateOptions {
  kubeconfig: string
  context: string | undefined
  /** Scenario to create, once; `none` leaves the cluster unchanged. Without it, the content of the cluster decides. */
  scenario: ScenarioName | 'none' | undefined
  /** How many times faster than real time to simulate. */
  speed: number
  gitPort: number
  /** URL of the console, without a trailing slash. */
  consoleUrl: string
}

const flags = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  scenario: { type: 'string' },
  speed: { type: 'string' },
  'git-port': { type: 'string' },
  'console-url': { type: 'string' },
  'print-role': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Names of all flags without the dashes. */
export const flagNames: readonly string[] = Object.keys(flags)

export const simulateHelp = `Usage: slipway simulate --kubeconfig <file> [options]

Simulates activity on a Kubernetes cluster: installs the platform's definitions, roles and config maps, creates
a scenario, and simulates its services and users until Ctrl-C. The next start continues. Nothing runs
in the pods that it creates, and they are never scheduled. Do not use it where such services already run.

  --kubeconfig <file>     a kubeconfig, or several as in KUBECONFIG; exec plugins are supported
                          (SLIPWAY_KUBECONFIG, KUBECONFIG)
  --context <name>        context of the kubeconfig; default: its current one (SLIPWAY_CONTEXT)
  --scenario <name>       scenario to create, once; default: demo, unless the cluster has team namespaces
                          (SLIPWAY_SCENARIO)
${scenarioNames.map((name) => `                            ${name.padEnd(8)}${scenarioSummaries[name]}`).join('\n')}
                            none    nothing
  --speed <number>        how many times faster than real time to simulate (SLIPWAY_SPEED, 1)
  --git-port <number>     port of the simulated git host (SLIPWAY_GIT_PORT, 8083)
  --console-url <url>     URL of the console, for links in pull requests
                          (SLIPWAY_CONSOLE_URL, http://127.0.0.1:8080)
  --print-role            print the ClusterRole that it needs, and exit
  --help                  show this help
`

/**
 * Parses the options of `slipway simulate`. A flag takes precedence over its environment variable.
 * @throws StartError with a message that says what to change
 */
export function simulateOptions(args: string[], env: Environment): SimulateOptions | 'help' | 'print role' {
  const values = parsed(args)
  if (values.help) return 'help'
  if (values['print-role']) return 'print role'
  const kubeconfig = values.kubeconfig ?? (env.SLIPWAY_KUBECONFIG || env.KUBECONFIG)
  if (!kubeconfig) throw new StartError('Choose a cluster with --kubeconfig.')
  return {
    kubeconfig,
    context: values.context ?? (env.SLIPWAY_CONTEXT || undefined),
    scenario: choiceOf('--scenario', values.scenario, 'SLIPWAY_SCENARIO', env, [...scenarioNames, 'none']),
    speed: speedOf(values.speed, env),
    gitPort: portOf('--git-port', values['git-port'], 'SLIPWAY_GIT_PORT', env, 8083),
    consoleUrl: webUrl(values['console-url'] ?? (env.SLIPWAY_CONSOLE_URL || 'http://127.0.0.1:8080')),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: flags }).values
  } catch (error) {
    throw flagFailure(error, 'slipway simulate --help')
  }
}

function webUrl(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text.replace(/\/$/, '')
  throw new StartError(`--console-url must be a URL such as http://127.0.0.1:8080, not "${text}".`)
}
