import { Alert, Skeleton } from '@patternfly/react-core'
import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type TestGraphParent, testGraphOf } from '@slipway/model/builds/component-group'
import { findTestCycle, unknownTests } from '@slipway/model/builds/test-graph'
import { type GroupTestNode, groupTestGraph, latestTestRuns } from '@slipway/model/graphs/group-test-graph'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { useSuspenseQuery } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { failureText } from '../../api/messages'
import { useWholeView } from '../../api/views/use-view'
import { paths } from '../../paths'
import { useGraphView, useSelectedNode } from '../../parts/graph/graph-url'
import { GraphDrawer } from '../../parts/graph/GraphDrawer'
import { GraphList } from '../../parts/graph/GraphList'
import { GraphViews } from '../../parts/graph/GraphViews'
import { LazyPipelineGraph } from '../../parts/graph/LazyPipelineGraph'
import { IntegrationTestLink, PipelineRunLink, servedApplication } from '../../parts/links'
import { useRunVerdicts } from '../../parts/pipeline-runs/run-verdicts'
import { displayStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { componentGroups } from '../../resources/component-groups'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { Details } from '../../ui/page/Details'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { SourceReporter } from '../../ui/SourceReporter'
import { DateAndAge } from '../../ui/text/RelativeTime'

export const page = route(paths.componentGroupTests)

export { ComponentGroupTestsTab as Component }
/** The integration tests of a group, in the order in which they run. */
function ComponentGroupTestsTab() {
  const { namespace, componentGroup } = page.useParams()
  const { data: group } = useSuspenseQuery(componentGroups.get(namespace, componentGroup))
  const tests = useWholeView<IntegrationTestScenario>(
    integrationTestScenarios.view(namespace, 'componentGroup', componentGroup),
    'integration tests',
  )
  const runs = useWholeView<PipelineRun>(pipelineRuns.newestOfTests(namespace), 'pipeline runs')
  // While they arrive, what is missing does not have to be.
  const scenarios = tests.more ? undefined : tests.rows
  const latest = runs.more ? undefined : runs.rows
  const order = testGraphOf(group)
  const verdictOf = useRunVerdicts([...latestTestRuns(latest ?? []).values()])
  const graph = groupTestGraph({ graph: order, scenarios, runs: latest }, displayStatus, verdictOf)
  const cycle = findTestCycle(order)
  const unknown = scenarios ? unknownTests(order, scenarios.map(nameOf)) : []
  if (!scenarios && !tests.error && graph.nodes.length === 0)
    return <Skeleton height="10rem" screenreaderText="Loading the integration tests" />
  return (
    <>
      <SourceReporter label="Integration tests" source={tests} />
      <SourceReporter label="Latest results" source={runs} />
      {cycle && (
        <Alert isInline variant="danger" component="p" title="These tests wait for each other">
          {cycle.toReversed().join(' waits for ')}: none of them can start.
        </Alert>
      )}
      {unknown.length > 0 && (
        <Alert isInline variant="warning" component="p" title="Some tests do not exist">
          This group has no integration test {unknown.join(', ')}.
        </Alert>
      )}
      {tests.error && !scenarios && (
        <Alert isInline variant="warning" component="p" title="Unable to load integration tests">
          Only those in the test graph are shown. {failureText(tests.error)}
        </Alert>
      )}
      {runs.error && !runs.rows && (
        <Alert isInline variant="warning" component="p" title="Unable to load the latest results">
          {failureText(runs.error)}
        </Alert>
      )}
      {graph.nodes.length === 0 ? (
        <MessagePanel titleText="No integration tests">
          No integration test names this group, so that its snapshots are not tested.
        </MessagePanel>
      ) : (
        <>
          {Object.keys(order).length === 0 && <p>This group sets no order: all tests start at once.</p>}
          <NuqsAdapter>
            <TestGraphPanel graph={graph} label={`Tests of ${componentGroup}`} />
          </NuqsAdapter>
        </>
      )}
    </>
  )
}

const offered = ['graph', 'list'] as const

function TestGraphPanel({ graph, label }: { graph: ReturnType<typeof groupTestGraph>; label: string }) {
  const [view, setView] = useGraphView(offered)
  const [selectedId, setSelectedId] = useSelectedNode()
  const node = graph.nodes.find(({ id }) => id === selectedId)
  return (
    <>
      <GraphViews offered={offered} view={view} onView={setView} />
      <GraphDrawer
        selected={node?.id}
        onSelect={(id) => void setSelectedId(id ?? null)}
        title={node?.label ?? ''}
        subtitle={node?.status && <StatusLabel status={node.status} verdict={node.verdict} />}
        panel={node && <TestFacts node={node} />}
      >
        {(onSelect) => {
          const shown = { graph, selected: node?.id, onSelect, label }
          return view === 'list' ? <GraphList {...shown} /> : <LazyPipelineGraph {...shown} kind="run" />
        }}
      </GraphDrawer>
    </>
  )
}

function TestFacts({ node }: { node: GroupTestNode }) {
  const { label, scenario, isMissing, waitsFor, skips, latestRun, startTime } = node
  const at = { namespace: scenario && namespaceOf(scenario), application: scenario && specOf(scenario).application }
  return (
    <Details
      isNarrow
      label={label}
      items={[
        [
          'Integration test',
          isMissing ? `${label} (not found)` : <IntegrationTestLink at={at} integrationTest={label} />,
        ],
        ['Starts', waitsFor.length === 0 ? 'At once' : <WaitsFor waitsFor={waitsFor} />],
        ['If it fails', skips.length > 0 ? `Skipped: ${skips.join(', ')}` : 'All other tests run all the same'],
        [
          'Latest run',
          latestRun ? (
            <PipelineRunLink at={servedApplication(latestRun)} pipelineRun={nameOf(latestRun)} />
          ) : (
            'None known'
          ),
        ],
        ['Started', startTime && <DateAndAge time={startTime} />],
      ]}
    />
  )
}

const WaitsFor = ({ waitsFor }: { waitsFor: readonly TestGraphParent[] }) => (
  <ul>
    {waitsFor.map(({ name, failFast }) => (
      <li key={name}>
        After {name}
        {failFast ? ', unless that fails' : ', whether or not that fails'}
      </li>
    ))}
  </ul>
)
