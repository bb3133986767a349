import { Skeleton } from '@patternfly/react-core'
import { nameOf, specOf, uidOf } from '@slipway/kube/object'
import { releaseStatus } from '@slipway/model/supply-chain/release'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '../../api/messages'
import type { SnapshotParams } from '../../paths'
import { releases } from '../../resources/releases'
import { ReleaseLink } from '../../ui/links'
import { StatusLabel } from '../../ui/status/StatusLabel'
import '../../ui/inline-list.css'

/** The releases of a snapshot in the cluster, newest first. */
export function SnapshotReleases({ at }: { at: SnapshotParams }) {
  const { data, error } = useQuery(releases.progress(at.namespace))
  if (!data) return error ? failureText(error) : <Skeleton width="8rem" screenreaderText="Loading releases" />
  const createdAt = ({ metadata }: (typeof data.items)[number]) => metadata.creationTimestamp ?? ''
  const own = data.items
    .filter((release) => specOf(release).snapshot === at.snapshot)
    .sort((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1))
  if (own.length === 0) return 'None'
  return (
    <ul className="slipway-inline-list">
      {own.map((release) => (
        <li key={uidOf(release)}>
          <ReleaseLink at={at} release={nameOf(release)} /> <StatusLabel status={releaseStatus(release)} />
        </li>
      ))}
    </ul>
  )
}
