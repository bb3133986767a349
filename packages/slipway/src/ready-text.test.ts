import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
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
      'admin of four of the five teams',
      'reads four of the five teams',
      'demo: five teams, twelve applications and some history',
      'on: people push, and builds, tests and releases follow',
    ],
  ],
  [
    'empty',
    [
      'admin of the three teams',
      'empty: the platform and three namespaces without anything in them',
      'on: what you begin is built, tested and released',
    ],
  ],
  [
    'large',
    [
      'maintainer of team-large: no secrets',
      'large: one namespace with thousands of runs',
      'on: what you begin is built, tested and released',
    ],
  ],
  [
    'faults',
    [
      'reads the faults namespaces, but for faults-denied',
      'faults: every failure that a person can meet',
      'on: what you begin is built, tested and released',
    ],
  ],
])('says what there is in %s, and who may do what in it', (scenario, lines) => {
  for (const line of lines) expect(textOf(scenario)).toContain(line)
  expect(textOf(scenario)).toContain('has no namespace at all')
})

it.each(scenarioNames)('says of %s that nothing happens by itself without a simulator', (scenario) => {
  const text = textOf(scenario, { simulator: false, speed: 10 })
  expect(text).toContain('Simulator        off: nothing happens by itself\n')
  expect(text).not.toMatch(/push|times as fast/)
})

it('says how fast it is', () => {
  expect(textOf('demo', { speed: 10 })).toContain('follow, 10 times as fast as in the real world\n')
})

it('says nothing about a cluster that another version has filled', () => {
  const text = textOf(undefined)
  expect(text).toContain('Scenario         of another version of Slipway\n')
  expect(text).toContain('what the cluster allows')
  expect(text).not.toMatch(/demo|team/)
})

it('names the addresses, and as which browsers find the console', () => {
  for (const place of Object.values(running)) expect(textOf('demo')).toContain(place)
  const text = textOf('demo', { publicOrigins: ['https://console.example.test'] })
  expect(text).toContain('Slipway is ready: https://console.example.test\n')
})
