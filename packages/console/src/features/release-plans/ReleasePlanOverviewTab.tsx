import { Content } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type Release, releaseTrigger } from '@slipway/model/releases/release'
import { requesterOf } from '@slipway/model/releases/release-author'
import { flagText, type ReleasePlan } from '@slipway/model/releases/release-plan'
import { currentReleaseOf, type ReleasePlanState } from '@slipway/model/releases/release-plan-state'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import { userQuery } from '../../api/session/session'
import { ReleaseLink, SnapshotLink } from '../../parts/links'
import { NewerSnapshots } from '../../parts/releases/NewerSnapshots'
import { useReleasePlanStates } from '../../parts/releases/use-release-plan-states'
import { SnapshotComponentTable } from '../../parts/snapshots/SnapshotComponentTable'
import { useSnapshotVulnerabilities } from '../../parts/snapshots/use-snapshot-vulnerabilities'
import { type ApplicationParams, paths } from '../../paths'
import { releasePlans, triggerReleasePermission } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { actionChecks } from '../../ui/actions/defined-action'
import { StatusBox } from '../../ui/failures/StatusBox'
import { Details } from '../../ui/page/Details'
import { route } from '../../ui/page/route'
import { Section } from '../../ui/page/Section'
import { SourceReporter } from '../../ui/SourceReporter'
import { OriginLabel } from '../../ui/status/OriginLabel'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { addComponent } from '../../parts/components/actions'
import { Admission, Releasable } from './ReleasePlanFacts'

export const page = route(paths.releasePlan, ({ namespace }) => ({
  check: [...actionChecks(namespace, addComponent), ...triggerReleasePermission.checks(namespace)],
}))

export { ReleasePlanOverviewTab as Component }
/** What a release plan has released, what is newer, and why that is held back. */
function ReleasePlanOverviewTab() {
  const { namespace, releasePlan } = page.useParams()
  const { data: plan } = useSuspenseQuery(releasePlans.get(namespace, releasePlan))
  const { application } = specOf(plan)
  return (
    <>
      {application ? (
        <ReleasedNow key={application} plan={plan} at={{ namespace, application }} />
      ) : (
        <Content component="p">
          It releases a component group. What it has released is under its releases; what is newer is not known.
        </Content>
      )}
      <Section title="Release plan details">
        <Details
          label="Release plan details"
          items={[
            ['Application', <Releasable plan={plan} at={{ namespace }} />],
            ['Target namespace', specOf(plan).target ?? null],
            ['Admission', <Admission plan={plan} />],
            ['Auto release', flagText(plan, labels.autoRelease)],
            ['Standing attribution', flagText(plan, labels.standingAttribution)],
            ['Created at', <DateAndAge time={plan.metadata.creationTimestamp} />],
          ]}
        />
      </Section>
    </>
  )
}

interface PartProps {
  plan: ReleasePlan
  at: ApplicationParams
}

function ReleasedNow({ plan, at }: PartProps) {
  const source = useReleasePlanStates(at)
  const state = source.rows?.find((row) => nameOf(row.plan) === nameOf(plan))
  return (
    <>
      <SourceReporter label="Released now" source={source} />
      <Section title="Released now">
        <StatusBox label="releases" data={state} error={source.error ?? source.retryReason}>
          {({ current }) => (current ? <Current release={current} at={at} /> : <ArchivedRelease plan={plan} at={at} />)}
        </StatusBox>
      </Section>
      <Section title="Newer, not released">
        <StatusBox label="snapshots" data={state} error={source.error ?? source.retryReason}>
          {(known: ReleasePlanState) => <NewerSnapshots source={source} state={known} at={at} />}
        </StatusBox>
      </Section>
    </>
  )
}

/** Releases expire; an archive may still have the one whose snapshot is there. */
function ArchivedRelease({ plan, at }: PartProps) {
  const { rows, error, more } = useWholeViewWithArchive(releases.view(at.namespace, at.application), 'releases')
  const current = rows && currentReleaseOf(plan, rows)
  return (
    <StatusBox label="earlier releases" data={current || !more?.isLoading ? rows : undefined} error={error}>
      {() =>
        current ? (
          <Current release={current} at={at} />
        ) : (
          <Content component="p">No known release of this plan has succeeded.</Content>
        )
      }
    </StatusBox>
  )
}

/** @param release a row; the rest of it is read */
function Current({ release: row, at }: { release: Release; at: ApplicationParams }) {
  const name = nameOf(row)
  const { data: release = row } = useQuery(releases.get(at.namespace, name))
  const { data: user } = useQuery(userQuery)
  const { snapshot = '' } = specOf(row)
  const { data: contents, error } = useQuery(snapshots.get(at.namespace, snapshot))
  return (
    <>
      <Details
        label="Released now"
        items={[
          [
            'Release',
            <>
              <ReleaseLink at={at} release={name} /> <OriginLabel object={release} />
            </>,
          ],
          ['Since', <DateAndAge time={release.status?.completionTime} />],
          ['Snapshot', <SnapshotLink at={at} snapshot={snapshot} />],
          ['Requested by', requesterOf(release, user?.email)],
          ['Release trigger', releaseTrigger(release)],
        ]}
      />
      <StatusBox label="the released snapshot" data={contents} error={error}>
        {(known) => <Contents snapshot={known} at={at} />}
      </StatusBox>
    </>
  )
}

function Contents({ snapshot, at }: { snapshot: Snapshot; at: ApplicationParams }) {
  return (
    <SnapshotComponentTable
      snapshot={snapshot}
      vulnerabilities={useSnapshotVulnerabilities(snapshot)}
      at={{ ...at, snapshot: nameOf(snapshot) }}
    />
  )
}
