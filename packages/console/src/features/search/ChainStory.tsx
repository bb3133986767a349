import { Button, Label } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/releases/release'
import { explainRelease } from '@slipway/model/releases/release-explanation'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pinnedImageOf, sbomBlobOf } from '@slipway/model/runs/run-outputs'
import { startOf } from '@slipway/model/runs/tekton'
import { type Chain, chainStages, type ChainStage, gapsOf, publishedBy } from '@slipway/model/search/chain'
import { builtDigestOf } from '@slipway/model/snapshots/snapshot-vulnerabilities'
import type { ReactNode } from 'react'
import {
  applicationOf,
  CommitLink,
  type InApplication,
  PipelineRunLink,
  PullRequestLink,
  ReleaseLink,
  ReleasePlanLink,
  servedApplication,
  SnapshotLink,
} from '../../parts/links'
import { ReleaseStatusLabel } from '../../parts/releases/ReleaseStatusLabel'
import { displaySnapshotStatus, displayStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { ImageAddress } from '../../parts/text/ImageAddress'
import { StatusBox } from '../../ui/failures/StatusBox'
import { Details } from '../../ui/page/Details'
import { SourceReporter } from '../../ui/SourceReporter'
import { OriginLabel } from '../../ui/status/OriginLabel'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import { type ChainReference, useChain } from './use-chain'

/** What became of a commit, from its pull request to what was published. Gaps are marked. */
export function ChainStory({ of }: { of: ChainReference }) {
  const { source, archive, lookFurther } = useChain(of)
  const chain = source.rows?.[0]
  // Only the snapshot of a release was known, which names the commit.
  if (chain?.sha && !of.sha) return <ChainStory key={chain.key} of={chain} />
  return (
    <>
      <SourceReporter label="Chain" source={source} />
      <StatusBox label="the chain" data={source.rows} error={source.error ?? source.retryReason}>
        {() =>
          chain ? (
            <Details
              isOrdered
              label={`Chain of ${chainTitle(chain)}`}
              items={chainStages.map((stage) => [
                stageNames[stage],
                <Stage chain={chain} stage={stage} isArchiveKnown={archive === 'searched'} />,
              ])}
            />
          ) : (
            `Nothing of it is ${archive === 'searched' ? placeWithArchive : 'in the cluster'} any more.`
          )
        }
      </StatusBox>
      {archive === 'searching' && <p>Looking in the archive for what the cluster does not have…</p>}
      {archive === 'failed' && (
        <p>
          The archive could not be searched, and may have what is missing.{' '}
          <Button variant="link" isInline onClick={source.retry}>
            Try again
          </Button>
        </p>
      )}
      {lookFurther && (
        <p>
          The archive has older objects.{' '}
          <Button variant="link" isInline onClick={lookFurther}>
            Look further back
          </Button>
        </p>
      )}
    </>
  )
}

const placeWithArchive = 'in the cluster or in the archive'

/** What people call a chain: the title of its commit, or else its SHA, or the name of its snapshot. */
export const chainTitle = ({ git, sha, snapshotNames }: Chain): string =>
  git.shaTitle ?? sha?.slice(0, 12) ?? snapshotNames[0] ?? 'a commit'

const stageNames: Record<ChainStage, string> = {
  commit: 'Commit',
  pullRequest: 'Pull request',
  build: 'Build',
  image: 'Image',
  sbom: 'SBOM',
  signature: 'Signature',
  snapshot: 'Snapshot',
  tests: 'Tests',
  policy: 'Policy',
  release: 'Release',
  published: 'Published',
}

interface StageProps {
  chain: Chain
  stage: ChainStage
  isArchiveKnown: boolean
}

function Stage({ chain, stage, isArchiveKnown }: StageProps) {
  const gap = gapsOf(chain, isArchiveKnown ? placeWithArchive : undefined)[stage]
  if (!gap) return <ul className="slipway-chain">{partsOf[stage](chain)}</ul>
  return (
    <>
      <Label isCompact variant="outline" status="warning">
        Gap
      </Label>{' '}
      {gap}
    </>
  )
}

const placeOf = ({ namespace, applications: [application] }: Chain): InApplication => ({ namespace, application })

const runLines = (runs: readonly PipelineRun[]): ReactNode =>
  runs.map((run) => (
    <li key={run.metadata.uid}>
      <StatusLabel status={displayStatus(run)} />{' '}
      {run.metadata.labels?.[labels.scenario] ?? run.metadata.labels?.[labels.component]}{' '}
      <PipelineRunLink at={servedApplication(run)} pipelineRun={nameOf(run)} />
      <OriginLabel object={run} /> <RelativeTime time={startOf(run)} />
    </li>
  ))

const releaseLine = (release: Release): ReactNode => {
  const { releasePlan } = specOf(release)
  const at = applicationOf(release)
  return (
    <li key={release.metadata.uid}>
      <ReleaseStatusLabel release={release} /> <ReleaseLink at={at} release={nameOf(release)} />
      <OriginLabel object={release} />{' '}
      {releasePlan && at.namespace && <ReleasePlanLink namespace={at.namespace} releasePlan={releasePlan} />}{' '}
      <RelativeTime time={release.metadata.creationTimestamp} /> {explainRelease(release).headline}
    </li>
  )
}

/** What is known of each stage. */
const partsOf: Record<ChainStage, (chain: Chain) => ReactNode> = {
  commit: (chain) =>
    chain.sha && (
      <li>
        <CommitLink at={placeOf(chain)} sha={chain.sha} />{' '}
        {chain.git.shaTitle && <UserText text={chain.git.shaTitle} />} {chain.git.user}
      </li>
    ),
  pullRequest: ({ git }) =>
    git.pullRequestNumber !== undefined && (
      <li>
        <PullRequestLink number={git.pullRequestNumber} url={git.pullRequestUrl} />
      </li>
    ),
  build: ({ builds }) => runLines(builds),
  image: ({ builds }) =>
    builds.filter(builtDigestOf).map((build) => (
      <li key={build.metadata.uid}>
        <ImageAddress image={pinnedImageOf(build) ?? builtDigestOf(build) ?? ''} noun={`image of ${nameOf(build)}`} />
      </li>
    )),
  sbom: ({ builds }) =>
    builds.map((build) => {
      const blob = sbomBlobOf(build)
      return (
        blob && (
          <li key={build.metadata.uid}>
            <ImageAddress image={blob} noun={`SBOM of ${nameOf(build)}`} />
          </li>
        )
      )
    }),
  signature: ({ builds }) =>
    builds
      .filter(({ metadata }) => metadata.annotations?.[annotations.signed] === 'true')
      .map((build) => <li key={build.metadata.uid}>Tekton Chains has signed what {nameOf(build)} built.</li>),
  snapshot: (chain) =>
    chain.snapshots.map((snapshot) => (
      <li key={snapshot.metadata.uid}>
        <StatusLabel status={displaySnapshotStatus(snapshot)} />{' '}
        <SnapshotLink
          at={{ ...placeOf(chain), application: specOf(snapshot).application }}
          snapshot={nameOf(snapshot)}
        />
        <OriginLabel object={snapshot} /> <RelativeTime time={snapshot.metadata.creationTimestamp} />
      </li>
    )),
  tests: ({ tests }) => runLines(tests),
  policy: ({ verifications }) => runLines(verifications),
  release: ({ releases }) => releases.map(releaseLine),
  published: ({ releases }) =>
    publishedBy(releases).map(({ label, text }) => (
      <li key={text}>
        {label}{' '}
        {/^https?:/.test(text) ? (
          <ExternalLink href={text}>{text}</ExternalLink>
        ) : (
          <ImageAddress image={text} noun={label} />
        )}
      </li>
    )),
}
