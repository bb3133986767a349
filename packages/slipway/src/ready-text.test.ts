import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
import { demoHighlights } from '@slipway/simulator/scenarios/demo-tour'
import { expect, it } from 'vitest'
import { readyText } from './ready-text'

const running = {
  url: 'http://127.0.0.1:8080',
  apiUrl: 'https://127.0.0.1:8081',
  signInUrl: 'http://127.0.0.1:8082',
  gitHostUrl: 'http://127.0.0.1:8083',
  kubeconfigPath: '/data/kubeconfig',
}
const asked = { simulator: true, speed: 1, data: '/data' }
const textOf = (scenario: ScenarioName | undefined, more: Partial<Parameters<typeof readyText>[1]> = {}) =>
  readyText({ ...running, scenario }, { ...asked, ...more })

it.each<[ScenarioName, string[]]>([
  [
    'demo',
    [
      'Admin of five of the six teams',
      'Read-only in five of the six teams',
      'demo: six teams, thirteen applications and some history',
      'on: simulated users push, and builds, tests and releases follow',
    ],
  ],
  [
    'empty',
    [
      'Admin of the three teams',
      'empty: the platform and three namespaces without anything in them',
      'on: what you start is built, tested and released',
    ],
  ],
  [
    'large',
    [
      'Maintains team-large. Cannot see secrets',
      'large: one namespace with thousands of runs',
      'on: what you start is built, tested and released',
    ],
  ],
  [
    'faults',
    [
      'Read-only in the faults namespaces except faults-denied',
      'faults: every failure that a user can encounter',
      'on: what you start is built, tested and released',
    ],
  ],
])('describes the content of %s and the roles of its users', (scenario, lines) => {
  for (const line of lines) expect(textOf(scenario)).toContain(line)
  expect(textOf(scenario)).toContain('No access to any namespace')
})

it.each(scenarioNames)('says for %s that nothing happens by itself without a simulator', (scenario) => {
  const text = textOf(scenario, { simulator: false, speed: 10 })
  expect(text).toContain('Simulator        off: nothing happens automatically\n')
  expect(text).not.toMatch(/push|times as fast/)
})

it('gives the speed of the simulation', () => {
  expect(textOf('demo', { speed: 10 })).toContain('follow, 10 times as fast as real time\n')
})

it('leads to the story of the demo, and of no other scenario', () => {
  const { path } = demoHighlights[0] ?? { path: 'none' }
  expect(textOf('demo')).toContain(`A build that failed        http://127.0.0.1:8080${path}\n`)
  expect(textOf('demo', { publicOrigins: ['https://console.example.test'] })).toContain(
    `https://console.example.test${path}\n`,
  )
  expect(textOf('empty')).not.toContain('Look at')
})

it.each(scenarioNames)('fits on one screen for %s', (scenario) => {
  expect(textOf(scenario).trimEnd().split('\n').length).toBeLessThanOrEqual(24)
})

it('does not describe a cluster created by another version', () => {
  const text = textOf(undefined)
  expect(text).toContain('Scenario         created by another version of Slipway\n')
  expect(text).toContain('Permissions depend on the cluster')
  expect(text).not.toMatch(/demo|team/)
})

it('lists the URLs, including the public one of the console', () => {
  for (const place of Object.values(running)) expect(textOf('demo')).toContain(place)
  const text = textOf('demo', { publicOrigins: ['https://console.example.test'] })
  expect(text).toContain('Slipway is ready: https://console.example.test\n')
})
