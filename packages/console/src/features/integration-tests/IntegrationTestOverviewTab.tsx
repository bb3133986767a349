import { Alert } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { snapshotOf } from '@slipway/model/runs/run-actions'
import {
  contextNames,
  disabledNote,
  resourceKinds,
  type TestParam,
  testParams,
} from '@slipway/model/snapshots/integration-test-edit'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { invalidReasonOf, testSourceOf } from '@slipway/model/snapshots/integration-test-source'
import { isOptional } from '@slipway/model/snapshots/snapshot-tests'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type IntegrationTestParams, paths } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { ApplicationLink, PipelineRunLink, SnapshotLink } from '../../parts/links'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { route } from '../../ui/page/route'
import { Copyable } from '../../ui/text/Copyable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { KeyValues } from '../../ui/text/KeyValues'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { editContexts, editParameters } from './integration-test-actions'
import { LatestResult } from './LatestResult'
import { useLatestRuns } from './use-tests-with-runs'
import '../../ui/inline-list.css'

export const page = route(paths.integrationTestOverview)

export { IntegrationTestOverviewTab as Component }
function IntegrationTestOverviewTab() {
  const at = page.useParams()
  const { data: test } = useSuspenseQuery(integrationTestScenarios.get(at.namespace, at.integrationTest))
  const invalid = invalidReasonOf(test)
  return (
    <>
      {invalid && (
        <Alert isInline variant="danger" component="p" title="The platform does not run this integration test">
          {invalid}
        </Alert>
      )}
      <Section title="Integration test details">
        <Details label="Integration test details" items={factsOf(test, at)} />
      </Section>
      <ObjectEvents object={test} />
    </>
  )
}

function factsOf(test: IntegrationTestScenario, at: IntegrationTestParams): DetailItem[] {
  const { metadata } = test
  const { resolver, url, shortUrl, repoUrl, revision, revisionUrl, path, pathUrl, bundle } = testSourceOf(test)
  const kind = specOf(test).resolverRef?.resourceKind ?? resourceKinds[0]
  return [
    ['Latest result', <LatestRun at={at} />],
    ['Optional for release', isOptional(test) ? 'Optional' : 'Required'],
    ['Contexts', <Contexts test={test} at={at} />],
    ['Parameters', <Parameters test={test} at={at} />],
    ['Git URL', url && <ExternalLink href={repoUrl}>{shortUrl}</ExternalLink>],
    ['Revision', revision && <ExternalLink href={revisionUrl}>{revision}</ExternalLink>],
    ['Path in repository', path && <ExternalLink href={pathUrl}>{path}</ExternalLink>],
    ['Bundle', bundle && <Copyable text={bundle} noun="bundle" />],
    ['Resolver', resolver ?? null],
    ['Resource kind', { pipeline: 'Pipeline', pipelinerun: 'PipelineRun' }[kind]],
    ['Application', <ApplicationLink at={at} />],
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Name', <Copyable text={at.integrationTest} noun="name" />],
    ['Namespace', at.namespace],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
}

/** The newest run, and what it tested. */
function LatestRun({ at }: { at: IntegrationTestParams }) {
  const run = useLatestRuns(at)(at.integrationTest)
  const { latest } = run
  const snapshot = latest && snapshotOf(latest)
  return (
    <>
      <LatestResult name={at.integrationTest} {...run} />{' '}
      {latest && <PipelineRunLink at={at} pipelineRun={nameOf(latest)} integrationTest={at.integrationTest} />}
      {snapshot && (
        <>
          {' on '}
          <SnapshotLink at={at} snapshot={snapshot} />
        </>
      )}
    </>
  )
}

interface EditableProps {
  test: IntegrationTestScenario
  at: IntegrationTestParams
}

/** The snapshots for which the test runs. */
function Contexts({ test, at }: EditableProps) {
  const contexts = contextNames(test)
  const note = disabledNote(contexts)
  return (
    <>
      {contexts.join(', ')} <DefinedButton action={editContexts} subject={test} at={at} variant="link" isInline />
      {note && <div>{note}</div>}
    </>
  )
}

function Parameters({ test, at }: EditableProps) {
  const params = testParams(test)
  return (
    <>
      {params.length === 0 ? (
        'None'
      ) : (
        <ul className="slipway-inline-list">
          {params.map((param, position) => (
            // Names may repeat in what other clients have written.
            <li key={position}>{paramText(param)}</li>
          ))}
        </ul>
      )}{' '}
      <DefinedButton action={editParameters} subject={test} at={at} variant="link" isInline />
    </>
  )
}

const paramText = ({ name, values }: TestParam): string =>
  values.length > 1 ? `${name}: [${values.join(', ')}]` : `${name}: ${values[0] || '(empty)'}`
