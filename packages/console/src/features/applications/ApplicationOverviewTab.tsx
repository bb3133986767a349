import { Alert, Flex, Skeleton, Switch, ToolbarItem } from '@patternfly/react-core'
import type { Graph, NodeKind } from '@slipway/model/graphs/graph'
import { collapsedWorkflow, workflowGraph, type WorkflowNode, workflowRuns } from '@slipway/model/graphs/workflow'
import { componentsOf } from '@slipway/model/builds/component'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { Link } from 'react-router'
import { failureText } from '../../api/messages'
import type { Source } from '../../api/source'
import { components } from '../../resources/components'
import { nudgeConfigs } from '../../resources/nudge-configs'
import { publicInfo } from '../../resources/public-info'
import { type ApplicationParams, paths } from '../../paths'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useNudgeConfig } from '../../parts/components/use-nudge-config'
import { addComponent } from '../../parts/components/actions'
import { useWorkflowForm } from '../../parts/graph/graph-url'
import { WorkflowPanel } from '../../parts/graph/WorkflowPanel'
import { Section } from '../../ui/page/Section'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { NoResponse, useIsOverdue } from '../../ui/status/NoResponse'
import { ReleasePlanStates } from '../../parts/releases/ReleasePlanStates'
import { useRunVerdicts } from '../../parts/pipeline-runs/run-verdicts'
import { displayReleaseStatus, displayReleaseVerdict, displayStatus } from '../../parts/status/display-status'
import { LoadFailure } from '../../ui/failures/LoadFailure'
import { lazyComponent } from '../../ui/page/lazy-component'
import { route } from '../../ui/page/route'
import { PipelineProposals } from './PipelineProposals'
import { type ApplicationParts, useApplicationParts } from './use-application-parts'
import { nextStepActions, WhatsNext } from './WhatsNext'

const PolicyDatesBadge = lazyComponent(() => import('../../parts/policy/PolicyDatesBadge'), 'PolicyDatesBadge')

export const page = route(paths.application, ({ namespace }) => ({
  read: [components.listed(namespace), nudgeConfigs.of(namespace), publicInfo.get()],
  check: actionChecks(namespace, ...nextStepActions),
}))

export { ApplicationOverviewTab as Component }
function ApplicationOverviewTab() {
  const at = page.useParams()
  const parts = useApplicationParts(at)
  return (
    <>
      <Section title="Workflow">
        <NuqsAdapter>
          <Workflow at={at} parts={parts} />
        </NuqsAdapter>
      </Section>
      <Section title="Released now">
        <ReleasePlanStates at={at} />
      </Section>
      <WhatsNext key={paths.application(at)} at={at} parts={parts} />
      <Section title="Security">
        <Flex>
          <Link to={paths.applicationVulnerabilities(at)}>Vulnerabilities of its components</Link>
          <Link to={paths.applicationPolicy(at)}>What the policy says of its components</Link>
          <Link to={paths.applicationPolicyDates(at)}>Rules that begin to fail, and exceptions that end</Link>
        </Flex>
      </Section>
    </>
  )
}

/** From an application's components to its releases. Names the parts that could not be read, and shows the rest. */
function Workflow({ at, parts }: { at: ApplicationParams; parts: ApplicationParts }) {
  const nudges = useNudgeConfig(at.namespace)
  const { component, run, allRuns, scenario, plan, release } = parts
  const verdictOf = useRunVerdicts(workflowRuns({ runs: run.rows ?? [], application: at.application }))
  const named: [string, Pick<Source<unknown>, 'rows' | 'error'>][] = [
    ['Components', component],
    ['Pipeline runs', run],
    ['Integration tests', scenario],
    ['Release plans', plan],
    ['Releases', release],
  ]
  // A partial graph would change its shape with every response.
  const isPending = nudges.isPending || named.some(([, { rows, error }]) => !rows && !error)
  const isOverdue = useIsOverdue(isPending)
  if (isOverdue) return <NoResponse noun="the workflow" />
  if (isPending) {
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
  const missing = named.filter(([, { rows, error }]) => !rows && error)
  const areRunsPartial = !run.rows || run.missing.length > 0
  const fullGraph = workflowGraph({
    application: at.application,
    components: component.rows ?? [],
    nudgeConfig: nudges.config,
    runs: run.rows ?? [],
    scenarios: scenario.rows ?? [],
    releasePlans: plan.rows ?? [],
    areRunsPartial,
    releases: release.rows,
    statusOf: displayStatus,
    verdictOf,
    releaseStatusOf: displayReleaseStatus,
    releaseVerdictOf: displayReleaseVerdict,
  })
  return (
    <>
      {missing.map(([name, { error }]) => (
        <Alert
          key={name}
          isInline
          variant="warning"
          component="p"
          title={`${name} could not be loaded and are not shown`}
        >
          {failureText(error)}
        </Alert>
      ))}
      {run.rows && run.missing[0] && (
        <Alert
          isInline
          variant="warning"
          component="p"
          title="Some pipeline runs could not be loaded and are not shown"
        >
          {failureText(run.missing[0].error)}
        </Alert>
      )}
      {nudges.unknown && fullGraph.nodes.length > 0 && (
        <Alert
          isInline
          isPlain
          variant="info"
          component="p"
          title={`Which components nudge others: ${nudges.unknown}`}
        />
      )}
      <PipelineProposals at={at} components={component.rows ?? []} runs={allRuns} />
      {componentsOf(component.rows ?? [], at.application).length === 0 && <NothingYet at={at} />}
      {fullGraph.nodes.length > 0 && (
        <ExpandableWorkflow
          graph={fullGraph}
          unread={[...(scenario.rows ? [] : (['test'] as const)), ...(plan.rows ? [] : (['release'] as const))]}
          at={at}
        />
      )}
    </>
  )
}

interface ExpandableWorkflowProps {
  graph: Graph<WorkflowNode>
  /** Kinds of nodes that could not be fetched. */
  unread: readonly NodeKind[]
  at: ApplicationParams
}

function ExpandableWorkflow({ graph, unread, at }: ExpandableWorkflowProps) {
  const [form, setForm] = useWorkflowForm(graph.nodes.length)
  const isExpanded = form === 'expanded'
  return (
    <WorkflowPanel
      graph={isExpanded ? graph : collapsedWorkflow(graph, unread)}
      kind={isExpanded ? 'workflow-expanded' : 'workflow'}
      at={at}
      label={`Workflow of ${at.application}`}
    >
      <ToolbarItem alignSelf="center">
        <Switch
          id="workflow-expanded"
          label="Expanded"
          isChecked={isExpanded}
          onChange={(_, isOn) => setForm(isOn ? 'expanded' : 'collapsed')}
        />
      </ToolbarItem>
      <ToolbarItem alignSelf="center">
        <PolicyDatesBadge {...at} />
      </ToolbarItem>
    </WorkflowPanel>
  )
}

const NothingYet = ({ at }: { at: ApplicationParams }) => (
  <MessagePanel
    variant="sm"
    headingLevel="h3"
    titleText="No components yet"
    action={<DefinedButton action={addComponent} at={at} variant="secondary" />}
  >
    Once this application has components, their builds, tests and releases appear here.
  </MessagePanel>
)
