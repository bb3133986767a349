import { Alert, EmptyState, EmptyStateBody, Skeleton, Switch, Title, ToolbarItem } from '@patternfly/react-core'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { collapsedWorkflow, workflowGraph } from '@slipway/model/graphs/workflow'
import { useQuery } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useMemo } from 'react'
import { useHistory } from '../../api/history'
import { failureText } from '../../api/messages'
import type { listQuery } from '../../api/queries'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { useWorkflowForm } from '../../ui/graph/graph-url'
import { WorkflowPanel } from '../../ui/graph/WorkflowPanel'
import { useRequiredParams } from '../../ui/page/route-params'
import { displayStatus } from '../../ui/status/display-status'
import { LoadFailure } from '../../ui/table/TableState'

export { ApplicationOverviewTab as Component }
const ApplicationOverviewTab = () => (
  <section aria-labelledby="workflow">
    <Title headingLevel="h2" id="workflow" className="slipway-section-title">
      Workflow
    </Title>
    <NuqsAdapter>
      <Workflow />
    </NuqsAdapter>
  </section>
)

/** From the components of an application to its releases; what cannot be read of it is named, and the rest is shown. */
function Workflow() {
  const at = useRequiredParams('namespace', 'application')
  const [form, setForm] = useWorkflowForm()
  const component = useItems(components.sources(at.namespace))
  const run = useRuns(at)
  const scenario = useItems(integrationTestScenarios.contexts(at.namespace))
  const plan = useItems(releasePlans.owners(at.namespace))
  const release = useItems(releases.progress(at.namespace))
  const whole = useMemo(
    () =>
      workflowGraph({
        application: at.application,
        components: component.items ?? [],
        runs: run.items ?? [],
        scenarios: scenario.items ?? [],
        releasePlans: plan.items ?? [],
        areRunsPartial: !run.items || run.partial !== null,
        releases: release.items,
        statusOf: displayStatus,
      }),
    [at.application, component.items, run.items, run.partial, scenario.items, plan.items, release.items],
  )
  const collapsed = useMemo(
    () =>
      collapsedWorkflow(whole, [
        ...(scenario.items ? [] : (['test'] as const)),
        ...(plan.items ? [] : (['release'] as const)),
      ]),
    [whole, scenario.items, plan.items],
  )

  const parts: [string, Part][] = [
    ['Components', component],
    ['Pipeline runs', run],
    ['Integration tests', scenario],
    ['Release plans', plan],
    ['Releases', release],
  ]
  // What is shown first would change its shape with every answer.
  if (parts.some(([, { items, error }]) => !items && !error)) {
    return <Skeleton height="150px" screenreaderText="Loading the workflow" />
  }
  if (!component.items && component.error) {
    return (
      <LoadFailure
        noun="components"
        error={component.error}
        isRetrying={component.isRetrying}
        onRetry={component.retry}
      />
    )
  }
  const missing = parts.filter(([, { items, error }]) => !items && error)
  const isExpanded = form === 'expanded'
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
      {run.items && run.partial && (
        <Alert
          isInline
          variant="warning"
          component="p"
          title="Some pipeline runs are not part of this: they could not be read"
        >
          {failureText(run.partial)}
        </Alert>
      )}
      {whole.nodes.length === 0 ? (
        <NothingYet />
      ) : (
        <WorkflowPanel
          graph={isExpanded ? whole : collapsed}
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

interface Part {
  items: readonly KubeObject[] | undefined
  error: Error | null
}

function useItems<T extends KubeObject>(query: ReturnType<typeof listQuery<T>>) {
  const { data, error, isFetching, refetch } = useQuery(query)
  const list: KubeList<T> | undefined = data
  return { items: list?.items, error, isRetrying: isFetching, retry: () => void refetch() }
}

/** The same that the activity shows. */
const useRuns = ({ namespace, application }: { namespace: string; application: string }) =>
  useHistory(pipelineRuns.history({ namespace, labels: { [labels.application]: application } }))
