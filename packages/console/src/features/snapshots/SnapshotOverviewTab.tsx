import { labels } from '@slipway/model/labels'
import { eventTypeText } from '@slipway/model/runs/run-type'
import { shortSha } from '@slipway/model/git/git-facts'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import {
  newComponentsOf,
  originOfSnapshot,
  pullRequestsIn,
  referenceOf,
  type SnapshotPullRequest,
} from '@slipway/model/snapshots/snapshot-origin'
import { conditionOf, statusMessageOf } from '@slipway/model/snapshots/snapshot-status'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ApplicationParams, type SnapshotParams, paths } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releasePlans, triggerReleasePermission } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { actionChecks } from '../../ui/actions/defined-action'
import { addComponent } from '../../parts/components/actions'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { BranchLink } from '../../parts/commits/fact-columns'
import { addIntegrationTest } from '../../parts/integration-tests/actions'
import { CommitLink, ComponentLinks, PipelineRunLink, PullRequestLink } from '../../parts/links'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { route } from '../../ui/page/route'
import { Copyable } from '../../ui/text/Copyable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { KeyValues } from '../../ui/text/KeyValues'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { snapshotTestActions } from './snapshot-actions'
import { SnapshotComponentTable } from '../../parts/snapshots/SnapshotComponentTable'
import { SnapshotProspects } from './SnapshotProspects'
import { SnapshotTests } from './SnapshotTests'
import { SnapshotVulnerabilityCounts } from '../../parts/snapshots/SnapshotVulnerabilityCounts'
import {
  type KnownVulnerabilities,
  useSnapshotVulnerabilities,
} from '../../parts/snapshots/use-snapshot-vulnerabilities'
import { UserText } from '../../ui/text/UserText'

export const page = route(paths.snapshot, ({ namespace, application }) => ({
  check: [
    ...actionChecks(namespace, addComponent, addIntegrationTest, ...snapshotTestActions),
    ...triggerReleasePermission.checks(namespace),
  ],
  read: [
    releases.progress(namespace),
    releasePlans.prospects(namespace),
    integrationTestScenarios.listed(namespace),
    pipelineRuns.ofTests(namespace, application),
  ],
}))

export { SnapshotOverviewTab as Component }
function SnapshotOverviewTab() {
  const at = page.useParams()
  const { data: snapshot } = useSuspenseQuery(snapshots.get(at.namespace, at.snapshot))
  const vulnerabilities = useSnapshotVulnerabilities(snapshot)
  return (
    <>
      <Section title="Integration tests">
        <SnapshotTests snapshot={snapshot} at={at} />
      </Section>
      <Section title="Release plans">
        <SnapshotProspects snapshot={snapshot} at={at} />
      </Section>
      <Section title="Snapshot details">
        <Details label="Snapshot details" items={factsOf(snapshot, vulnerabilities, at)} />
      </Section>
      <Section title="Components">
        <SnapshotComponentTable snapshot={snapshot} vulnerabilities={vulnerabilities} at={at} />
      </Section>
      <ObjectEvents object={snapshot} />
    </>
  )
}

function factsOf(snapshot: Snapshot, vulnerabilities: KnownVulnerabilities, at: SnapshotParams): DetailItem[] {
  const { metadata, spec } = snapshot
  const reference = referenceOf(snapshot)
  const { organization, repositoryName, repoUrl, shaUrl } = reference
  const pullRequests = pullRequestsIn(snapshot)
  const fresh = newComponentsOf(snapshot)
  const build = metadata.labels?.[labels.buildPipelineRun]
  const repository = [organization, repositoryName].filter(Boolean).join('/') || repoUrl
  return [
    ['Triggered by', <Trigger snapshot={snapshot} at={at} />],
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Vulnerabilities', <SnapshotVulnerabilityCounts found={vulnerabilities} at={at} />],
    ['Message', statusMessageOf(snapshot)],
    ['Type', originOfSnapshot(snapshot)],
    [
      pullRequests.length > 1 ? 'Pull requests' : 'Pull request',
      pullRequests.length > 0 ? <PullRequests pullRequests={pullRequests} at={at} /> : undefined,
    ],
    ['Event', eventTypeText(snapshot)],
    ['Repository', repository && <ExternalLink href={repoUrl}>{repository}</ExternalLink>],
    ['Source', shaUrl && <ExternalLink href={shaUrl}>Commit at {new URL(shaUrl).host}</ExternalLink>],
    ['Branch', reference.branch && <BranchLink facts={reference} />],
    ['New images of', fresh.length > 0 ? <ComponentLinks at={at} components={fresh} /> : undefined],
    ['Build', build && <PipelineRunLink at={at} pipelineRun={build} />],
    ['Auto-release', conditionOf(snapshot, 'autoReleased')?.message || undefined],
    ['Display name', spec.displayName],
    ['Description', spec.displayDescription],
    ['Name', <Copyable text={at.snapshot} noun="name" />],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
}

function Trigger({ snapshot, at }: { snapshot: Snapshot; at: ApplicationParams }) {
  const { sha, shaTitle } = referenceOf(snapshot)
  if (!sha) return <UserText text={shaTitle ?? '-'} />
  return (
    <Copyable text={sha} noun="commit SHA">
      <CommitLink at={at} sha={sha}>
        {shaTitle ? (
          <>
            <UserText text={shaTitle} /> ({shortSha(sha)})
          </>
        ) : (
          shortSha(sha)
        )}
      </CommitLink>
    </Copyable>
  )
}

interface PullRequestsProps {
  pullRequests: readonly SnapshotPullRequest[]
  at: ApplicationParams
}

/** Each with its components, which tell those of several repositories apart. */
const PullRequests = ({ pullRequests, at }: PullRequestsProps) => (
  <ul className="slipway-inline-list">
    {pullRequests.map(({ number, url, components }) => (
      <li key={url ?? number}>
        <PullRequestLink number={number} url={url} />
        {components.length > 0 && (
          <>
            {' '}
            (<ComponentLinks at={at} components={components} />)
          </>
        )}
      </li>
    ))}
  </ul>
)
