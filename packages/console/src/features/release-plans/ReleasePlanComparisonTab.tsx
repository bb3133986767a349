import { Content, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { failureText } from '../../api/messages'
import { useView } from '../../api/views/use-view'
import { useReleasePlanStates } from '../../parts/releases/use-release-plan-states'
import { SnapshotComparison } from '../../parts/snapshots/SnapshotComparison'
import { paths, type ReleasePlanParams } from '../../paths'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { StatusBox } from '../../ui/failures/StatusBox'
import { type ContextItem, ContextSwitcher } from '../../ui/page/ContextSwitcher'
import { route } from '../../ui/page/route'
import { SourceReporter } from '../../ui/SourceReporter'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { comparisonChoices, firstComparison } from './comparison-choices'

export const page = route(paths.releasePlanComparison, ({ namespace }) => ({
  require: [{ verb: 'list', type: releaseType, namespace }],
}))

export { ReleasePlanComparisonTab as Component }
function ReleasePlanComparisonTab() {
  const at = page.useParams()
  const { data: plan } = useSuspenseQuery(releasePlans.get(at.namespace, at.releasePlan))
  const { application } = specOf(plan)
  if (!application) return <Content component="p">Snapshots of component groups are not compared.</Content>
  return <Comparison key={application} at={{ ...at, application }} />
}

interface ComparisonParams extends ReleasePlanParams {
  application: string
}

/** Any two snapshots that a plan has released or could release; which ones is in the URL. */
function Comparison({ at }: { at: ComparisonParams }) {
  const [params, setParams] = useSearchParams()
  const source = useReleasePlanStates(at)
  const released = useView<Release>(releases.viewOfPlan(at.namespace, at.releasePlan), 'releases')
  const state = source.rows?.find(({ plan }) => nameOf(plan) === at.releasePlan)
  const choices = state && released.rows ? comparisonChoices(state, released.rows) : undefined
  const [first, second] = state && choices ? firstComparison(state, choices) : []
  const from = params.get('from') ?? first
  const to = params.get('to') ?? second
  const failure = source.error ?? source.retryReason ?? released.error ?? released.retryReason
  const select = (changed: Record<string, string>) =>
    setParams((before) => ({ ...Object.fromEntries(before), ...changed }))
  if (choices && !(from && to))
    return (
      <MessagePanel titleText="Nothing to compare">
        Once this plan has released a snapshot and another one exists, the two can be compared.
      </MessagePanel>
    )
  return (
    <>
      <SourceReporter label="Snapshots" source={source} />
      <Toolbar inset={{ default: 'insetNone' }}>
        <ToolbarContent alignItems="center">
          <ToolbarItem>From</ToolbarItem>
          <ToolbarItem>
            <Choice
              noun="older snapshot"
              name={from}
              choices={choices}
              failure={failure}
              onSelect={(name) => select({ from: name })}
            />
          </ToolbarItem>
          <ToolbarItem>to</ToolbarItem>
          <ToolbarItem>
            <Choice
              noun="newer snapshot"
              name={to}
              choices={choices}
              failure={failure}
              onSelect={(name) => select({ to: name })}
            />
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      {from && to ? (
        <Compared from={from} to={to} at={at} />
      ) : (
        <StatusBox label="releases" data={undefined} error={failure}>
          {() => null}
        </StatusBox>
      )}
    </>
  )
}

interface ChoiceProps {
  noun: string
  name: string | undefined
  choices: ContextItem[] | undefined
  failure: Error | null | undefined
  onSelect: (name: string) => void
}

const Choice = ({ noun, name, choices, failure, onSelect }: ChoiceProps) => (
  <ContextSwitcher
    resourceType="released-snapshot"
    noun={noun}
    selected={{ key: name ?? '', name: name ?? '…' }}
    items={choices}
    failure={failure && failureText(failure)}
    onSelect={({ key }) => onSelect(key)}
  />
)

function Compared({ from, to, at }: { from: string; to: string; at: ComparisonParams }) {
  const before = useQuery(snapshots.ofApplication(at.namespace, at.application, from))
  const after = useQuery(snapshots.ofApplication(at.namespace, at.application, to))
  const both = before.data && after.data && { from: before.data, to: after.data }
  return (
    <StatusBox label="the compared snapshots" data={both} error={before.error ?? after.error}>
      {(known) => <SnapshotComparison {...known} at={at} />}
    </StatusBox>
  )
}
