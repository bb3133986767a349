import type { PlatformVersion } from '@slipway/simulator/platform-version'
import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
import { StartError } from '../start-error'
import type { Environment, FlagsOf } from '../flags'
import { platformOf, speedOf } from '../options'

export interface SimulateOptions {
  kubeconfig: string
  context: string | undefined
  /** Scenario to create, once; `none` leaves the cluster unchanged. Without it, the content of the cluster decides. */
  scenario: ScenarioName | 'none' | undefined
  /** How many times faster than real time to simulate. */
  speed: number
  /** Which state of the platform's services is simulated. */
  platform: PlatformVersion
  gitPort: number
  /** URL of the console, without a trailing slash. */
  consoleUrl: string
}

/** @throws StartError with a message that says what to change */
export function simulateOptions(flags: FlagsOf<'simulate'>, env: Environment): SimulateOptions {
  const kubeconfig = flags.text('kubeconfig') ?? env.KUBECONFIG
  if (!kubeconfig) throw new StartError('Choose a cluster with --kubeconfig.')
  const consoleUrl = flags.text('console-url') ?? 'http://127.0.0.1:8080'
  if (!/^https?:/.test(consoleUrl) || !URL.canParse(consoleUrl)) {
    throw flags.invalid('console-url', 'a URL such as http://127.0.0.1:8080')
  }
  return {
    kubeconfig,
    context: flags.text('context'),
    scenario: flags.oneOf('scenario', [...scenarioNames, 'none']),
    speed: speedOf(flags),
    platform: platformOf(flags),
    gitPort: flags.port('git-port') ?? 8083,
    consoleUrl: consoleUrl.replace(/\/$/, ''),
  }
}
