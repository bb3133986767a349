import { parseArgs } from 'node:util'
import { scenarioNames, scenarioSummaries, type ScenarioName } from '@slipway/simulator/scenario-names'
import { StartError } from '../start-error'
import { choiceOf, flagFailure, portOf, speedOf, type Environment } from '../options'

export interface SimulateOptions {
  kubeconfig: string
  context: string | undefined
  /** What the cluster is given once; `none` leaves it as it is, and without one it is decided by what is there. */
  scenario: ScenarioName | 'none' | undefined
  /** How many times faster than in the real world things happen. */
  speed: number
  gitPort: number
  /** Where people look at runs, without a final slash. */
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

/** Their names without the dashes. */
export const flagNames: readonly string[] = Object.keys(flags)

export const simulateHelp = `Usage: slipway simulate --kubeconfig <file> [options]

Makes a Kubernetes cluster live: installs the definitions, roles and config maps of the platform, creates
a scenario, and plays the services and the people until Ctrl-C. Started again, it continues. Nothing runs
in the pods that it creates, and no node gets them. Do not use it where such services run already.

  --kubeconfig <file>     a kubeconfig, with exec plugins if need be; several as in KUBECONFIG
                          (SLIPWAY_KUBECONFIG, KUBECONFIG)
  --context <name>        context of the kubeconfig; default: its current one (SLIPWAY_CONTEXT)
  --scenario <name>       what the cluster is given, once; default: demo, unless it has namespaces of teams
                          (SLIPWAY_SCENARIO)
${scenarioNames.map((name) => `                            ${name.padEnd(8)}${scenarioSummaries[name]}`).join('\n')}
                            none    nothing
  --speed <number>        how many times faster than in the real world things happen (SLIPWAY_SPEED, 1)
  --git-port <number>     port of the pages of the simulated git host (SLIPWAY_GIT_PORT, 8083)
  --console-url <url>     where people look at runs; links of pull requests lead there
                          (SLIPWAY_CONSOLE_URL, http://127.0.0.1:8080)
  --print-role            print the ClusterRole that it needs, and do nothing else
  --help                  show this
`

/**
 * What `slipway simulate` was asked to do. A flag wins over its environment variable.
 * @throws StartError with one sentence that says what to change
 */
export function simulateOptions(args: string[], env: Environment): SimulateOptions | 'help' | 'print role' {
  const values = parsed(args)
  if (values.help) return 'help'
  if (values['print-role']) return 'print role'
  const kubeconfig = values.kubeconfig ?? (env.SLIPWAY_KUBECONFIG || env.KUBECONFIG)
  if (!kubeconfig) throw new StartError('Say which cluster: --kubeconfig.')
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
  throw new StartError(`--console-url must be an address such as http://127.0.0.1:8080, not "${text}".`)
}
