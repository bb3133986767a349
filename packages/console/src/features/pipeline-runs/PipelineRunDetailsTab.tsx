import { Alert, ClipboardCopy } from '@patternfly/react-core'
import { commitOf } from '@slipway/model/builds/commit'
import { commitShaOf, shortSha } from '@slipway/model/git/git-facts'
import { labels } from '@slipway/model/labels'
import { otherChildrenOf } from '@slipway/model/runs/other-children'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineTextOf, sbomCommand, sbomUrl, snapshotCreationMessage } from '@slipway/model/runs/run-outputs'
import { snapshotOf } from '@slipway/model/runs/run-actions'
import { ignoredFailureOf, pipelineRunStatus, runStatuses } from '@slipway/model/runs/run-status'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { isArchived } from '../../api/archive/origin'
import { paths, type PipelineRunParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { publicInfo } from '../../resources/public-info'
import {
  ApplicationLink,
  CommitLink,
  ComponentLink,
  IntegrationTestLink,
  type InApplication,
  ReleaseLink,
  servedApplication,
  SnapshotLink,
} from '../../parts/links'
import { Section } from '../../ui/page/Section'
import { Copyable } from '../../ui/text/Copyable'
import { type DetailItem, Details } from '../../ui/page/Details'
import { RunDuration } from '../../parts/text/Duration'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { KeyValues } from '../../ui/text/KeyValues'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { route } from '../../ui/page/route'
import { RelatedPipelines } from '../../parts/pipeline-runs/RelatedPipelines'
import { RunFailureCard } from '../../parts/pipeline-runs/RunFailureCard'
import { RunResults } from '../../parts/pipeline-runs/RunResults'
import { RunStatusOfPage } from '../../parts/pipeline-runs/RunStatus'
import { RunWaitingNote } from '../../parts/pipeline-runs/RunWaitingNote'
import { useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { hasVanished, displayStatus, displayTaskStatus } from '../../parts/status/display-status'
import { RunGraphSection } from './RunGraphSection'
import { UserText } from '../../ui/text/UserText'

export const page = route(paths.pipelineRun, () => ({ read: [publicInfo.get()] }))

export { PipelineRunDetailsTab as Component }
function PipelineRunDetailsTab() {
  const params = page.useParams()
  const { data: run } = useSuspenseQuery(pipelineRuns.get(params.namespace, params.pipelineRun))
  const taskRuns = useTaskRuns(run)
  return (
    <>
      <RunFailureCard run={run} taskRuns={taskRuns.rows ?? []} at={params} />
      {hasVanished(run) && isArchived(run) && <LostRunNote />}
      {!hasVanished(run) && taskRuns.rows && <RunWaitingNote run={run} taskRuns={taskRuns.rows} />}
      <RunGraphSection run={run} taskRuns={taskRuns} params={params} />
      <Facts run={run} taskRuns={taskRuns.rows} params={params} />
      <RunResults run={run} isFailed={pipelineRunStatus(run) === 'Failed'} />
      <ObjectEvents object={run} />
    </>
  )
}

const LostRunNote = () => (
  <Alert isInline component="h2" variant="info" title="The outcome of this pipeline run is unknown">
    It was deleted from the cluster, and the archived copy dates from before it ended.
  </Alert>
)

interface FactsProps {
  run: PipelineRun
  taskRuns: readonly TaskRun[] | undefined
  params: PipelineRunParams
}

function Facts({ run, taskRuns, params }: FactsProps) {
  const { metadata } = run
  const own = metadata.labels ?? {}
  const { data: info } = useQuery(publicInfo.get())
  const command = sbomCommand(run)
  const sbom = info && sbomUrl(run, info.sbomServer)
  const word = displayStatus(run)
  const at = servedApplication(run)
  const inUrl = { application: params.application, namespace: at.namespace }
  const component = own[labels.component]
  const snapshot = snapshotOf(run)
  const test = own[labels.scenario]
  const release = own[labels.releaseName]
  const items: DetailItem[] = [
    ['Message', succeededCondition(run)?.message || null],
    ['Snapshot creation', snapshotCreationMessage(run)],
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Duration', <RunDuration run={run} status={word} />],
    ['Task runs', taskRuns && taskCounts([...taskRuns, ...otherChildrenOf(run)])],
    ['Pipeline', pipelineTextOf(run) ?? null],
    ['Application', at.application ? <ApplicationLink at={at} /> : null],
    ['Component', component && <ComponentLink at={at} component={component} />],
    ['Commit', <CommitOfRun run={run} at={inUrl} />],
    ['Source', <Source run={run} />],
    ['Snapshot', snapshot && <SnapshotOfRun snapshot={snapshot} at={inUrl} />],
    ['Integration test', test && <IntegrationTestLink at={inUrl} integrationTest={test} />],
    ['Release', release && <ReleaseLink at={at} release={release} />],
    ['Download SBOM', command && <SbomCommand command={command} />],
    ['SBOM', sbom && <ExternalLink href={sbom}>View SBOM</ExternalLink>],
    ['Related runs', <RelatedPipelines run={run} />],
    ['Name', <Copyable text={params.pipelineRun} noun="name" />],
    ['Namespace', params.namespace],
    ['Status', <RunStatusOfPage run={run} />],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
  return (
    <Section title="Pipeline run details">
      <Details label="Pipeline run details" items={items} />
    </Section>
  )
}

/** `12 Succeeded, 1 Failed`, in the order of the statuses, whatever the order of the runs. */
function taskCounts(taskRuns: readonly TaskRun[]): string | null {
  const statuses = taskRuns.map((taskRun) => ignoredFailureOf(taskRun) ?? displayTaskStatus(taskRun))
  const counts = [...runStatuses, 'Failed, ignored' as const].map((status) => ({
    status,
    count: statuses.filter((each) => each === status).length,
  }))
  return (
    counts
      .filter(({ count }) => count > 0)
      .map(({ status, count }) => `${count} ${status}`)
      .join(', ') || null
  )
}

function CommitOfRun({ run, at }: { run: PipelineRun; at: InApplication }) {
  const sha = commitShaOf(run)
  if (!sha) return '-'
  const { shaTitle } = commitOf(sha, [run])
  return (
    <Copyable text={sha} noun="commit SHA">
      <CommitLink at={at} sha={sha}>
        <UserText text={shaTitle} /> ({shortSha(sha)})
      </CommitLink>
    </Copyable>
  )
}

const SnapshotOfRun = ({ snapshot, at }: { snapshot: string; at: InApplication }) => (
  <Copyable text={snapshot} noun="snapshot name">
    <SnapshotLink at={at} snapshot={snapshot} />
  </Copyable>
)

/** A link to the commit, or else to its repository. */
function Source({ run }: { run: PipelineRun }) {
  const { shaUrl, repoUrl } = commitOf(commitShaOf(run) ?? '', [run])
  const url = commitShaOf(run) ? (shaUrl ?? repoUrl) : repoUrl
  return url ? <ExternalLink href={url}>{url.replace(/^https?:\/\//, '')}</ExternalLink> : '-'
}

const SbomCommand = ({ command }: { command: string }) => (
  <ClipboardCopy isReadOnly isCode hoverTip="Copy" clickTip="Copied" textAriaLabel="SBOM download command">
    {command}
  </ClipboardCopy>
)
