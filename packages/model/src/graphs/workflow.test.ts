import { describe, expect, it, test } from 'vitest'
import type { Component } from '../builds/component'
import { annotations, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { releaseConditions } from '../releases/release'
import { runStatuses, type RunStatusWord } from '../runs/run-status'
import { aComponent, aPipelineRun, aRelease, condition, type Overrides } from '../testing'
import { aReleasePlan, anIntegrationTestScenario } from '../testing/tests-and-releases'
import { runVerdict } from '../snapshots/verdict'
import { collapsedWorkflow, commitGraph, workflowGraph, workflowRuns, worstOf, type WorkflowParts } from './workflow'

const application = 'checkout'
const nothing: WorkflowParts = { application, components: [], runs: [], scenarios: [], releasePlans: [], releases: [] }
const at = (minute: number) => `2026-01-31T09:0${minute}:00Z`
const outcome = (status: 'True' | 'False' | 'Unknown') => ({ conditions: [condition('Succeeded', status)] })

const aBuild = (component: string, minute: number, overrides: Overrides<PipelineRun> = {}) =>
  aPipelineRun({
    ...overrides,
    metadata: {
      name: `${component}-${minute}`,
      creationTimestamp: at(minute),
      labels: { [labels.component]: component, [labels.eventType]: 'push', ...overrides.metadata?.labels },
    },
    status: outcome('True'),
    ...(overrides.status && { status: overrides.status }),
  })
const aTest = (
  scenario: string,
  minute: number,
  own: Record<string, string> = {},
  status: PipelineRun['status'] = outcome('True'),
) =>
  aPipelineRun({
    metadata: {
      name: `${scenario}-${minute}`,
      creationTimestamp: at(minute),
      labels: { [labels.pipelineType]: 'test', [labels.scenario]: scenario, ...own },
    },
    status,
  })
const scenario = (name: string, overrides: Parameters<typeof anIntegrationTestScenario>[0] = {}) =>
  anIntegrationTestScenario({ ...overrides, metadata: { ...overrides.metadata, name } })
const plan = (name: string) => aReleasePlan({ metadata: { name } })
const pac = (state: string) => ({ [annotations.buildStatus]: JSON.stringify({ pac: { state } }) })

const linesOf = (parts: Partial<WorkflowParts>) =>
  workflowGraph({ ...nothing, ...parts }).edges.map(({ from, to }) => `${from} > ${to}`)

describe('the workflow of an application', () => {
  const components = [aComponent({ metadata: { name: 'api' } }), aComponent({ metadata: { name: 'web' } })]
  it('GRAPH-02 leads from the components through their builds and tests to the releases', () => {
    expect(linesOf({ components, scenarios: [scenario('unit')], releasePlans: [plan('prod')] })).toEqual([
      'component/api > build/api',
      'component/web > build/web',
      'build/api > test/unit',
      'build/web > test/unit',
      'test/unit > release/prod',
    ])
  })
  it('leads from the builds to the releases if no test blocks them', () => {
    const optional = scenario('nice', { metadata: { labels: { [labels.optional]: 'true' } } })
    const ofPullRequests = scenario('pr', { spec: { contexts: [{ name: 'pull_request' }] } })
    expect(linesOf({ components, scenarios: [optional, ofPullRequests], releasePlans: [plan('prod')] })).toEqual([
      'component/api > build/api',
      'component/web > build/web',
      'build/api > test/nice',
      'build/web > test/nice',
      'build/api > test/pr',
      'build/web > test/pr',
      'build/api > release/prod',
      'build/web > release/prod',
    ])
  })
  it('leads to the test of a component only from that component', () => {
    const ofApi = scenario('api-only', { spec: { contexts: [{ name: 'component_api' }] } })
    expect(linesOf({ components, scenarios: [ofApi] }).filter((line) => line.includes('test'))).toEqual([
      'build/api > test/api-only',
    ])
  })
  it('omits objects that belong to another application or are being deleted', () => {
    const parts = {
      components: [
        aComponent({ spec: { application: 'other' } }),
        aComponent({ metadata: { deletionTimestamp: at(0) } }),
      ],
      scenarios: [scenario('theirs', { spec: { application: 'other' } })],
      releasePlans: [aReleasePlan({ spec: { application: 'other' } })],
    }
    expect(workflowGraph({ ...nothing, ...parts }).nodes).toEqual([])
  })

  describe('with components that nudge others', () => {
    const nudging = (name: string, nudges: string[], own = application, metadata = {}) =>
      aComponent({ metadata: { name, ...metadata }, spec: { application: own, 'build-nudges-ref': nudges } })
    const related = [
      nudging('api', ['web', 'web', 'proxy', 'gone']),
      nudging('web', []),
      nudging('base', ['api'], 'edge'),
      nudging('proxy', [], 'edge'),
      nudging('old', ['web'], application, { deletionTimestamp: at(0) }),
    ]
    const graph = workflowGraph({ ...nothing, components: related })
    const nodeOf = (id: string) => graph.nodes.find((node) => node.id === id)

    it('names both ends, across applications too, and tells which do not exist', () => {
      expect(nodeOf('component/api')).toMatchObject({
        nudges: [
          { name: 'web', application },
          { name: 'proxy', application: 'edge' },
          { name: 'gone', application: undefined },
        ],
        nudgedBy: [{ name: 'base', application: 'edge' }],
      })
      expect(nodeOf('component/web')).toMatchObject({ nudgedBy: [{ name: 'api', application }] })
      expect(nodeOf('component/web')).not.toHaveProperty('nudges')
      expect(nodeOf('build/api')).not.toHaveProperty('nudges')
    })
    it('has those of a NudgeConfig instead, except of components that are deleted or do not exist', () => {
      const nudgeConfig = {
        metadata: {},
        spec: { nudges: ['web', 'old', 'gone'].map((from) => ({ from, to: 'api', mode: 'validated' as const })) },
      }
      const own = workflowGraph({ ...nothing, components: related, nudgeConfig })
      expect(own.nudges).toEqual([{ from: 'component/web', to: 'component/api' }])
      const api = own.nodes.find(({ id }) => id === 'component/api')
      expect(api).toMatchObject({ nudgedBy: [{ name: 'web', application }] })
      expect(api).not.toHaveProperty('nudges')
    })
    it('has lines for those between two of its nodes, which are no edges of the flow', () => {
      expect(graph.nudges).toEqual([{ from: 'component/api', to: 'component/web' }])
      expect(graph.edges).toEqual([
        { from: 'component/api', to: 'build/api' },
        { from: 'component/web', to: 'build/web' },
      ])
      expect(workflowGraph({ ...nothing, components })).not.toHaveProperty('nudges')
    })
    test.each<[string, Component[], string | undefined]>([
      ['each relation once', related, '4 relationships'],
      ['a single one', [nudging('api', ['web']), nudging('web', [])], '1 relationship'],
      ['none', components, undefined],
    ])('counts in its stage of components %s', (_, all, expected) => {
      const [stage] = collapsedWorkflow(workflowGraph({ ...nothing, components: all })).nodes
      expect(stage?.detail).toBe(expected)
    })
  })

  it('tolerates components without a source or an application', () => {
    const sourceless = { ...aComponent({ metadata: { name: 'api' } }), spec: { application } } as Component
    const bare = { ...aComponent({ metadata: { name: 'bare' } }), spec: undefined } as unknown as Component
    const { nodes } = workflowGraph({ ...nothing, components: [sourceless, bare] })
    expect(nodes.map(({ id }) => id)).toEqual(['component/api', 'build/api'])
  })
  it('omits objects that do not name what they belong to', () => {
    const without = <T extends { spec: unknown }>(object: T): T => ({ ...object, spec: undefined })
    const parts = {
      components,
      scenarios: [without(scenario('unit'))],
      releasePlans: [without(plan('prod'))],
      releases: [without(aRelease())],
      runs: [without(aBuild('api', 1))],
    }
    const { nodes } = workflowGraph({ ...nothing, ...parts })
    expect(nodes.map(({ id }) => id)).toEqual(['component/api', 'component/web', 'build/api', 'build/web'])
    expect(nodes[2]?.status).toBe('Succeeded')
  })

  const statusOf = (id: string, parts: Partial<WorkflowParts>) =>
    workflowGraph({ ...nothing, components, ...parts }).nodes.find((node) => node.id === id)?.status
  const event = (type: string) => ({ [labels.eventType]: type, [labels.pullRequestNumber]: '7' })
  const failed = { status: outcome('False') }
  test.each<[string, PipelineRun[], RunStatusWord]>([
    ['status of its latest run', [aBuild('api', 1, failed), aBuild('api', 2)], 'Succeeded'],
    ['status of its latest run in any order', [aBuild('api', 2), aBuild('api', 1, failed)], 'Succeeded'],
    ['not the status of another component', [aBuild('web', 1)], 'PipelineNotStarted'],
    [
      'not the status of a pull request',
      [aBuild('api', 1), aBuild('api', 2, { ...failed, metadata: { labels: event('pull_request') } })],
      'Succeeded',
    ],
    [
      'not the status of a pull request without a number',
      [aBuild('api', 1), aBuild('api', 2, { ...failed, metadata: { labels: { [labels.eventType]: 'pull_request' } } })],
      'Succeeded',
    ],
    ['not the status of a test', [aTest('unit', 1, { [labels.component]: 'api' })], 'PipelineNotStarted'],
  ])('GRAPH-06 status of a build: %s', (_, runs, expected) => expect(statusOf('build/api', { runs })).toBe(expected))

  test.each<[string, Overrides<Component>, RunStatusWord]>([
    ['its pipeline was proposed', { metadata: { annotations: pac('enabled') } }, 'PR needs merge'],
    ['its pipeline failed to be proposed', { metadata: { annotations: pac('error') } }, 'PipelineNotStarted'],
    ['nothing was proposed', {}, 'PipelineNotStarted'],
    [
      'the annotation is invalid',
      { metadata: { annotations: { [annotations.buildStatus]: '{"pac":' } } },
      'PipelineNotStarted',
    ],
    [
      'it was built and its runs were deleted',
      { metadata: { annotations: pac('enabled') }, status: { lastBuiltCommit: 'c0ffee' } },
      'Unknown',
    ],
  ])('STAT-32 status of a build without runs: %s', (_, overrides, expected) => {
    const component = aComponent({ ...overrides, metadata: { ...overrides.metadata, name: 'api' } })
    expect(statusOf('build/api', { components: [component] })).toBe(expected)
  })

  it('GRAPH-06, GRAPH-09 shows the latest status and time of tests and releases', () => {
    const release = aRelease({
      metadata: { creationTimestamp: at(5) },
      spec: { releasePlan: 'prod' },
      status: {
        startTime: at(5),
        completionTime: at(6),
        conditions: [condition(releaseConditions.released, 'False', 'Failed')],
      },
    })
    const parts = {
      scenarios: [scenario('unit'), scenario('never')],
      runs: [aTest('unit', 1), aTest('unit', 2, {}, { ...outcome('Unknown'), startTime: at(2) })],
      releasePlans: [plan('prod'), plan('stage')],
      releases: [
        release,
        aRelease({ metadata: { name: 'older', creationTimestamp: at(1) }, spec: { releasePlan: 'prod' } }),
      ],
    }
    expect(workflowGraph({ ...nothing, ...parts }).nodes).toMatchObject([
      { id: 'test/unit', status: 'Running', pipelineRun: 'unit-2', startTime: at(2) },
      { id: 'test/never', status: 'Idle' },
      { id: 'release/prod', status: 'Failed', release: 'checkout-x4k2p', startTime: at(5), endTime: at(6) },
      { id: 'release/stage', status: 'Idle' },
    ])
  })

  it('GRAPH-06 shows a release that has just been created as pending, as lists do', () => {
    const parts = { releasePlans: [plan('prod')], releases: [aRelease({ spec: { releasePlan: 'prod' } })] }
    expect(workflowGraph({ ...nothing, ...parts }).nodes).toMatchObject([
      { id: 'release/prod', status: 'Unknown', verdict: 'Pending' },
    ])
  })

  it('GRAPH-06, STAT-60 shows the status of a run and the verdict about it, and a stage has the worst verdict', () => {
    const tested = { ...outcome('True'), results: [{ name: 'TEST_OUTPUT', value: '{"result":"WARNING"}' }] }
    const runs = [aBuild('api', 1), aBuild('web', 2), aTest('unit', 3, {}, tested)]
    const graph = workflowGraph({
      ...nothing,
      components,
      scenarios: [scenario('unit')],
      runs,
      verdictOf: (run) => (run === runs[0] ? 'Test Failures' : runVerdict(run)),
    })
    const words = ({ nodes }: typeof graph) => nodes.slice(-3).map(({ id, status, verdict }) => [id, status, verdict])
    expect(words(graph)).toEqual([
      ['build/api', 'Succeeded', 'Test Failures'],
      ['build/web', 'Succeeded', undefined],
      ['test/unit', 'Succeeded', 'Test Warnings'],
    ])
    expect(words(collapsedWorkflow(graph))).toEqual([
      ['stage/build', 'Test Failures', undefined],
      ['stage/test', 'Test Warnings', undefined],
      ['stage/release', undefined, undefined],
    ])
    expect(workflowRuns({ runs: [...runs, aBuild('api', 0)], application: nothing.application })).toEqual(runs)
  })

  it('GRAPH-06 is unknown for a node without a run or release if some could not be fetched', () => {
    const proposed = aComponent({ metadata: { name: 'cart', annotations: pac('enabled') } })
    const parts = {
      components: [...components, proposed],
      scenarios: [scenario('unit')],
      releasePlans: [plan('prod')],
    }
    const graph = workflowGraph({ ...nothing, ...parts, areRunsPartial: true, releases: undefined })
    const words = new Set(graph.nodes.filter(({ kind }) => kind !== 'component').map(({ status }) => status))
    expect(words).toEqual(new Set(['Unknown']))
  })

  it('GRAPH-06 does not count kinds that could not be fetched', () => {
    const graph = workflowGraph({ ...nothing, components })
    const { nodes } = collapsedWorkflow(graph, ['test', 'release'])
    expect(nodes.map(({ note, status }) => [note, status])).toEqual([
      ['2', undefined],
      ['2', 'PipelineNotStarted'],
      ['?', 'Unknown'],
      ['?', 'Unknown'],
    ])
  })

  it('GRAPH-09 marks the end as unknown for a run that ended without a time', () => {
    const released = aRelease({
      spec: { releasePlan: 'prod' },
      status: { startTime: at(1), completionTime: undefined, conditions: [condition('Released', 'True', 'Succeeded')] },
    })
    const { nodes } = workflowGraph({
      ...nothing,
      components: components.slice(0, 1),
      runs: [aBuild('api', 1, { status: { ...outcome('True'), startTime: at(1) } })],
      releasePlans: [plan('prod')],
      releases: [released],
    })
    expect(nodes.slice(1)).toMatchObject([
      { id: 'build/api', isEndUnknown: true, endTime: undefined },
      { id: 'release/prod', isEndUnknown: true, endTime: undefined },
    ])
  })

  it('GRAPH-01 has one node per stage with its worst status when collapsed', () => {
    const graph = workflowGraph({
      ...nothing,
      components,
      runs: [aBuild('api', 1, failed), aBuild('web', 1)],
      scenarios: [scenario('unit')],
    })
    const collapsed = collapsedWorkflow(graph)
    expect(collapsed.nodes.map(({ note, label, status, detail }) => [note, label, status, detail])).toEqual([
      ['2', 'components', undefined, undefined],
      ['2', 'builds', 'Failed', '1 of 2'],
      ['1', 'integration test', 'Idle', undefined],
      ['0', 'releases', undefined, undefined],
    ])
    expect(collapsed.edges).toHaveLength(3)
    expect(collapsed.nodes[1]?.members?.map(({ label }) => label)).toEqual(['api', 'web'])
  })
})

describe('the worst of several statuses', () => {
  const order: RunStatusWord[] = [
    'Succeeded', 'Idle', 'Unknown', 'Pending', 'In Progress', 'Starting', 'Running', 'PR needs merge', 'Test Warnings',
    'Test Failures', 'Cancelled', 'FailedToStart', 'Failed',
  ] // prettier-ignore
  test.each(order.slice(1).map((status, index): [RunStatusWord, RunStatusWord] => [status, order[index] ?? 'Unknown']))(
    '%s is worse than %s',
    (worse, better) => {
      expect(worstOf([better, worse, better])).toBe(worse)
      expect(worstOf([worse, better])).toBe(worse)
    },
  )
  it('is always one of them, and undefined for none', () => {
    for (const status of runStatuses) expect(worstOf([status])).toBe(status)
    expect(worstOf([])).toBeUndefined()
  })
})

describe('the graph of a commit', () => {
  const lines = (runs: PipelineRun[]) =>
    commitGraph({ sha: 'c0ffee00'.padEnd(40, '0'), runs }).edges.map(({ from, to }) => `${from} > ${to}`)
  const released = (release: string, minute: number, status = outcome('True')) =>
    aPipelineRun({
      metadata: {
        name: `${release}-${minute}`,
        creationTimestamp: at(minute),
        labels: { [labels.pipelineType]: 'managed', [labels.releaseName]: release, [labels.component]: undefined },
      },
      status,
    })
  it('GRAPH-03 leads from the commit through a build of each component and its tests to the releases', () => {
    const runs = [
      aBuild('api', 1),
      aBuild('web', 1),
      aTest('unit', 2, { [labels.component]: 'api' }),
      aTest('unit', 3, { [labels.component]: 'web' }),
      released('prod-x', 5),
    ]
    expect(lines(runs)).toEqual([
      'commit > build/api/Push',
      'commit > build/web/Push',
      'build/api/Push > test/unit/api/Push',
      'build/web/Push > test/unit/web/Push',
      'test/unit/api/Push > release/prod-x',
      'test/unit/web/Push > release/prod-x',
    ])
  })
  it('GRAPH-03 separates the runs of a pull request from those of its merge, and shows the newest of each', () => {
    const ofPullRequest = { [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: '7' }
    const { nodes } = commitGraph({
      sha: 'c0ffee',
      title: 'Mend it',
      runs: [
        aBuild('api', 1, { metadata: { labels: ofPullRequest } }),
        aBuild('api', 2, { status: outcome('False') }),
        aBuild('api', 3),
      ],
    })
    expect(nodes).toMatchObject([
      { id: 'commit', label: 'c0ffee', detail: 'Mend it' },
      { note: 'Pull request', label: 'api', pipelineRun: 'api-1', status: 'Succeeded' },
      { note: 'Push', label: 'api', pipelineRun: 'api-3', status: 'Succeeded' },
    ])
  })
  it('GRAPH-06, GRAPH-09 shows no time for a run with an unknown outcome', () => {
    const status = { ...outcome('Unknown'), startTime: at(1) }
    const runs = [aBuild('api', 1, { status }), released('prod-x', 2), released('prod-x', 3, status)]
    const { nodes } = commitGraph({ sha: 'c0ffee', runs, statusOf: () => 'Unknown' })
    expect(nodes.slice(1).map(({ status, startTime }) => [status, startTime])).toEqual([
      ['Unknown', undefined],
      ['Unknown', undefined],
    ])
  })
  it('GRAPH-03, GRAPH-06 shows the newest release of each plan, although all of its pipelines run elsewhere', () => {
    const releaseOf = (name: string, releasePlan: string, minute: number, status: 'True' | 'False') =>
      aRelease({
        metadata: { name, creationTimestamp: at(minute) },
        spec: { releasePlan, snapshot: 'shop-1' },
        status: { conditions: [condition('Released', status, status === 'True' ? 'Succeeded' : 'Failed')] },
      })
    const releases = [
      releaseOf('prod-x', 'prod', 5, 'True'),
      releaseOf('stage-1', 'stage', 6, 'True'),
      releaseOf('stage-2', 'stage', 7, 'False'),
    ]
    const runs = [aBuild('api', 1), aTest('unit', 2), released('prod-x', 5)]
    const { nodes, edges } = commitGraph({ sha: 'c0ffee', runs, releases })
    expect(nodes.filter(({ kind }) => kind === 'release')).toMatchObject([
      { id: 'release/prod-x', pipelineRun: 'prod-x-5', status: 'Succeeded' },
      { id: 'release/stage-2', release: 'stage-2', status: 'Failed' },
    ])
    const [test] = nodes.filter(({ kind }) => kind === 'test')
    expect(edges.filter(({ to }) => to === 'release/stage-2').map(({ from }) => from)).toEqual([test?.id])
  })
  it('GRAPH-06 a release has the worst status of its runs', () => {
    const { nodes } = commitGraph({
      sha: 'c0ffee',
      runs: [released('prod-x', 1, outcome('False')), released('prod-x', 2)],
    })
    expect(nodes.at(-1)).toMatchObject({ id: 'release/prod-x', status: 'Failed', pipelineRun: 'prod-x-2' })
  })
  it('GRAPH-06 a release of several runs has their worst verdict beside their worst status', () => {
    const runs = [released('prod-x', 1), released('prod-x', 2)]
    const verdictOf = (run: PipelineRun) => (run === runs[0] ? 'Test Failures' : 'Succeeded')
    const { nodes } = commitGraph({ sha: 'c0ffee', runs, verdictOf })
    expect(nodes.at(-1)).toMatchObject({ status: 'Succeeded', verdict: 'Test Failures' })
  })
  it('tolerates runs without labels, and no runs', () => {
    const bare = { ...aPipelineRun(), metadata: { name: 'bare' } }
    expect(lines([bare])).toEqual([])
    expect(commitGraph({ sha: '', runs: [] }).nodes).toHaveLength(1)
  })
})
