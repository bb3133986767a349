import { Label } from '@patternfly/react-core'
import { namespaceOf, specOf } from '@slipway/kube/object'
import { failureMessages, type Release, releaseTrigger } from '@slipway/model/releases/release'
import { requesterOf } from '@slipway/model/releases/release-author'
import { releaseRunOf } from '@slipway/model/releases/release-runs'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { userQuery } from '../../api/session/session'
import { type ReleaseParams, paths } from '../../paths'
import { releases } from '../../resources/releases'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { ReleasePlanLink, SnapshotLink } from '../../parts/links'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { route } from '../../ui/page/route'
import { ReleaseContents } from '../../parts/releases/ReleaseContents'
import { ReleaseRunLink } from '../../parts/releases/ReleaseRunLink'
import { ReleaseStages } from '../../parts/releases/ReleaseStages'
import { ReleaseStatusLabel } from '../../parts/releases/ReleaseStatusLabel'
import { Copyable } from '../../ui/text/Copyable'
import { KeyValues } from '../../ui/text/KeyValues'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { AdmissionOfRelease, PolicyOfRelease } from './AdmissionOfRelease'
import { ReleaseDuration } from '../../parts/releases/ReleaseDuration'
import { ReleaseNotesSection } from './ReleaseNotesSection'

export const page = route(paths.release)

export { ReleaseOverviewTab as Component }
function ReleaseOverviewTab() {
  const at = page.useParams()
  const { data: release } = useSuspenseQuery(releases.get(at.namespace, at.release))
  const { data: user } = useQuery(userQuery)
  return (
    <>
      <Section title="Stages">
        <ReleaseStages release={release} at={at} />
      </Section>
      <Section title="Release details">
        <Details label="Release details" items={factsOf(release, at, user)} />
      </Section>
      <ReleaseNotesSection release={release} />
      <Section title="Contents">
        <ReleaseContents release={release} at={at} />
      </Section>
      <ObjectEvents object={release} />
    </>
  )
}

function factsOf(release: Release, at: ReleaseParams, user: { email: string } | undefined): DetailItem[] {
  const { metadata, status } = release
  const { releasePlan, snapshot } = specOf(release)
  const messages = failureMessages(release)
  const managed = releaseRunOf(release, 'Managed')
  return [
    ['Status', <ReleaseStatusLabel release={release} />],
    ['Message', messages.length > 0 ? messages.join('. ') : undefined],
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Duration', <ReleaseDuration release={release} />],
    ['Release plan', releasePlan ? <ReleasePlanLink namespace={at.namespace} releasePlan={releasePlan} /> : null],
    ['Release target', <Target release={release} />],
    ['Release trigger', releaseTrigger(release)],
    ['Snapshot', snapshot ? <SnapshotLink at={at} snapshot={snapshot} /> : null],
    [
      'Managed pipeline run',
      managed && <ReleaseRunLink run={managed} application={at.application} release={at.release} />,
    ],
    ['Admission', <AdmissionOfRelease release={release} />],
    ['Policy', <PolicyOfRelease release={release} />],
    ['Requested by', requesterOf(release, user?.email)],
    ['Expires at', status?.expirationTime && <DateAndAge time={status.expirationTime} />],
    ['Name', <Copyable text={at.release} noun="name" />],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
}

function Target({ release }: { release: Release }) {
  const target = release.status?.target
  if (!target) return '-'
  return (
    <>
      {target}
      {target !== namespaceOf(release) && (
        <>
          {' '}
          <Label isCompact variant="outline">
            Managed Namespace
          </Label>
        </>
      )}
    </>
  )
}
