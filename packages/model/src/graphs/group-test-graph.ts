import { nameOf } from '@slipway/kube/object'
import type { TestGraph, TestGraphParent } from '../builds/component-group'
import { edgesIn, skippedTests, testsIn } from '../builds/test-graph'
import { topologicalSort } from '../directed-graph'
import { newestBy } from '../grouping'
import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusOf } from '../runs/run-status'
import type { IntegrationTestScenario } from '../snapshots/integration-test-scenario'
import { isOptional } from '../snapshots/snapshot-tests'
import { runVerdict } from '../snapshots/verdict'
import type { Graph, GraphNode } from './graph'
import { factsOf } from './workflow'

/** An integration test of a component group. */
export interface GroupTestNode extends GraphNode {
  kind: 'test'
  /** `undefined` for a test that does not exist, or if the tests are not known. */
  scenario: IntegrationTestScenario | undefined
  isMissing: boolean
  /** What has to end before it starts. */
  waitsFor: readonly TestGraphParent[]
  /** The tests that do not run if this one fails. */
  skips: string[]
  latestRun: PipelineRun | undefined
  /** Its name. */
  pipelineRun?: string
}

export interface GroupTests {
  graph: TestGraph
  /** The integration tests of the group; `undefined` if they could not be read. */
  scenarios: readonly IntegrationTestScenario[] | undefined
  /** Test runs of the namespace; `undefined` if they could not be read. */
  runs: readonly PipelineRun[] | undefined
}

/** The newest run of each integration test, by its name. */
export const latestTestRuns = (runs: readonly PipelineRun[]): Map<string, PipelineRun> =>
  newestBy(runs, ({ metadata }) => metadata.labels?.[labels.scenario])

/** The integration tests of a group in the order in which they start, each with its newest run. */
export function groupTestGraph(
  { graph, scenarios, runs }: GroupTests,
  statusOf: RunStatusOf = pipelineRunStatus,
  verdictOf: RunStatusOf = (run) => runVerdict(run, statusOf(run)),
): Graph<GroupTestNode> {
  const latest = latestTestRuns(runs ?? [])
  const byName = new Map((scenarios ?? []).map((scenario) => [nameOf(scenario), scenario]))
  const names = [...new Set([...byName.keys(), ...testsIn(graph)])]
  const nodes = names.map((name): GroupTestNode => {
    const scenario = byName.get(name)
    const isMissing = scenarios !== undefined && !scenario
    const waitsFor = graph[name] ?? []
    const run = latest.get(name)
    const details = [
      ...(isMissing ? ['not found'] : []),
      ...(scenario && isOptional(scenario) ? ['optional'] : []),
      ...failFastTexts(waitsFor),
    ]
    return {
      id: name,
      kind: 'test',
      label: name,
      scenario,
      isMissing,
      waitsFor,
      skips: skippedTests(graph, [name]),
      latestRun: run,
      ...(details.length > 0 && { detail: details.join(', ') }),
      ...(run ? factsOf(run, statusOf, verdictOf) : { status: runs && !isMissing ? 'Idle' : 'Unknown' }),
    }
  })
  return topologicalSort(nodes, edgesIn(graph))
}

function failFastTexts(waitsFor: readonly TestGraphParent[]): string[] {
  const [first, ...others] = waitsFor.filter(({ failFast }) => failFast)
  if (!first) return []
  return [others.length === 0 ? `skipped if ${first.name} fails` : `skipped if any of ${others.length + 1} fails`]
}
