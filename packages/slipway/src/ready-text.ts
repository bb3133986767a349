import { hasPeopleAtWork, scenarioSummaries } from '@slipway/simulator/scenario-names'
import type { Options } from './options'
import type { RunningSlipway } from './start'
import { describedUsers } from './users'

type Ready = Pick<RunningSlipway, 'url' | 'apiUrl' | 'signInUrl' | 'gitHostUrl' | 'kubeconfigPath' | 'scenario'>
type Asked = Pick<Options, 'simulator' | 'speed' | 'data' | 'publicOrigins'>

/** What there is now, and where, for whoever has started it. */
export function readyText(running: Ready, { simulator, speed, data, publicOrigins }: Asked): string {
  const { url, apiUrl, signInUrl, gitHostUrl, kubeconfigPath, scenario } = running
  const people = describedUsers(scenario).map(
    ({ name, email, description }) => `    ${name.padEnd(13)}${email.padEnd(27)}${description}`,
  )
  return `
Slipway is ready: ${publicOrigins?.[0] ?? url}

  Sign in as
${people.join('\n')}

  Scenario         ${scenario ? `${scenario}: ${scenarioSummaries[scenario]}` : 'of another version of Slipway'}
  Simulator        ${simulator ? `on: ${happens(scenario)}${paceOf(speed)}` : 'off: nothing happens by itself'}
  Sign-in          ${signInUrl}
  Git host         ${gitHostUrl}
  Kubernetes API   ${apiUrl}
  Kubeconfig       ${kubeconfigPath}
  Data folder      ${data}

  Ctrl-C stops it.
`
}

const happens = (scenario: Ready['scenario']): string =>
  scenario && hasPeopleAtWork(scenario)
    ? 'people push, and builds, tests and releases follow'
    : 'what you begin is built, tested and released'

const paceOf = (speed: number): string => (speed === 1 ? '' : `, ${speed} times as fast as in the real world`)
