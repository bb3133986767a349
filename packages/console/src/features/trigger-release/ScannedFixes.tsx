import { Alert, AlertActionLink, Button, Spinner } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { addMissing, cveKey } from '@slipway/model/releases/named-fixes'
import { previousReleaseOf } from '@slipway/model/releases/previous-release'
import { fixedCves } from '@slipway/model/releases/released-vulnerabilities'
import type { Release } from '@slipway/model/releases/release'
import type { FixedCve } from '@slipway/model/releases/triggered-release'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { asSentence, failureText } from '../../api/messages'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import type { ApplicationParams } from '../../paths'
import { plural } from '../../parts/graph/node-text'
import { useSnapshotScans } from '../../parts/vulnerabilities/use-snapshot-scans'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import type { TriggerInput } from './trigger-release-form'

interface ScannedFixesProps {
  /** Of the snapshot and the plan, which has not been created. */
  release: Release
  /** The application of both. */
  at: ApplicationParams
}

/** Offers the CVEs that the previous release of the plan has and the snapshot does not; no log is read before. */
export function ScannedFixes(props: ScannedFixesProps) {
  const [isRequested, setIsRequested] = useState(false)
  return isRequested ? (
    <Previous {...props} />
  ) : (
    <div>
      <Button variant="link" isInline onClick={() => setIsRequested(true)}>
        Find the CVEs that this snapshot fixes
      </Button>
    </div>
  )
}

function Previous({ release, at }: ScannedFixesProps) {
  const { rows, error, more } = useWholeViewWithArchive(releases.view(at.namespace, at.application), 'releases')
  const previous = rows && previousReleaseOf(release, rows)
  const before = useQuery({
    ...snapshots.get(at.namespace, specOf(previous ?? {}).snapshot ?? ''),
    enabled: previous !== undefined,
  })
  const after = useQuery(snapshots.get(at.namespace, specOf(release).snapshot ?? ''))
  const failure = error ?? before.error ?? after.error
  const scansBefore = useSnapshotScans(before.data)
  const scansAfter = useSnapshotScans(after.data)
  if (failure) return <Unknown reason={failureText(failure)} />
  if (rows && !previous && !more?.isLoading)
    return (
      <Note title={`No earlier release of ${specOf(release).releasePlan} has succeeded, so it has no CVEs to fix.`} />
    )
  const both = [scansBefore, scansAfter]
  const count = both.reduce((sum, { reportCount }) => sum + reportCount, 0)
  const settled = both.reduce((sum, { settledCount }) => sum + settledCount, 0)
  const failed = both.find((scans) => scans.error)?.error
  if (failed) return <Unknown reason={failureText(failed)} />
  if (!previous || both.some(({ rows }) => !rows) || settled < count) {
    return (
      <p role="status">
        <Spinner isInline aria-hidden /> Reading scans: {settled} of {count}
      </p>
    )
  }
  const [missing] = both.flatMap((scans) => scans.missing)
  return (
    <Offer
      cves={fixedCves(scansBefore.rows ?? none, scansAfter.rows ?? none)}
      previous={nameOf(previous)}
      unread={missing && asSentence(`${missing.name}: ${failureText(missing.error)}`)}
    />
  )
}

interface OfferProps {
  cves: readonly FixedCve[]
  /** Name of the release that has them. */
  previous: string
  /** What could not be read. */
  unread: string | undefined
}

function Offer({ cves, previous, unread }: OfferProps) {
  const { setValue } = useFormContext<TriggerInput>()
  const current = useWatch<TriggerInput, 'cves'>({ name: 'cves' })
  const all = addMissing(current, cves, cveKey)
  const offered = all.length - current.length
  return (
    <>
      <Note
        title={
          cves.length === 0
            ? `The scans name no CVE that ${previous} has and this snapshot does not.`
            : `The scans name ${plural(cves.length, 'CVE')} that ${previous} has and this snapshot does not.`
        }
        actionLinks={
          offered > 0 && (
            <AlertActionLink onClick={() => setValue('cves', all, { shouldDirty: true })}>
              Use {offered === cves.length ? '' : `the other ${offered} `}in release notes
            </AlertActionLink>
          )
        }
      />
      {unread && <Unknown reason={unread} />}
    </>
  )
}

const Note = ({ title, actionLinks }: { title: string; actionLinks?: ReactNode }) => (
  <Alert isInline isLiveRegion variant="info" component="p" title={title} actionLinks={actionLinks} />
)

const Unknown = ({ reason }: { reason: string }) => (
  <Alert
    isInline
    isPlain
    isLiveRegion
    variant="warning"
    component="p"
    title={`It is not known of all components which CVEs are fixed: ${asSentence(reason)}`}
  />
)

const none: never[] = []
