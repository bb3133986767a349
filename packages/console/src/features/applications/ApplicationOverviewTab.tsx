import { Alert, EmptyState, EmptyStateBody, Skeleton, Switch, ToolbarItem } from '@patternfly/react-core'
import { labels } from '@slipway/model/labels'
import { collapsedWorkflow, workflowGraph } from '@slipway/model/graphs/workflow'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useHistory } from '../../api/archive/history'
import { failureText } from '../../api/messages'
import { type Source, useList } from '../../api/source'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { useWorkflowForm } from '../../ui/graph/graph-url'
import { WorkflowPanel } from '../../ui/graph/WorkflowPanel'
import { Section } from '../../ui/page/Section'
import { useRequiredParams } from '../../ui/page/route-params'
import { displayStatus } from '../../ui/status/display-status'
import { LoadFailure } from '../../ui/table/TableState'

export { ApplicationOverviewTab as Component }
const ApplicationOverviewTab = () => (
  <Section title="Workflow">
    <NuqsAdapter>
      <Workflow />
    </NuqsAdapter>
  </Section>
)

/** From the components of an application to its releases; what cannot be read of it is named, and the rest is shown. */
function Workflow() {
  const at = useRequiredParams('namespace', 'application')
  const [form, setForm] = useWorkflowForm()
  const component = useList(components.sources(at.namespace))
  // The same that the activity shows.
  const run = useHistory(
    pipelineRuns.history({ namespace: at.namespace, labels: { [labels.application]: at.application } }),
  )
  const scenario = useList(integrationTestScenarios.contexts(at.namespace))
  const plan = useList(releasePlans.owners(at.namespace))
  const release = useList(releases.progress(at.namespace))
  const parts: [string, Pick<Source<unknown>, 'rows' | 'error'>][] = [
    ['Components', component],
    ['Pipeline runs', run],
    ['Integration tests', scenario],
    ['Release plans', plan],
    ['Releases', release],
  ]
  // What is shown first would change its shape with every answer.
  if (parts.some(([, { rows, error }]) => !rows && !error)) {
    return <Skeleton height="150px" screenreaderText="Loading the workflow" />
  }
  if (!component.rows && component.error) {
    return (
      <LoadFailure
        noun="components"
        error={component.error}
        isRetrying={component.isFetching}
        onRetry={component.retry}
      />
    )
  }
  const missing = parts.filter(([, { rows, error }]) => !rows && error)
  const isExpanded = form === 'expanded'
  const whole = workflowGraph({
    application: at.application,
    components: component.rows ?? [],
    runs: run.rows ?? [],
    scenarios: scenario.rows ?? [],
    releasePlans: plan.rows ?? [],
    areRunsPartial: !run.rows || run.missing.length > 0,
    releases: release.rows,
    statusOf: displayStatus,
  })
  const collapsed = () =>
    collapsedWorkflow(whole, [
      ...(scenario.rows ? [] : (['test'] as const)),
      ...(plan.rows ? [] : (['release'] as const)),
    ])
  return (
    <>
      {missing.map(([name, { error }]) => (
        <Alert
          key={name}
          isInline
          variant="warning"
          component="p"
          title={`${name} are not part of this: they could not be read`}
        >
          {failureText(error)}
        </Alert>
      ))}
      {run.rows && run.missing[0] && (
        <Alert
          isInline
          variant="warning"
          component="p"
          title="Some pipeline runs are not part of this: they could not be read"
        >
          {failureText(run.missing[0].error)}
        </Alert>
      )}
      {whole.nodes.length === 0 ? (
        <NothingYet />
      ) : (
        <WorkflowPanel
          graph={isExpanded ? whole : collapsed()}
          kind={isExpanded ? 'workflow-expanded' : 'workflow'}
          at={at}
          label={`Workflow of ${at.application}`}
        >
          <ToolbarItem alignSelf="center">
            <Switch
              id="workflow-expanded"
              label="Expanded"
              isChecked={isExpanded}
              onChange={(_, isOn) => void setForm(isOn ? 'expanded' : null)}
            />
          </ToolbarItem>
        </WorkflowPanel>
      )}
    </>
  )
}

const NothingYet = () => (
  <EmptyState variant="sm" headingLevel="h3" titleText="No components yet">
    <EmptyStateBody>
      What is built, tested and released of the components of this application is shown here, once there are any.
    </EmptyStateBody>
  </EmptyState>
)
