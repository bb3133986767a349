import { nameOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { deliveriesOf, type Delivery } from '@slipway/model/releases/delivery'
import type { Release } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { useHistory } from '../../api/archive/history'
import { type RowKind, type Source, useJoined, useList } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import type { ApplicationParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { useKnownNow } from '../../ui/status/last-known'
import { displayReleaseVerdict, displayStatus } from '../status/display-status'

const runsOf = ({ namespace, application }: ApplicationParams) =>
  pipelineRuns.history({ namespace, labels: { [labels.application]: application } })

/** What the deliveries of an application are derived from: lists that its other pages read, too. */
export const deliveryReads = (at: ApplicationParams) => [
  runsOf(at).live,
  snapshots.listed(at.namespace, at.application),
  releases.history(at.namespace, at.application).live,
]

export const deliveryRows: RowKind<Delivery> = {
  // Each release of a build is a delivery of its own.
  idOf: ({ build, release }) => `${uidOf(build)} ${release ? uidOf(release) : ''}`,
  nameOf: ({ build }) => nameOf(build),
  isBeingDeleted: () => false,
}

/** How often the end of a delivery in progress moves on. */
const tickMs = 30_000

/** The deliveries of an application, the newest first. */
export function useDeliveries(at: ApplicationParams): Source<Delivery> {
  const runs = useHistory(runsOf(at))
  const snapshotList = useList(snapshots.listed(at.namespace, at.application), 'snapshots')
  const releaseList = useHistory(releases.history(at.namespace, at.application))
  const nowMs = useKnownNow(tickMs)
  const parts: Parts = [runs.rows, snapshotList.rows, releaseList.rows, nowMs]
  const { deliveries } = useFold(deriveDeliveries, parts)
  return useJoined([runs, snapshotList, releaseList], () => deliveries, deliveryRows)
}

type Parts = [
  runs: readonly PipelineRun[] | undefined,
  snapshots: readonly Snapshot[] | undefined,
  releases: readonly Release[] | undefined,
  nowMs: number,
]

interface Derived {
  parts: Parts
  deliveries: readonly Delivery[] | undefined
}

function deriveDeliveries(parts: Parts, before?: Derived): Derived {
  if (before && isShallowEqual(parts, before.parts)) return before
  const [runs, snapshotList, releaseList, nowMs] = parts
  const known = runs && snapshotList && releaseList && { runs, snapshots: snapshotList, releases: releaseList }
  const statuses = { statusOf: displayStatus, releaseStatusOf: displayReleaseVerdict }
  return { parts, deliveries: known && deliveriesOf({ ...known, ...statuses }, nowMs) }
}
