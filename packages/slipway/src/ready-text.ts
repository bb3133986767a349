import { hasPeopleAtWork, scenarioSummaries } from '@slipway/simulator/scenario-names'
import { demoHighlights } from '@slipway/simulator/scenarios/demo-tour'
import type { Options } from './options'
import type { RunningSlipway } from './start'
import { describedUsers } from './users'

type Ready = Pick<RunningSlipway, 'url' | 'apiUrl' | 'signInUrl' | 'gitHostUrl' | 'kubeconfigPath' | 'scenario'>
type ShownOptions = Pick<Options, 'simulator' | 'speed' | 'data' | 'publicOrigins'>

/** Summary of what is running, for the user at the terminal. */
export function readyText(running: Ready, { simulator, speed, data, publicOrigins }: ShownOptions): string {
  const { url, apiUrl, signInUrl, gitHostUrl, kubeconfigPath, scenario } = running
  const people = describedUsers(scenario).map(
    ({ name, email, description }) => `    ${name.padEnd(13)}${email.padEnd(27)}${description}`,
  )
  const consoleUrl = publicOrigins?.[0] ?? url
  return `
Slipway is ready: ${consoleUrl}

  Sign in as
${people.join('\n')}
${scenario === 'demo' ? highlights(consoleUrl) : ''}
  Scenario         ${scenario ? `${scenario}: ${scenarioSummaries[scenario]}` : 'created by another version of Slipway'}
  Simulator        ${simulator ? `on: ${activityOf(scenario)}${paceOf(speed)}` : 'off: nothing happens automatically'}
  Sign-in          ${signInUrl}
  Git host         ${gitHostUrl}
  Kubernetes API   ${apiUrl}
  Kubeconfig       ${kubeconfigPath}
  Data folder      ${data}

  Press Ctrl-C to stop.
`
}

const highlights = (consoleUrl: string): string => `
  Look at
${demoHighlights.map(({ title, path }) => `    ${title.padEnd(27)}${consoleUrl}${path}\n`).join('')}`

const activityOf = (scenario: Ready['scenario']): string =>
  scenario && hasPeopleAtWork(scenario)
    ? 'simulated users push, and builds, tests and releases follow'
    : 'what you start is built, tested and released'

const paceOf = (speed: number): string => (speed === 1 ? '' : `, ${speed} times as fast as real time`)
