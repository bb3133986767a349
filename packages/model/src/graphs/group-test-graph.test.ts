import { expect, it } from 'vitest'
import { labels } from '../labels'
import { aPipelineRun, condition } from '../testing'
import { anIntegrationTestScenario } from '../testing/tests-and-releases'
import { groupTestGraph } from './group-test-graph'

const test = (name: string, optional?: string) =>
  anIntegrationTestScenario({ metadata: { name, ...(optional && { labels: { [labels.optional]: optional } }) } })
const run = (scenario: string, minute: number, status: 'True' | 'False') =>
  aPipelineRun({
    metadata: {
      name: `${scenario}-${minute}`,
      labels: { [labels.scenario]: scenario },
      creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
    },
    status: { startTime: `2026-01-31T09:0${minute}:00Z`, conditions: [condition('Succeeded', status)] },
  })

const graph = { verify: [{ name: 'scan', failFast: true }, { name: 'gone' }], e2e: [{ name: 'verify' }] }
const scenarios = [test('e2e', 'true'), test('verify'), test('scan'), test('lint')]
const textOf = ({ nodes }: ReturnType<typeof groupTestGraph>) =>
  nodes.map(({ id, status, detail = '', skips, pipelineRun = '' }) => [id, status, pipelineRun, detail, skips.join()])

it('has the tests in their order, with the newest run of each, what is missing, and what a failure skips', () => {
  const shown = groupTestGraph({ graph, scenarios, runs: [run('scan', 1, 'True'), run('scan', 2, 'False')] })
  expect(textOf(shown)).toEqual([
    ['scan', 'Failed', 'scan-2', '', 'verify,e2e'],
    ['lint', 'Idle', '', '', ''],
    ['gone', 'Unknown', '', 'not found', ''],
    ['verify', 'Idle', '', 'skipped if scan fails', ''],
    ['e2e', 'Idle', '', 'optional', ''],
  ])
  expect(shown.edges).toEqual([
    { from: 'scan', to: 'verify' },
    { from: 'gone', to: 'verify' },
    { from: 'verify', to: 'e2e' },
  ])
})

it('calls no test missing, and none idle, where tests and runs could not be read', () => {
  const shown = groupTestGraph({ graph, scenarios: undefined, runs: undefined })
  expect(shown.nodes.map(({ id, isMissing, status }) => [id, isMissing, status])).toEqual([
    ['scan', false, 'Unknown'],
    ['gone', false, 'Unknown'],
    ['verify', false, 'Unknown'],
    ['e2e', false, 'Unknown'],
  ])
})

it('counts several tests that stop another one', () => {
  const stopped = { last: ['a', 'b'].map((name) => ({ name, failFast: true })) }
  const { nodes } = groupTestGraph({ graph: stopped, scenarios: undefined, runs: undefined })
  expect(nodes.find(({ id }) => id === 'last')?.detail).toBe('skipped if any of 2 fails')
})
