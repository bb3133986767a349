import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { pullRequestFlowOf } from '@slipway/model/builds/build-pipeline-state'
import { type Component, componentType } from '@slipway/model/builds/component'
import { branchOf, commitTitleOf, pullRequestOf } from '@slipway/model/git/git-facts'
import { labels } from '@slipway/model/labels'
import type { HeldBack } from '@slipway/model/overview/namespace-health'
import type { Release } from '@slipway/model/releases/release'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { startOf } from '@slipway/model/runs/tekton'
import { Link } from 'react-router'
import { useView } from '../../api/views/use-view'
import { paths } from '../../paths'
import {
  applicationOf,
  ComponentLink,
  pathIn,
  pipelineRunPath,
  ReleasePlanLink,
  servedApplication,
} from '../../parts/links'
import { useObservedNamespaces } from '../../parts/health/observed-namespaces'
import { useHealthViews } from '../../parts/health/use-health-views'
import { FailingLineLink } from '../../parts/pipeline-runs/FailingLineLink'
import { SnapshotTitle } from '../../parts/snapshots/SnapshotTitle'
import { displayStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import { HomeCard } from './HomeCard'
import { HomeSkeleton } from './HomeSkeleton'
import { NamespaceHealthCard } from './NamespaceHealthCard'
import { RecentCard } from './RecentCard'
import './home.css'

/** What needs the user now, over all namespaces. @param all the user's namespaces */
export function Home({ all }: { all: readonly string[] }) {
  const { read, others } = useObservedNamespaces(all)
  if (!read) return <HomeSkeleton />
  return <HomeOf namespaces={read} others={others} />
}

const awaitingMerge = { kind: componentType.plural, where: { awaitsMerge: ['yes'], isBeingDeleted: ['no'] } }
const mostMerges = 10

function HomeOf({ namespaces, others }: { namespaces: readonly string[]; others: number }) {
  const { failing, heldBack, running, lastReleases, healthOf, isKnown } = useHealthViews(namespaces, 'namespace')
  const merges = useView<Component>({ ...awaitingMerge, namespaces }, 'components', mostMerges)
  return (
    <div className="slipway-home">
      <div className="slipway-home__main">
        <HomeCard
          title="Failing now"
          source={failing}
          empty="No newest build or test has failed."
          line={(run) => (
            <FailingLine run={run} isQuoting={failing.rows?.slice(0, mostQuoted).includes(run) ?? false} />
          )}
        />
        <HomeCard
          title="Held back"
          source={heldBack}
          empty="Nothing is held back: no newest release has failed, and no merged snapshot waits for its tests."
          line={(held) => <HeldBackLine held={held} />}
        />
        <HomeCard
          title="Running"
          source={running}
          total={running.window?.total}
          empty="Nothing is running."
          line={(run) => <RunningLine run={run} />}
        />
        <HomeCard
          title="Waiting for a merge"
          source={merges}
          total={merges.window?.total}
          empty="No pull request that adds a build pipeline is open."
          line={(component) => <MergeLine component={component} />}
        />
      </div>
      <div className="slipway-home__side">
        <NamespaceHealthCard health={healthOf(namespaces)} others={others} isKnown={isKnown} />
        <HomeCard
          title="Last releases"
          source={lastReleases}
          empty="Nothing has been released yet."
          line={(release) => <ReleasedLine release={release} />}
        />
        <RecentCard />
        <p>
          <Link to={paths.about()}>About this product</Link>
        </p>
      </div>
    </div>
  )
}

/** Each quoted line costs a log: those on the first screen. */
const mostQuoted = 5

const componentName = ({ metadata }: PipelineRun): string | undefined => metadata.labels?.[labels.component]

/** What people call a run: the title of its commit, or else its name. */
function RunTitle({ run }: { run: PipelineRun }) {
  const title = commitTitleOf(run)
  const path = pipelineRunPath({ at: servedApplication(run), pipelineRun: nameOf(run) })
  const text = title ? <UserText text={title} /> : nameOf(run)
  return path ? (
    <Link to={path} title={nameOf(run)}>
      {text}
    </Link>
  ) : (
    text
  )
}

/** Component or test, and branch or pull request. */
function RunPlace({ run }: { run: PipelineRun }) {
  const subject = componentName(run) ?? run.metadata.labels?.[labels.scenario]
  const pullRequest = pullRequestOf(run)
  const branch = pullRequest ? `#${pullRequest.number}` : branchOf(run)
  return (
    <span className="slipway-home-lines__place">{[namespaceOf(run), subject, branch].filter(Boolean).join(' · ')}</span>
  )
}

function FailingLine({ run, isQuoting }: { run: PipelineRun; isQuoting: boolean }) {
  const { namespace, application } = servedApplication(run)
  const at = namespace && application ? { namespace, application, pipelineRun: nameOf(run) } : undefined
  return (
    <>
      <StatusLabel status={displayStatus(run)} /> <RunTitle run={run} /> <RunPlace run={run} />{' '}
      <RelativeTime time={run.status?.completionTime ?? startOf(run)} />
      {isQuoting && at && (
        <div className="slipway-home-lines__why">
          <FailingLineLink at={at} otherwise={<Link to={paths.pipelineRunLogs(at)}>See logs</Link>} isQuoting />
        </div>
      )}
    </>
  )
}

const RunningLine = ({ run }: { run: PipelineRun }) => (
  <>
    <StatusLabel status={displayStatus(run)} /> <RunTitle run={run} /> <RunPlace run={run} />{' '}
    <RelativeTime time={startOf(run)} />
  </>
)

function HeldBackLine({ held }: { held: HeldBack }) {
  const object = held.release ?? held.snapshot
  const at = held.release
    ? applicationOf(held.release)
    : { namespace: namespaceOf(object), application: specOf(held.snapshot).application }
  return (
    <>
      <StatusLabel status={held.release ? 'Failed' : 'Held back'} />{' '}
      {held.release ? <ReleaseTitle release={held.release} /> : <SnapshotTitle snapshot={held.snapshot} at={at} />}{' '}
      <span className="slipway-home-lines__place">
        {[namespaceOf(object), at.application, held.release && specOf(held.release).releasePlan]
          .filter(Boolean)
          .join(' · ')}
      </span>{' '}
      <RelativeTime time={held.since} />
      <div className="slipway-home-lines__why">
        <UserText text={held.reason} />
      </div>
    </>
  )
}

function MergeLine({ component }: { component: Component }) {
  const { mergeUrl } = pullRequestFlowOf(component) ?? {}
  const at = { namespace: namespaceOf(component), application: specOf(component).application }
  return (
    <>
      <StatusLabel status="PR needs merge" /> <ComponentLink at={at} component={nameOf(component)} />{' '}
      <span className="slipway-home-lines__place">{[at.namespace, at.application].filter(Boolean).join(' · ')}</span>{' '}
      {mergeUrl && <ExternalLink href={mergeUrl}>Merge pull request</ExternalLink>}
    </>
  )
}

/** What was released, and below it where to: one line for both would cut off the plan. */
const ReleasedLine = ({ release }: { release: Release }) => {
  const { releasePlan } = specOf(release)
  const { namespace, application } = applicationOf(release)
  return (
    <>
      <ReleaseTitle release={release} />
      <div className="slipway-home-lines__why">
        {namespace && releasePlan && <ReleasePlanLink namespace={namespace} releasePlan={releasePlan} />}{' '}
        <RelativeTime time={release.status?.completionTime} />{' '}
        <span className="slipway-home-lines__place">{[namespace, application].filter(Boolean).join(' · ')}</span>
      </div>
    </>
  )
}

/** What people call a release: the title of its commit, or else its name. */
function ReleaseTitle({ release }: { release: Release }) {
  const name = nameOf(release)
  const title = commitTitleOf(release)
  const path = pathIn(applicationOf(release), (at) => paths.release({ ...at, release: name }))
  const text = title ? <UserText text={title} /> : name
  return path ? (
    <Link to={path} title={name}>
      {text}
    </Link>
  ) : (
    text
  )
}
