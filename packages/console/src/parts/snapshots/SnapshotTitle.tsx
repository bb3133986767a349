import { nameOf } from '@slipway/kube/object'
import { snapshotTitle } from '@slipway/model/overview/namespace-health'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { Link } from 'react-router'
import { paths } from '../../paths'
import { UserText } from '../../ui/text/UserText'
import { type InApplication, pathIn } from '../links'

/** What people call a snapshot, as a link to its page. */
export function SnapshotTitle({ snapshot, at }: { snapshot: Snapshot; at: InApplication }) {
  const path = pathIn(at, (params) => paths.snapshot({ ...params, snapshot: nameOf(snapshot) }))
  const title = <UserText text={snapshotTitle(snapshot)} />
  return path ? (
    <Link to={path} title={nameOf(snapshot)}>
      {title}
    </Link>
  ) : (
    title
  )
}
